// Simulates ten agents with a million and with ten million rows of 8 inputs, which are streamed (--stream).
// Prints elapsed and CPU seconds, their growth with rows, and peak memory.
//   build/bench_stream [ROWS ...] [-- options of tacit simulate]
// A row takes about 75 bytes as CSV and 72 in the scratch file, both in TMPDIR.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "ratio.hpp"

namespace {

// Writes a smooth function of the inputs with noise, with numbers of about six digits, as in measurements.
void write(const std::string& path, std::size_t rows) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) {
    std::perror(path.c_str());
    std::exit(1);
  }
  std::fputs("x1,x2,x3,x4,x5,x6,x7,x8,y\n", file);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  fmt::memory_buffer line;
  for (std::size_t r = 0; r < rows; ++r) {
    line.clear();
    double x[8];
    for (double& one : x) {
      one = normal(random);
      fmt::format_to(std::back_inserter(line), "{:.6g},", one);
    }
    const double y = std::sin(x[0]) + 0.5 * x[1] * std::cos(x[2]) + 0.3 * std::tanh(x[3] - x[4]) +
                     0.1 * x[5] * x[6] + 0.1 * normal(random);
    fmt::format_to(std::back_inserter(line), "{:.6g}\n", y);
    std::fwrite(line.data(), 1, line.size(), file);
  }
  std::fclose(file);
}

struct Cost {
  double seconds, busy, megabytes;  // busy: CPU seconds of all cores
};

Cost run(const std::vector<std::string>& arguments) {
  std::fflush(stdout);
  rusage used{};
  int status = 0;
  const double seconds = tacit::bench::seconds_of([&] {
    const pid_t child = fork();
    if (child == 0) {
      std::vector<char*> argv;
      for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
      argv.push_back(nullptr);
      if (!std::freopen("/dev/null", "w", stdout)) _exit(127);
      execv(argv[0], argv.data());
      _exit(127);
    }
    wait4(child, &status, 0, &used);
  });
  if (status != 0) std::exit(1);
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {seconds, of(used.ru_utime) + of(used.ru_stime), static_cast<double>(used.ru_maxrss) * 1024 / 1e6};
}

}  // namespace

int main(int count, char** given) {
  std::vector<std::size_t> sizes;
  std::vector<std::string> options;
  for (int k = 1; k < count; ++k) {
    if (std::string(given[k]) == "--") {
      options.assign(given + k + 1, given + count);
      break;
    }
    sizes.push_back(std::strtoull(given[k], nullptr, 10));
  }
  if (sizes.empty()) sizes = {1'000'000, 10'000'000};
  if (options.empty())
    options = {"--expert-rows",      "100", "--landmarks",     "100",
               "--tune-evaluations", "8",   "--test-fraction", "1e-5"};

  const std::string data =
      (std::filesystem::temp_directory_path() / fmt::format("tacit-stream-{}.csv", getpid())).string();
  Cost first{};  // per row
  for (const std::size_t rows : sizes) {
    write(data, rows);
    std::vector<std::string> arguments = {
        TACIT_BINARY_DIR "/tacit", "simulate", "--data", data, "--target", "y", "--stream", "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Cost cost = run(arguments);
    const double each = cost.seconds / static_cast<double>(rows),
                 busy = cost.busy / static_cast<double>(rows);
    if (first.seconds == 0) first = {each, busy, 0};
    std::printf("%10zu rows %8.1f s (%.2f of linear), %8.1f s of CPU (%.2f of linear), %6.0f MB at most\n",
                rows, cost.seconds, each / first.seconds, cost.busy, busy / first.busy, cost.megabytes);
    std::fflush(stdout);
    std::filesystem::remove(data);
  }
}
