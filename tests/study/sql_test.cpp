// Rows from databases: simulate and agents give bitwise the same answers as with a file of the same rows, and
// no output contains a password.
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <sstream>

#include "agents_testing.hpp"
#include "program_json_testing.hpp"
#include "refused_testing.hpp"
#include "tacit/table/sql/postgres_server_testing.hpp"

namespace tacit::testing {
namespace {

const std::string diabetes = TACIT_SOURCE_DIR "/data/diabetes.csv";

#define NEEDS_SERVER                      \
  if (PostgresServer::programs().empty()) \
  GTEST_SKIP() << "there is no PostgreSQL server under /usr/lib/postgresql"

// Returns statements that create a table with a file's numbers and number the rows by id.
std::string as_sql(const std::string& csv, const std::string& table) {
  std::istringstream lines(csv);
  std::string names, line, columns, rows;
  std::getline(lines, names);
  std::istringstream all(names);
  for (std::string name; std::getline(all, name, ',');) columns += name + " double precision, ";
  for (int id = 1; std::getline(lines, line); ++id)
    rows += (id == 1 ? "(" : ",\n(") + line + ", " + std::to_string(id) + ")";
  return "CREATE TABLE " + table + " (" + columns + "id integer);\nINSERT INTO " + table + " VALUES " + rows +
         ";\n";
}

void run_sqlite(const std::string& file, const std::string& statements) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, statements.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(database);
  sqlite3_close(database);
}

std::vector<std::string> simulate(const std::string& data, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {
      "simulate", "--data", data,     "--target", "y",           "--inputs", "age,sex,bmi,bp,s5",
      "--agents", "5",      "--tune", "none",     "--landmarks", "0"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

void expect_same(const Json& got, const Json& expected) {
  for (const char* same : {"inputs", "predictions", "accuracy", "plan"})
    EXPECT_EQ(got[same], expected[same]) << same;
}

TEST(Sql, SqliteGivesTheSamePredictionsAsCsv) {
  const Folder folder;
  const std::string file = folder.path("clinic.db"), connection = "sqlite://" + file;
  run_sqlite(file, as_sql(content(diabetes), "patients"));
  const Json expected = run_json(simulate(diabetes));
  const Json got = run_json(simulate(connection, {"--sql", "SELECT * FROM patients ORDER BY id"}));
  expect_same(got, expected);
  EXPECT_EQ(got["data"]["files"][0]["file"], connection);
  expect_same(run_json(simulate(connection)), expected);  // the database has only one table
  expect_same(run_json(simulate(file)), expected);        // recognised by its content

  // The order of rows matters. --sql does not apply to a file given together with a database.
  EXPECT_NE(run_json(simulate(connection, {"--sql", "SELECT * FROM patients ORDER BY y"}))["predictions"],
            expected["predictions"]);
  const std::string few =
      folder.write("few.csv", content(diabetes).substr(0, content(diabetes).find('\n', 200) + 1));
  expect_same(run_json(simulate(connection, {"--test", few, "--sql", "SELECT * FROM patients ORDER BY id"})),
              run_json(simulate(diabetes, {"--test", few})));

  run_sqlite(file, "CREATE TABLE visits (id)");
  check_refused(run_tacit(simulate(connection)),
                {connection, "several tables (\"patients\", \"visits\")", "--sql"});
  check_refused(run_tacit(simulate(connection, {"--sql", "SELECT * FROM patient"})),
                {"no such table: patient; correct --sql"});
  check_refused(run_tacit(simulate(connection, {"--sql", "SELECT age FROM patients"})), {"no column"});
  check_refused(run_tacit(simulate(diabetes, {"--sql", "SELECT 1"})), {"leave --sql out"});
  check_refused(run_tacit(simulate("sqlite://" + folder.path("none.db"))), {"there is no file"});
}

TEST(Sql, PostgresqlGivesTheSamePredictionsAsCsv) {
  NEEDS_SERVER;
  const PostgresServer server;
  server.run(as_sql(content(diabetes), "patients"));
  const std::string connection = server.connection();
  auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--sql", "SELECT * FROM patients ORDER BY id"});
    return simulate(connection, more);
  };
  const Json expected = run_json(simulate(diabetes));

  setenv("TACIT_SQL_PASSWORD", server.owner_password().c_str(), 1);
  const Json got = run_json(with({}));
  unsetenv("TACIT_SQL_PASSWORD");
  expect_same(got, expected);
  EXPECT_EQ(got["data"]["files"][0]["file"], "postgresql://owner@/postgres");
  EXPECT_EQ(got.dump().find("canary"), std::string::npos);

  const Folder folder;
  const std::string file = folder.write("password", server.owner_password() + "\n");
  chmod(file.c_str(), 0644);
  check_refused(run_tacit(with({"--password-file", file})),
                {"other users can read this secret (mode 644); run chmod 600"});
  chmod(file.c_str(), 0600);
  expect_same(run_json(with({"--password-file", file})), expected);
  expect_same(run_json(with({"--password-file", file, "--stream"})), expected);

  // The shares are read one after the other, as ranks divide them.
  const auto asked = [&](const std::string& query, const std::vector<std::string>& more) {
    std::vector<std::string> words = simulate(connection, {"--password-file", file, "--sql", query});
    words.insert(words.end(), more.begin(), more.end());
    return run_json(words);
  };
  const Json whole = asked("SELECT * FROM patients ORDER BY id % 3, id", {});
  const std::string by_shares = "SELECT * FROM patients WHERE id % {shares} = {share} ORDER BY id";
  expect_same(asked(by_shares, {"--shares", "3"}), whole);
  expect_same(asked(by_shares, {"--shares", "3", "--stream"}), whole);
  EXPECT_NE(whole["predictions"], expected["predictions"]);

  check_refused(run_tacit(with({})), {"no password supplied", "TACIT_SQL_PASSWORD", "--password-file"});
  const Output in_connection = run_tacit(simulate("postgresql://owner:canary@localhost/postgres"));
  check_refused(in_connection, {"the connection contains a password"});
  EXPECT_EQ(in_connection.err.find("canary"), std::string::npos) << in_connection.err;
  EXPECT_EQ(run_tacit(simulate("postgresql://owner@/postgres?host=" + folder.path(""))).exit_code,
            1);  // the server may start later
}

class SqlConsortium : public Consortium {
 protected:
  // Configures an agent to read its rows from a database.
  void take_from(std::size_t i, const std::string& section) {
    std::string config = content(at(names[i], "agent.toml"));
    const std::string file = "data = \"data.csv\"\n";
    config.erase(config.find(file), file.size());
    folder.write(names[i] + "/agent.toml", config + "[data]\n" + section);
  }
};

TEST_F(SqlConsortium, AnAgentsRowsAreTheSameFromADatabase) {
  NEEDS_SERVER;
  ASSERT_NO_FATAL_FAILURE(start_all());
  ASSERT_EQ(ask(0, {"fit"}).exit_code, 0);
  const std::vector<std::string> predict = {"predict", "--together", "--input", folder.path("points.csv")};
  const std::string before = ask(0, predict).out;

  // Agents with other rows than those of the fit would refuse to take part.
  auto server = std::make_unique<PostgresServer>();
  server->run(as_sql(content(at("b", "data.csv")), "visits"));
  run_sqlite(at("c", "clinic.db"), as_sql(content(at("c", "data.csv")), "visits"));
  const std::string query = "sql = \"SELECT x, z FROM visits ORDER BY id\"\n";
  for (const std::size_t i : {1u, 2u}) EXPECT_EQ(agents[i]->end(SIGTERM), 0) << log(i);
  take_from(1, "connection = \"" + server->connection() + "\"\npassword_file = \"password\"\n" + query);
  take_from(2, "connection = \"sqlite://clinic.db\"\n" + query);
  chmod(folder.write("b/password", server->owner_password()).c_str(), 0600);
  const Output check = run_tacit({"agent", "--config", at("b", "agent.toml"), "--check"});
  EXPECT_EQ(check.exit_code, 0) << check.out;
  EXPECT_NE(check.out.find("data: postgresql://owner@/postgres has 25 rows"), std::string::npos) << check.out;
  EXPECT_EQ((check.out + check.err).find("canary"), std::string::npos);
  for (const std::size_t i : {1u, 2u}) start(i);
  for (const std::size_t i : {0u, 1u, 2u, 3u})
    ASSERT_TRUE(wait_until([&] { return neighbours_up(i) == 3; })) << log(i);
  const Output again = ask(0, predict);
  EXPECT_EQ(again.exit_code, 0) << again.err << log(1) << log(2);
  EXPECT_EQ(again.out, before);

  // Without the server the agent does not start. Exit code 1 means that a later start may succeed. The log
  // does not contain the password.
  EXPECT_EQ(agents[1]->end(SIGTERM), 0);
  server.reset();
  start(1);
  ASSERT_TRUE(wait_until([&] { return !agents[1]->running(); }));
  EXPECT_EQ(agents[1]->end(SIGTERM), 1) << log(1);
  EXPECT_NE(log(1).find("no connection to the database"), std::string::npos) << log(1);
  EXPECT_EQ(log(1).find("canary"), std::string::npos) << log(1);
}

}  // namespace
}  // namespace tacit::testing
