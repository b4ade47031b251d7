#include "tacit/cli/agent/child_processes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "tacit/base/error.hpp"

extern "C" {  // missing in the header of glibc 2.36
#include <sys/pidfd.h>
}

namespace tacit {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr int patience = 30'000;  // milliseconds that the janitor waits for processes to end

// Waits until the other end of the pipe is closed, which happens however its process ends. Then terminates
// the processes whose ids came through the pipe, waits for them, and removes the folder.
[[noreturn]] void be_janitor(int pipe, const fs::path& folder) {
  ::setsid();  // so that a terminal's Ctrl-C does not reach this process
  for (const int one : {SIGTERM, SIGINT, SIGHUP}) ::signal(one, SIG_IGN);
  std::vector<int> processes;
  pid_t id = 0;
  for (ssize_t n = 0; (n = ::read(pipe, &id, sizeof id)) != 0;) {
    if (n < 0 && errno == EINTR) continue;
    if (n != sizeof id) break;
    if (const int process = pidfd_open(id, 0); process >= 0) processes.push_back(process);
  }
  for (const int process : processes) pidfd_send_signal(process, SIGTERM, nullptr, 0);
  for (const int process : processes) {
    pollfd ended{process, POLLIN, 0};
    if (::poll(&ended, 1, patience) != 1) pidfd_send_signal(process, SIGKILL, nullptr, 0);
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  std::_Exit(0);
}

}  // namespace

Children::Children(const std::string& name) {
  std::string path = (fs::temp_directory_path() / (name + "-XXXXXX")).string();
  if (!::mkdtemp(path.data()))
    throw Error(fmt::format("{}: cannot create a folder there: {}", path, std::strerror(errno)));
  folder_ = path;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0 || (janitor_ = ::fork()) < 0) {
    fs::remove_all(folder_);
    throw Error(fmt::format("cannot start another process: {}", std::strerror(errno)));
  }
  if (janitor_ == 0) {
    ::close(ends[1]);
    be_janitor(ends[0], folder_);
  }
  ::close(ends[0]);
  to_janitor_ = ends[1];
}

Children::~Children() {
  end(25s);
  ::close(to_janitor_);
  ::waitpid(janitor_, nullptr, 0);
}

pid_t Children::start(const std::vector<std::string>& arguments, const fs::path& log) {
  std::vector<char*> argv;
  static std::string self = "tacit";
  argv.push_back(self.data());
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const int in = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const pid_t parent = ::getpid();
  const pid_t child = out < 0 ? -1 : ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) std::_Exit(1);  // the parent ended before prctl
    ::setpgid(0, 0);                           // so that only the parent gets a terminal's Ctrl-C
    ::dup2(in, STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execv("/proc/self/exe", argv.data());
    std::_Exit(127);
  }
  ::close(out);
  ::close(in);
  if (child < 0) throw Error(fmt::format("cannot start another process: {}", std::strerror(errno)));
  running_.push_back(child);
  if (::write(to_janitor_, &child, sizeof child) != sizeof child)
    throw Error("the process that cleans up has ended");
  return child;
}

std::optional<std::size_t> Children::first_ended() {
  for (std::size_t k = 0; k < running_.size(); ++k)
    if (running_[k] > 0 && ::waitpid(running_[k], nullptr, WNOHANG) == running_[k]) {
      running_[k] = -1;
      return k;
    }
  return std::nullopt;
}

bool Children::end(std::chrono::milliseconds time) {
  const auto any = [&] {
    return std::any_of(running_.begin(), running_.end(), [](pid_t id) { return id > 0; });
  };
  for (const pid_t id : running_)
    if (id > 0) ::kill(id, SIGTERM);
  const auto deadline = std::chrono::steady_clock::now() + time;
  while (any() && std::chrono::steady_clock::now() < deadline)
    if (!first_ended()) std::this_thread::sleep_for(5ms);
  const bool all = !any();
  for (pid_t& id : running_) {
    if (id <= 0) continue;
    ::kill(id, SIGKILL);
    ::waitpid(id, nullptr, 0);
    id = -1;
  }
  return all;
}

}  // namespace tacit
