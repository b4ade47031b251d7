#include "tacit/table/sql/sql.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "tacit/table/rows/scratch_testing.hpp"
#include "tacit/table/sql/postgres_server_testing.hpp"

namespace tacit {
namespace {

using namespace testing;

// Replaces every occurrence of the part.
std::string replaced(std::string text, const std::string& part, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += by.size())
    text.replace(at, part.size(), by);
  return text;
}

ReadOptions with(std::string query) {
  ReadOptions how;
  how.sql = std::move(query);
  return how;
}

// Checks that two tables have the same rows and that their numbers have the same bits.
void expect_same(const Table& a, const Table& b, const Strings& numbers, const Strings& texts = {}) {
  ASSERT_EQ(a.rows(), b.rows());
  for (const std::string& column : numbers)
    for (std::size_t r = 0; r < a.rows(); ++r)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(a.numbers(column)[r]),
                std::bit_cast<std::uint64_t>(b.numbers(column)[r]))
          << column << ' ' << r;
  for (const std::string& column : texts) EXPECT_EQ(copy(a.texts(column)), copy(b.texts(column))) << column;
}

class Sqlite : public ::testing::Test {
 protected:
  std::string file(const std::string& name = "clinic.db") const { return (folder_.path / name).string(); }
  std::string connection() const { return "sqlite://" + file(); }

  void run(const std::string& statements) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(file().c_str(), &database), SQLITE_OK);
    char* problem = nullptr;
    EXPECT_EQ(sqlite3_exec(database, statements.c_str(), nullptr, nullptr, &problem), SQLITE_OK) << problem;
    sqlite3_free(problem);
    sqlite3_close(database);
  }

  std::string fault(const std::string& query, const TableOptions& columns = {}) const {
    return replaced(error_of([&] { read_data(connection(), columns, with(query)); }), file(), "FILE");
  }

  ScratchFolder folder_;
};

TEST_F(Sqlite, GivesTheSameTableAsCsv) {
  run("CREATE TABLE patients (age INTEGER, chol REAL, sex TEXT);"
      "INSERT INTO patients VALUES (61, 0.30000000000000004, 'f'), (47, 5e-324, 'm'), (9007199254740993, "
      "-1e300, 'f')");
  const Scratch csv("age,chol,sex\n61,0.30000000000000004,f\n47,5e-324,m\n9007199254740993,-1e300,f\n");
  const TableOptions columns{.text_columns = {"sex"}};
  const Table from_file = read_data(csv.path(), columns);
  expect_same(read_data(connection(), columns, with("SELECT age, chol, sex FROM patients ORDER BY rowid")),
              from_file, {"age", "chol"}, {"sex"});
  // A single table needs no query. A database file is also recognised by its content.
  expect_same(read_data(connection(), columns), from_file, {"age", "chol"}, {"sex"});
  expect_same(read_data(file(), columns), from_file, {"age", "chol"}, {"sex"});
}

TEST_F(Sqlite, EveryValueHasItsOwnType) {
  run("CREATE TABLE t (n INTEGER, x, code);"
      "INSERT INTO t VALUES (1.5, '2.5', 9007199254740993), ('3', 4, 12), (5, 6.25, 'A')");
  const Table table = read_data(connection(), {.text_columns = {"code"}});
  EXPECT_EQ(copy(table.numbers("n")), (Doubles{1.5, 3, 5}));
  EXPECT_EQ(copy(table.numbers("x")), (Doubles{2.5, 4, 6.25}));
  EXPECT_EQ(copy(table.texts("code")), (Strings{"9007199254740993", "12", "A"}));  // every digit
  EXPECT_EQ(fault(""),
            "sqlite://FILE, row 3, column \"code\": the cell \"A\" is not a number; use `categorical=code` "
            "if these are categories, write numbers, or leave the column out.");
}

TEST_F(Sqlite, MissingCellsAndMarksAreThoseOfFiles) {
  run("CREATE TABLE t (x, y); INSERT INTO t VALUES (1.5, '2,5'), (NULL, 3), (4, 'NA'), (7, 8)");
  ReadOptions how;
  EXPECT_NE(error_of([&] {
              read_data(connection(), {.only = {"x"}}, how);
            }).find("row 2, column \"x\": the cell \"NULL\" is a missing value"),
            std::string::npos);
  how.missing = Missing::drop;
  how.decimal_comma = true;  // applies to texts only
  const Table table = read_data(connection(), {}, how);
  EXPECT_EQ(copy(table.numbers("x")), (Doubles{1.5, 7}));
  EXPECT_EQ(copy(table.numbers("y")), (Doubles{2.5, 8}));
  EXPECT_EQ(table.dropped(), 2u);
  EXPECT_EQ(table.where(1, "y"), connection() + ", row 4, column \"y\"");
}

