#include "tacit/link/node/process_testing.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <thread>

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
  wait_until_stopped();
}
void AgentProcess::wait_until_stopped() {
  siginfo_t info{};
  if (pid_ > 0) waitid(P_PID, static_cast<id_t>(pid_), &info, WSTOPPED | WEXITED | WNOWAIT);
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

std::size_t AgentProcess::most_resident_bytes() const {
  std::ifstream lines("/proc/" + std::to_string(pid_) + "/status");
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("VmHWM:")) return std::stoul(line.substr(6)) << 10;
  throw Error("the system does not report the memory of a process");
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

std::string ProcessNetwork::log_of(AgentId agent) const {
  return content(network_.folder() / ("log-" + std::to_string(agent)));
}

bool ProcessNetwork::logs(AgentId agent, const std::vector<std::string>& words, std::size_t since) const {
  const auto deadline = std::chrono::steady_clock::now() + 60s;
  do {
    std::istringstream lines(log_of(agent).substr(since));
    for (std::string line; std::getline(lines, line);)
      if (std::ranges::all_of(words, [&](const std::string& one) { return says(line, one); })) return true;
    std::this_thread::sleep_for(20ms);
  } while (std::chrono::steady_clock::now() < deadline);
  return false;
}

bool ProcessNetwork::linked() {
  for (const auto& agent : agents_) agent->tell("links");
  bool all = true;
  for (const auto& agent : agents_) all = agent->hear() == "links" && all;
  return all;
}

}  // namespace tacit::testing
