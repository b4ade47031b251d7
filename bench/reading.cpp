// Reads a table of a million rows and nine columns, plain and packed, and deals it to agents. Prints seconds
// and the most memory that was ever held, beside that of the numbers themselves. Each reading is a process of
// its own, as memory that was once held stays counted.
#include <fmt/format.h>
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
#include "tacit/data/parties.hpp"
#include "tacit/data/read_data.hpp"

using namespace tacit;

namespace {

constexpr std::size_t rows = 1'000'000, columns = 9;

// The same text plain and packed, with numbers of about six digits, as measurements are.
void write(const std::string& plain, const std::string& packed) {
  std::FILE* file = std::fopen(plain.c_str(), "wb");
  gzFile gz = gzopen(packed.c_str(), "wb6");
  auto both = [&](const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), file);
    gzwrite(gz, text.data(), static_cast<unsigned>(text.size()));
  };
  both("x1,x2,x3,x4,x5,x6,x7,x8,y\n");
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (std::size_t r = 0; r < rows; ++r) {
    std::string line;
    for (std::size_t c = 0; c < columns; ++c) line += fmt::format("{}{:.6g}", c ? "," : "", normal(random));
    both(line + "\n");
  }
  std::fclose(file);
  gzclose(gz);
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
  const std::string packed = plain + ".gz";
  write(plain, packed);
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
  std::filesystem::remove(plain);
  std::filesystem::remove(packed);
}