TEST_F(Sqlite, WithoutAQueryThereMustBeOneTable) {
  run("VACUUM");
  EXPECT_EQ(fault(""), "sqlite://FILE: there is no table in this database; check that it is the right one.");
  run("CREATE TABLE \"my \"\"own\" (x INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO \"my \"\"own\" VALUES "
      "(1), (2)");
  EXPECT_EQ(read_data(connection()).rows(), 2u);
  run("CREATE VIEW b AS SELECT 1");
  EXPECT_EQ(
      fault(""),
      "sqlite://FILE: there are several tables (\"b\", \"my \"\"own\"); choose what to read with `sql`, "
      "such as SELECT * FROM \"b\".");
}

TEST_F(Sqlite, RefusesWhatIsNoQuery) {
  run("CREATE TABLE t (x, y, scan BLOB); INSERT INTO t VALUES (1, 2, x'00')");
  const std::string before = content(file());
  const std::string advice = "; correct `sql` (a single SELECT).";
  const std::string start = "sqlite://FILE: the query cannot be run: ";
  EXPECT_EQ(fault("SELECT 'ü', nam FROM t"), start + "no such column: nam (at character 13)" + advice);
  EXPECT_EQ(fault("SELEC x"), start + "near \"SELEC\": syntax error (at character 1)" + advice);
  EXPECT_EQ(fault("SELECT x FROM other"), start + "no such table: other" + advice);
  const std::string reads = "it must be a SELECT, which reads rows and changes nothing",
                    single = "it must be a single statement";
  for (const char* query : {"DELETE FROM t", "DELETE FROM t RETURNING x", "VACUUM INTO '/tmp/never'",
                            "ATTACH '/tmp/never' AS a", "-- nothing", " "})
    EXPECT_EQ(fault(query), start + reads + advice) << query;
  EXPECT_EQ(fault("SELECT x FROM t; DROP TABLE t"), start + single + advice);
  EXPECT_EQ(read_data(connection(), {}, with("SELECT x FROM t; -- all of them")).rows(), 1u);
  EXPECT_EQ(read_data(connection(), {},
                      with("WITH w AS (SELECT x FROM t) SELECT x AS \"a:b\" FROM w WHERE x <> ':y'"))
                .rows(),
            1u);
  EXPECT_EQ(read_data(connection(), {}, with("VALUES (1, 2), (3, 4)")).rows(), 2u);
  EXPECT_EQ(fault("SELECT x FROM t WHERE x > 1"),
            "sqlite://FILE: the query returns no rows; check its conditions.");
  EXPECT_EQ(fault("SELECT x, y AS x FROM t"),
            "sqlite://FILE: two columns of the query result are called \"x\"; rename one of them with AS.");
  EXPECT_EQ(fault("SELECT x FROM t", {.only = {"y"}}),
            "sqlite://FILE: there is no column \"y\"; the only column is \"x\".");
  EXPECT_EQ(fault("SELECT * FROM t"),
            "sqlite://FILE, column \"scan\": values of type blob cannot be read; leave the column out "
            "of the query, or cast it, such as CAST(x AS TEXT).");
  EXPECT_EQ(read_data(connection(), {.only = {"x"}}, with("SELECT * FROM t")).rows(),
            1u);  // columns that are not read may contain anything
  EXPECT_EQ(content(file()), before);
  EXPECT_FALSE(std::filesystem::exists("/tmp/never"));
}

TEST_F(Sqlite, RefusesWhatIsNoDatabase) {
  EXPECT_EQ(fault(""), "sqlite://FILE: there is no file FILE; check the path.");
  EXPECT_FALSE(std::filesystem::exists(file()));
  folder_.write("clinic.db", "x,y\n1,2\n" + std::string(2000, ' '));
  EXPECT_EQ(fault(""),
            "sqlite://FILE: this is not a SQLite database; for a file of another format, omit sqlite://.");
  EXPECT_NE(error_of([&] { read_data("sqlite://" + folder_.path.string()); }).find("is not a file"),
            std::string::npos);
  EXPECT_NE(error_of([&] { read_data("sqlite://"); }).find("the path is missing"), std::string::npos);
}

