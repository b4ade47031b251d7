#include "tacit/link/node/process_testing.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace tacit::testing {

AgentProcess::AgentProcess(const std::filesystem::path& network, AgentId agent) {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) throw Error("no pipe");
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, to[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, from[1], STDOUT_FILENO);
  std::string program = TACIT_BINARY_DIR "/network_agent", file = network.string(),
              id = std::to_string(agent);
  char* arguments[] = {program.data(), file.data(), id.data(), nullptr};
  const int failed = posix_spawn(&pid_, program.c_str(), &files, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  close(to[0]);
  close(from[1]);
  in_ = to[1];
  out_ = from[0];
  if (failed) throw Error("cannot start " + program);
  signal(SIGPIPE, SIG_IGN);
}

void AgentProcess::kill() {
  if (pid_ == 0) return;
  ::kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = 0;
  close(in_);
  close(out_);
}

// The guard excludes 0 and -1, which mean this process group and all processes.
void AgentProcess::pause() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGSTOP);
  int status = 0;
  waitpid(pid_, &status, WUNTRACED);
}
void AgentProcess::resume() {
  if (pid_ > 0) ::kill(pid_, SIGCONT);
}

int AgentProcess::end() {
  close(in_);
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = 0;
  close(out_);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void AgentProcess::tell(const std::string& line) {
  const std::string text = line + "\n";
  if (write(in_, text.data(), text.size()) < 0) return;  // it has ended, and hear() returns none
}

std::optional<std::string> AgentProcess::hear(Milliseconds time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  for (;;) {
    if (const auto end = heard_.find('\n'); end != std::string::npos) {
      const std::string line = heard_.substr(0, end);
      heard_.erase(0, end + 1);
      return line;
    }
    const auto left = std::chrono::duration_cast<Milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd ready{out_, POLLIN, 0};
    if (left.count() <= 0 || poll(&ready, 1, static_cast<int>(left.count())) <= 0) return std::nullopt;
    char piece[4096];
    const ssize_t size = read(out_, piece, sizeof piece);
    if (size <= 0) return std::nullopt;
    heard_.append(piece, static_cast<std::size_t>(size));
  }
}

std::size_t AgentProcess::resident_bytes() const {
  std::size_t whole = 0, resident = 0;
  std::ifstream("/proc/" + std::to_string(pid_) + "/statm") >> whole >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void AgentProcess::limit_descriptors(unsigned most) const {
  const rlimit limit{most, most};
  if (prlimit(pid_, RLIMIT_NOFILE, &limit, nullptr) != 0) throw Error("the limit cannot be set");
}

ProcessNetwork::ProcessNetwork(Graph graph, Timeouts timeouts)
    : network_(std::move(graph), timeouts),
      file_(network_.folder() / "network.json"),
      agents_(network_.agents()) {
  network_.write(file_);
  for (AgentId i = 0; i < agents_.size(); ++i) start(i);
}

bool ProcessNetwork::linked() {
  for (const auto& agent : agents_) agent->tell("links");
  bool all = true;
  for (const auto& agent : agents_) all = agent->hear() == "links" && all;
  return all;
}

}  // namespace tacit::testing
