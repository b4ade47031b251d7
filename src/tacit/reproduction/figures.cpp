#include "tacit/reproduction/figures.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tacit/base/files.hpp"
#include "tacit/reproduction/embedded.hpp"

namespace tacit {
namespace {

// The exit code of a program run quietly, or -1 when it could not be run.
int run(std::vector<std::string> arguments) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const bool started = posix_spawnp(&child, argv[0], &files, nullptr, argv.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&files);
  int status = 0;
  if (!started || waitpid(child, &status, 0) < 0) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

std::string draw_figures(const std::filesystem::path& folder, const std::vector<std::string>& pythons) {
  const std::filesystem::path script = folder / "figures.py";
  write_whole(script, embedded::figures_py);
  for (const std::string& python : pythons) {
    if (run({python, "-c", "import matplotlib"}) != 0) continue;
    if (run({python, script.string()}) == 0) return "";
    return fmt::format("no figures: drawing failed; the data are written, run {} {} to see why", python,
                       script.string());
  }
  return fmt::format(
      "no figures: Python with matplotlib is missing; the data are written, so install python3-matplotlib "
      "and run python3 {}",
      script.string());
}

}  // namespace tacit