TEST_F(Sqlite, OnlyDatabasesHaveQueries) {
  const Scratch csv("x\n1\n");
  EXPECT_EQ(
      replaced(error_of([&] { read_data(csv.path(), {}, with("SELECT 1")); }), csv.path().string(), "FILE"),
      "FILE: this is not a database, so a query does not apply; leave `sql` out.");
}

TEST_F(Sqlite, ReadsFromFoldersWithSpaces) {
  std::filesystem::create_directory(folder_.path / "my  own = data");
  run("CREATE TABLE t (x); INSERT INTO t VALUES (1)");
  const auto moved = folder_.path / "my  own = data" / "a b.db";
  std::filesystem::rename(file(), moved);
  EXPECT_EQ(read_data("sqlite://" + moved.string()).rows(), 1u);
}

TEST(DatabaseName, HasNoPasswordAndNoOptions) {
  EXPECT_EQ(database_name("postgresql://ann@db.example:5432/clinic?sslmode=require"),
            "postgresql://ann@db.example:5432/clinic");
  EXPECT_EQ(database_name("postgres://ann:secret@db/clinic?x=y"), "postgres://ann@db/clinic");
  EXPECT_EQ(database_name("postgres://ann:se/c:r@et@db/clinic"), "postgres://ann@db/clinic");
  EXPECT_EQ(database_name("postgres://ann:s@e?cr@db/clinic"), "postgres://ann");
  EXPECT_EQ(database_name("postgres://ann@db:5432/clinic?password=s@e"), "postgres://ann@db");
  EXPECT_EQ(database_name("postgres://db/clinic?password=s@e"), "postgres://db/clinic");
  EXPECT_EQ(database_name("postgresql://"), "postgresql://");
  EXPECT_FALSE(is_database("a/postgresql:/x"));
  EXPECT_TRUE(is_database("postgres://x"));
}

#define NEEDS_SERVER                      \
  if (PostgresServer::programs().empty()) \
  GTEST_SKIP() << "there is no PostgreSQL server under /usr/lib/postgresql"

class Postgresql : public ::testing::Test {
 protected:
  void SetUp() override {
    NEEDS_SERVER;
    server_ = std::make_unique<PostgresServer>();
    set_password(PostgresServer::owner_password());
  }
  void TearDown() override { set_password(""); }
  static void set_password(const std::string& password) {
    if (password.empty())
      unsetenv("TACIT_SQL_PASSWORD");
    else
      setenv("TACIT_SQL_PASSWORD", password.c_str(), 1);
  }
  std::string fault(const std::string& query, const TableOptions& columns = {}) const {
    return fault_of(server_->connection(), with(query), columns);
  }
  // No error of any kind may reveal the password.
  template <class Kind = InputError>
  static std::string fault_of(const std::string& connection, const ReadOptions& how,
                              const TableOptions& columns = {}) {
    std::string message = error_of<Kind>([&] { read_data(connection, columns, how); });
    EXPECT_EQ(message.find("canary"), message.npos) << message;
    return replaced(message, database_name(connection), "DB");
  }

  std::unique_ptr<PostgresServer> server_;
};

TEST_F(Postgresql, GivesTheSameTableAsCsv) {
  server_->run(
      "CREATE TYPE stage AS ENUM ('early', 'late');"
      "CREATE TABLE p (a int2, b int4, c int8, d float4, e float8, f numeric(30, 20), g bool, h text, i "
      "varchar(9), j char(3), k stage, l date, "
      "m timestamp, n uuid, note json);"
      "INSERT INTO p VALUES "
      "(1, -2, 9007199254740993, 0.1, 0.1::float8 + 0.2::float8, 0.12345678901234567890, true, 'x', "
      "'tab\there', 'ab', 'late', "
      "'2020-01-31', '2020-01-31 12:30:00', '00000000-0000-0000-0000-000000000001', '{}'),"
      "(3, 4, -5, 1e30, 5e-324, 1000, false, '12', 'ü', 'abc', 'early', '1999-12-01', '1999-12-01', "
      "'00000000-0000-0000-0000-00000000000a', NULL)");
  const Scratch csv(
      "a,b,c,d,e,f,g,h,i,j,k,l,m,n\n"
      "1,-2,9007199254740993,0.1,0.30000000000000004,0.12345678901234567890,1,x,tab\there,ab,late,2020-01-31,"
      "2020-01-31 12:30:00,00000000-0000-0000-0000-000000000001\n"
      "3,4,-5,1e30,5e-324,1000,0,12,ü,abc,early,1999-12-01,1999-12-01 "
      "00:00:00,00000000-0000-0000-0000-00000000000a\n");
  const Strings numbers{"a", "b", "c", "d", "e", "f", "g"}, texts{"h", "i", "j", "k", "l", "m", "n"};
  const TableOptions columns{.text_columns = texts, .only = numbers};
  const Table from_file = read_data(csv.path(), columns, {.delimiter = ','});
  expect_same(read_data(server_->connection(), columns, with("SELECT * FROM p ORDER BY b")), from_file,
              numbers, texts);
  expect_same(read_data(server_->connection(), columns), from_file, numbers, texts);  // the only table
  server_->run(
      "ALTER DATABASE postgres SET datestyle = 'German'; ALTER DATABASE postgres SET extra_float_digits = 0");
  expect_same(read_data(server_->connection(), columns), from_file, numbers, texts);
}

