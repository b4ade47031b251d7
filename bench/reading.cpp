// Reads a table of a million rows and nine columns from CSV, compressed CSV and databases, and splits it
// among agents. Prints seconds and peak memory, also relative to the size of the numbers. Each measurement is
// a separate process, because peak memory is counted per process.
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <random>
#include <string>

#include "ratio.hpp"
#include "tacit/lab/study/parties/parties.hpp"
#include "tacit/table/read_data.hpp"
#include "tacit/table/sql/postgres_server_testing.hpp"

using namespace tacit;

namespace {

constexpr std::size_t rows = 1'000'000, columns = 9;

// Writes the same table as CSV, compressed CSV and SQLite, with numbers of about six digits, as in
// measurements.
void write(const std::string& plain, const std::string& packed, const std::string& lite) {
  std::FILE* file = std::fopen(plain.c_str(), "wb");
  gzFile gz = gzopen(packed.c_str(), "wb6");
  sqlite3* database = nullptr;
  sqlite3_stmt* insert = nullptr;
  sqlite3_open(lite.c_str(), &database);
  sqlite3_exec(database, "CREATE TABLE t (x1, x2, x3, x4, x5, x6, x7, x8, y); BEGIN", nullptr, nullptr,
               nullptr);
  sqlite3_prepare_v2(database, "INSERT INTO t VALUES (?,?,?,?,?,?,?,?,?)", -1, &insert, nullptr);
  auto both = [&](const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), file);
    gzwrite(gz, text.data(), static_cast<unsigned>(text.size()));
  };
  both("x1,x2,x3,x4,x5,x6,x7,x8,y\n");
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (std::size_t r = 0; r < rows; ++r) {
    std::string line;
    for (std::size_t c = 0; c < columns; ++c) {
      const std::string number = fmt::format("{:.6g}", normal(random));
      line += (c ? "," : "") + number;
      sqlite3_bind_double(insert, static_cast<int>(c) + 1, std::stod(number));
    }
    both(line + "\n");
    sqlite3_step(insert);
    sqlite3_reset(insert);
  }
  std::fclose(file);
  gzclose(gz);
  sqlite3_finalize(insert);
  sqlite3_exec(database, "COMMIT", nullptr, nullptr, nullptr);
  sqlite3_close(database);
}

void measure(const char* what, const std::function<void()>& work) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const double seconds = bench::seconds_of(work);
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const double megabytes = static_cast<double>(used.ru_maxrss) * 1024 / 1e6;
    std::printf("%-40s %6.2f s %7.0f MB at most, %.2f times the size of the numbers\n", what, seconds,
                megabytes, megabytes * 1e6 / static_cast<double>(rows * columns * sizeof(double)));
    std::fflush(stdout);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
}

}  // namespace

int main() {
  const auto folder = std::filesystem::temp_directory_path();
  const std::string plain = (folder / fmt::format("tacit-reading-{}.csv", getpid())).string();
  const std::string packed = plain + ".gz", lite = plain + ".db";
  write(plain, packed, lite);
  std::printf("1,000,000 rows of 9 columns: %.0f MB as CSV, %.0f MB packed, %.0f MB as numbers\n",
              static_cast<double>(std::filesystem::file_size(plain)) / 1e6,
              static_cast<double>(std::filesystem::file_size(packed)) / 1e6,
              static_cast<double>(rows * columns * sizeof(double)) / 1e6);
  measure("read CSV", [&] { read_data(plain); });
  measure("read CSV, packed", [&] { read_data(packed); });
  measure("read CSV and deal it to 100 agents", [&] {
    PartyOptions options;
    options.data = {plain};
    options.targets = {"y"};
    options.agents = 100;
    gather_parties(options);
  });
  measure("read SQLite", [&] { read_data(lite); });
  if (!tacit::testing::PostgresServer::programs().empty()) {
    const tacit::testing::PostgresServer server;
    server.run(
        "CREATE TABLE t (x1 float8, x2 float8, x3 float8, x4 float8, x5 float8, x6 float8, x7 float8, x8 "
        "float8, y "
        "float8); COPY t FROM '" +
        plain + "' CSV HEADER");
    setenv("TACIT_SQL_PASSWORD", server.owner_password().c_str(), 1);
    measure("read PostgreSQL", [&] { read_data(server.connection()); });
  }
  for (const std::string& file : {plain, packed, lite}) std::filesystem::remove(file);
}
