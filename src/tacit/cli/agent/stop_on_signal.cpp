#include "tacit/cli/agent/stop_on_signal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "tacit/base/error.hpp"
#include "tacit/cli/text/terminal.hpp"

namespace tacit::cli {
namespace {

constexpr int signals[] = {SIGINT, SIGTERM};
int pipe_ends[2] = {-1, -1};  // a signal handler may only write to it

void send(char word) {
  const int kept = errno;
  [[maybe_unused]] const ssize_t written = ::write(pipe_ends[1], &word, 1);
  errno = kept;
}

// Prints above the progress line, if there is one.
void print_above(const std::string& text) {
  if (::isatty(STDERR_FILENO) == 1) overwrite_line("");
  fmt::print(stderr, "{}\n", text);
  std::fflush(stderr);
}

[[noreturn]] void leave(const std::string& text) {
  print_above(text);
  std::_Exit(1);
}

}  // namespace

StopOnSignal::StopOnSignal(ControlClient& client) : client_(client) {
  if (::pipe2(pipe_ends, O_CLOEXEC) != 0) throw Error("cannot create a pipe; are too many files open?");
  thread_ = std::thread([this] { watch(); });
  struct sigaction action {};
  action.sa_handler = [](int) { send('s'); };
  action.sa_flags = SA_RESTART;
  for (std::size_t k = 0; k < 2; ++k) ::sigaction(signals[k], &action, &before_[k]);
}

StopOnSignal::~StopOnSignal() {
  for (std::size_t k = 0; k < 2; ++k) ::sigaction(signals[k], &before_[k], nullptr);
  send('e');
  thread_.join();
  for (int& end : pipe_ends) ::close(std::exchange(end, -1));
}

// The client sends the stop request on a separate thread, so that a second signal is handled meanwhile.
void StopOnSignal::watch() {
  std::thread stopping;
  int signals_seen = 0;
  for (char word = 0; word != 'e';) {
    const ssize_t got = ::read(pipe_ends[0], &word, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got != 1) break;
    if (word != 's') continue;
    if (++signals_seen > 1)
      leave("ended; the agents may continue the request, and tacit status shows what your agent is doing");
    print_above("stopping the request; press Ctrl-C again to end this command at once");
    stopping = std::thread([this] {
      try {
        client_.stop();
      } catch (const Error& e) {
        leave(fmt::format("error: cannot ask the agent to stop: {}", e.what()));
      }
    });
  }
  if (stopping.joinable()) stopping.join();
}

}  // namespace tacit::cli