TEST_F(Postgresql, MissingCellsAreThoseOfFilesOverManyBlocksOfRows) {
  ReadOptions how = with(
      "SELECT i AS x, CASE WHEN i % 5000 = 0 THEN NULL ELSE i / 8.0 END AS y FROM generate_series(1, 20001) "
      "i");
  EXPECT_EQ(fault_of(server_->connection(), how).substr(0, 110),
            "DB, column \"y\": 4 cells are missing values (\"NULL\" in row 5000, \"NULL\" in row 10000, "
            "\"NULL\" in row 15000, ...)");
  how.missing = Missing::drop;
  const Table table = read_data(server_->connection(), {}, how);
  ASSERT_EQ(table.rows(), 19997u);  // over several blocks of rows, in order
  EXPECT_EQ(table.dropped(), 4u);
  for (std::size_t r = 0; r < table.rows(); ++r) EXPECT_EQ(table.numbers("y")[r], table.numbers("x")[r] / 8);
  EXPECT_EQ(table.line_of(19996), 20001u);
  how = with("SELECT 'NaN'::float8 AS x");
  EXPECT_NE(fault_of(server_->connection(), how).find("a missing value"), std::string::npos);
  EXPECT_NE(fault("SELECT 'Infinity'::numeric AS x").find("is infinite"), std::string::npos);
  EXPECT_EQ(fault("SELECT 1 AS x WHERE false"), "DB: the query returns no rows; check its conditions.");
}

TEST_F(Postgresql, DatesAreThoseOfFiles) {
  ReadOptions how = with(
      "SELECT DATE '2024-03-04' AS a, TIMESTAMP '2024-03-04 12:00' AS b, "
      "TIMESTAMPTZ '2024-03-04 12:00+02' AS c, '2024-03-04'::text AS d");
  for (const char* column : {"a", "b", "c", "d"}) how.dates.push_back({column, "2024-03-01", {"weekday"}});
  for (const char* zone : {"UTC", "Europe/Berlin", "Asia/Kolkata"}) {
    server_->run(std::string("ALTER DATABASE postgres SET timezone = '") + zone + "'");
    const Table table = read_data(server_->connection(), {}, how);
    EXPECT_EQ(table.numbers("a")[0], 3);
    EXPECT_EQ(table.numbers("b")[0], 3.5);
    EXPECT_NEAR(table.numbers("c")[0], 3 + 10.0 / 24, 1e-9) << zone;
    EXPECT_EQ(table.numbers("d")[0], 3);
    for (const char* column : {"a.weekday", "b.weekday", "c.weekday", "d.weekday"})
      EXPECT_EQ(table.numbers(column)[0], 1);
  }
}

