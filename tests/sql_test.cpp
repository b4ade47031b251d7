// Rows from databases: simulate gives the same bits as from a file of the same rows, and nobody gets to see a
// password.
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <fstream>
#include <memory>

#include "program_json.hpp"
#include "refused.hpp"
#include "tacit/data/postgres_server.h"

namespace tacit::testing {
namespace {

const std::string diabetes = TACIT_SOURCE_DIR "/data/diabetes.csv";

// Statements that make a table of the rows of diabetes.csv.
std::string diabetes_sql() {
  std::ifstream lines(diabetes);
  std::string line, columns, rows;
  std::getline(lines, line);
  for (std::size_t begin = 0, end = 0; end != line.npos; begin = end + 1) {
    end = line.find(',', begin);
    columns += (columns.empty() ? "" : ", ") + line.substr(begin, end - begin) + " double precision";
  }
  while (std::getline(lines, line)) rows += (rows.empty() ? "(" : ",\n(") + line + ")";
  return "CREATE TABLE patients (" + columns + ");\nINSERT INTO patients VALUES " + rows + ";\n";
}

void run_sqlite(const std::string& file, const std::string& statements) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, statements.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(database);
  sqlite3_close(database);
}

std::vector<std::string> simulate(const std::string& data, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"simulate", "--data", data,   "--target",    "y", "--agents",
                                    "5",        "--tune", "none", "--landmarks", "0"};
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
  run_sqlite(file, diabetes_sql());
  const Json expected = run_json(simulate(diabetes));
  const Json got = run_json(simulate(connection, {"--sql", "SELECT * FROM patients ORDER BY rowid"}));
  expect_same(got, expected);
  EXPECT_EQ(got["data"]["files"][0]["file"], connection);
  expect_same(run_json(simulate(connection)), expected);  // there is one table only
  expect_same(run_json(simulate(file)), expected);

  // The order of rows matters, and a file beside the database has no query.
  EXPECT_NE(run_json(simulate(connection, {"--sql", "SELECT * FROM patients ORDER BY y"}))["predictions"],
            expected["predictions"]);
  const std::string few =
      folder.write("few.csv", content(diabetes).substr(0, content(diabetes).find('\n', 200) + 1));
  expect_same(run_json(simulate(connection, {"--test", few, "--sql", "SELECT * FROM patients"})),
              run_json(simulate(diabetes, {"--test", few})));

  run_sqlite(file, "CREATE TABLE visits (id)");
  check_refused(run_tacit(simulate(connection)),
                {connection, "several tables (\"patients\", \"visits\")", "--sql"});
  check_refused(run_tacit(simulate(connection, {"--sql", "SELECT * FROM patient"})),
                {"no such table: patient; correct --sql"});
  check_refused(run_tacit(simulate(connection, {"--sql", "SELECT age FROM patients"})),
                {"there is no column \"y\""});
  check_refused(run_tacit(simulate(diabetes, {"--sql", "SELECT 1"})), {"leave --sql out"});
  check_refused(run_tacit(simulate("sqlite://" + folder.path("none.db"))), {"there is no file"});
}

TEST(Sql, PostgresqlGivesTheSamePredictionsAsCsv) {
  if (PostgresServer::programs().empty())
    GTEST_SKIP() << "there is no PostgreSQL server under /usr/lib/postgresql";
  const PostgresServer server;
  server.run(diabetes_sql());
  server.run("ALTER TABLE patients ADD id serial");
  const std::string connection = server.connection();
  const std::vector<std::string> query = {"--sql", "SELECT * FROM patients ORDER BY id", "--inputs",
                                          "age,sex,bmi,bp,s1,s2,s3,s4,s5,s6"};
  auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), query.begin(), query.end());
    return simulate(connection, more);
  };
  const Json expected = run_json(simulate(diabetes));

  setenv("TACIT_SQL_PASSWORD", server.owner_password().c_str(), 1);
  const Json got = run_json(with({}));
  expect_same(got, expected);
  EXPECT_EQ(got["data"]["files"][0]["file"], "postgresql://owner@/postgres");
  EXPECT_EQ(got.dump().find("canary"), std::string::npos);
  unsetenv("TACIT_SQL_PASSWORD");

  const Folder folder;
  const std::string file = folder.write("password", server.owner_password() + "\n");
  chmod(file.c_str(), 0644);
  check_refused(run_tacit(with({"--password-file", file})),
                {"other users can read this secret (mode 644); run chmod 600"});
  chmod(file.c_str(), 0600);
  expect_same(run_json(with({"--password-file", file})), expected);
  check_refused(run_tacit(with({})), {"no password supplied", "TACIT_SQL_PASSWORD", "--password-file"});
  const Said in_connection = run_tacit(simulate("postgresql://owner:canary@localhost/postgres"));
  check_refused(in_connection, {"the connection holds a password"});
  EXPECT_EQ(in_connection.err.find("canary"), std::string::npos) << in_connection.err;
}

}  // namespace
}  // namespace tacit::testing