TEST_F(Postgresql, RefusesWhatIsNoQueryAndChangesNothing) {
  EXPECT_EQ(fault(""), "DB: there is no table in this database; check that it is the right one.");
  server_->run(
      "CREATE TABLE t (x int, \"Y z\" int); INSERT INTO t VALUES (1, 2); CREATE SCHEMA s; CREATE TABLE s.u "
      "(v int)");
  EXPECT_EQ(
      fault(""),
      "DB: there are several tables (s.u, t); choose what to read with `sql`, such as SELECT * FROM s.u.");
  const std::string start = "DB: the query cannot be run: ", end = "; correct `sql` (a single SELECT).";
  EXPECT_EQ(fault("SELECT x, X2 FROM t"), start +
                                              "column \"x2\" does not exist (at character 11); Perhaps you "
                                              "meant to reference the column \"t.x\"" +
                                              end);
  EXPECT_EQ(fault("SELECT 'ü', x, a FROM t"), start + "column \"a\" does not exist (at character 16)" + end);
  EXPECT_EQ(fault("SELECT x FROM nobody"),
            start + "relation \"nobody\" does not exist (at character 15)" + end);
  EXPECT_EQ(fault("DELETE FROM t"), start + "syntax error at or near \"DELETE\" (at character 1)" + end);
  EXPECT_EQ(fault("SELECT 1 / (x - 1) AS x FROM t"), start + "division by zero" + end);
  for (const char* query :
       {"SELECT x FROM t; DROP TABLE t", "SELECT x FROM t; COMMIT; DROP TABLE t",
        "WITH gone AS (DELETE FROM t RETURNING x) SELECT x FROM gone", "SELECT x INTO u FROM t",
        "SELECT x FROM t FOR UPDATE", "COPY t TO STDOUT", "SELECT setval('a', 1)"})
    EXPECT_EQ(fault(query).substr(0, start.size()), start) << query;
  for (const char* query :
       {"SELECT x FROM t;", "TABLE t", "VALUES (1, 2)", "WITH a AS (SELECT x FROM t) SELECT x FROM a",
        "SELECT (ARRAY[[x], [2]])[1:1] IS NULL AS a, x::float8, '0:no' <> '' AS \"b:c\" FROM t -- isn't a "
        ":name\n"})
    EXPECT_EQ(read_data(server_->connection(), {}, with(query)).rows(), 1u) << query;
  EXPECT_EQ(fault("SELECT x, x FROM t"),
            "DB: two columns of the query result are called \"x\"; rename one of them with AS.");
  EXPECT_EQ(fault("SELECT x FROM t", {.only = {"y"}}),
            "DB: there is no column \"y\"; the only column is \"x\".");
}

TEST_F(Postgresql, RefusesTypesThatAreNoCells) {
  const auto of = [&](const std::string& value) { return fault("SELECT " + value + " AS v"); };
  const std::string start = "DB, column \"v\": values of type ",
                    leave = " cannot be read; leave the column out of the query, or ";
  EXPECT_EQ(
      of("'{}'::json"),
      start + "json" + leave + "cast it to a number or a text, for example (x->>'key')::numeric for json.");
  EXPECT_EQ(
      of("'a'::bytea"),
      start + "bytea" + leave + "cast it to a number or a text, for example (x->>'key')::numeric for json.");
  EXPECT_EQ(of("ARRAY[1]"), start + "integer[]" + leave + "select one of its elements, for example x[1].");
  EXPECT_EQ(of("'1 day'::interval"),
            start + "interval" + leave + "convert it to a number, for example extract(epoch FROM x).");
  EXPECT_EQ(of("1::money"), start + "money" + leave + "cast it, for example x::numeric.");
}

TEST_F(Postgresql, PasswordsComeFromTheEnvironmentOrAFile) {
  const ScratchFolder folder;
  ReadOptions how = with("SELECT 1 AS x");
  const std::string right = PostgresServer::owner_password(), open = server_->connection();
  EXPECT_EQ(fault_of(open, how), "");
  set_password("canary");
  EXPECT_EQ(replaced(fault_of(open, how), open.substr(open.find("host=") + 5), "FOLDER"),
            "DB: no connection to the database: connection to server on socket \"FOLDER/.s.PGSQL.5432\" "
            "failed: FATAL: password "
            "authentication failed for user \"owner\"; check the user, and put the correct password into the "
            "environment variable "
            "TACIT_SQL_PASSWORD or into a file for `password_file`.");
  set_password("");
  EXPECT_NE(fault_of(open, how).find("no password supplied; check the user, and put the correct password"),
            std::string::npos);

  how.password_file = folder.write("password", right + "\n");
  ::chmod(how.password_file.c_str(), 0640);
  EXPECT_EQ(replaced(fault_of(open, how), how.password_file.string(), "FILE"),
            "FILE: other users can read this secret (mode 640); run chmod 600 FILE");
  ::chmod(how.password_file.c_str(), 0600);
  EXPECT_EQ(fault_of(open, how), "");
  how.password_file = folder.write("empty", "\n");
  ::chmod(how.password_file.c_str(), 0600);
  EXPECT_NE(fault_of(open, how).find("there is no password in this file"), std::string::npos);
  how.password_file = folder.path / "none";
  EXPECT_NE(fault_of(open, how).find("cannot be read: No such file"), std::string::npos);
  how.password_file.clear();

  setenv("PGPASSWORD", right.c_str(), 1);
  EXPECT_EQ(fault_of(open, how), "");
  unsetenv("PGPASSWORD");
  const std::string refused =
      "DB: the connection contains a password, which other users could see; put it into the environment "
      "variable TACIT_SQL_PASSWORD or into a file for `password_file`.";
  for (const char* connection :
       {"postgresql://ann:canary@db/clinic", "postgres://ann@db/clinic?password=canary",
        "postgresql://ann@db/clinic?sslpassword=canary", "postgresql://ann:a%zzcanary@db",
        "postgresql://ann:a canary@[db", "postgresql://ann@db:x?passwort=password%canary"})
    EXPECT_EQ(fault_of(connection, how), refused) << connection;
  EXPECT_EQ(fault_of("postgresql://ann@db/clinic?sslmod=require", how),
            "DB: PostgreSQL does not accept this connection (invalid URI query parameter: \"sslmod\"); write "
            "postgresql://user@host:5432/database?sslmode=require.");
}

TEST_F(Postgresql, ReportsWhyThereIsNoConnection) {
  const ReadOptions how = with("SELECT 1 AS x");
  const std::string nowhere = fault_of(server_->connection("owner", "nowhere"), how);
  EXPECT_NE(
      nowhere.find("database \"nowhere\" does not exist; check the user and the database in the connection."),
      std::string::npos)
      << nowhere;
  EXPECT_EQ(fault_of("postgresql://owner@localhost/x?sslmode=requir", how),
            "DB: no connection to the database: invalid sslmode value: \"requir\"; check sslmode and "
            "sslrootcert in the connection, and that the server supports TLS.");
  const ScratchFolder folder;
  const std::string absent =
      fault_of<Error>("postgresql://owner@/postgres?host=" + folder.path.string(), how);
  EXPECT_NE(
      absent.find("failed: No such file or directory; check host and port, and that the server is running."),
      std::string::npos)
      << absent;

  // A server that accepts the connection but never answers.
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  (folder.path / ".s.PGSQL.5432").string().copy(address.sun_path, sizeof address.sun_path - 1);
  const int silent = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(silent, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(listen(silent, 5), 0);
  const std::string late =
      fault_of<Error>("postgresql://owner@/postgres?connect_timeout=2&host=" + folder.path.string(), how);
  close(silent);
  EXPECT_NE(late.find("timeout expired; check host and port; to wait for a minute, add connect_timeout=60 to "
                      "the connection."),
            std::string::npos)
      << late;
}

TEST_F(Postgresql, AQueryMustEnd) {
  const std::string quick = server_->connection() + "&options=-c%20statement_timeout%3D100ms";
  EXPECT_EQ(fault_of(quick, with("SELECT 1 AS x FROM pg_sleep(3600)")),
            "DB: the server cancelled the query: canceling statement due to statement timeout; read less, "
            "or allow more time with options=-c%20statement_timeout%3D1h in the connection.");
  EXPECT_EQ(fault_of(server_->connection() + "&options=-c%20statement_timeout%3D1h", with("SELECT 1 AS x")),
            "");
  const Table usual = read_data(
      server_->connection(), {.text_columns = {"t", "r"}},
      with(
          "SELECT current_setting('statement_timeout') AS t, current_setting('transaction_read_only') AS r"));
  EXPECT_EQ(usual.texts("t")[0], "10min");
  EXPECT_EQ(usual.texts("r")[0], "on");
}

// The server's process is stopped while the operating system still acknowledges packets. It is continued
// later so that the server can be shut down.
TEST_F(Postgresql, AServerThatStandsStillIsGivenUp) {
  server_->run(
      "CREATE FUNCTION freeze() RETURNS int LANGUAGE plpgsql AS $body$ BEGIN COPY (SELECT 1) TO PROGRAM "
      "'(sleep 8; kill -CONT $PPID) > /dev/null 2>&1 & kill -STOP $PPID'; RETURN 1; END $body$");
  const std::string quick = server_->connection() + "&options=-c%20statement_timeout%3D100ms";
  EXPECT_EQ(
      fault_of<Error>(quick, with("SELECT freeze() AS x")),
      "DB: the database accepted the query but did not answer within 2.1 s (its statement_timeout plus 10 %, "
      "at least 2 s more); it hangs or was stopped; check the server, then try again.");
}

}  // namespace
}  // namespace tacit
