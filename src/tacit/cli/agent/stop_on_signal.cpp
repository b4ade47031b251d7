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
int pipe_ends[2] = {-1, -1};  // a handler may do no more than write to it

void send(char word) {
  const int kept = errno;
  [[maybe_unused]] const ssize_t written = ::write(pipe_ends[1], &word, 1);
  errno = kept;
}

// Above the line that shows progress, if there is one.
void say(const std::string& words) {
  if (::isatty(STDERR_FILENO) == 1) overwrite_line("");
  fmt::print(stderr, "{}\n", words);
  std::fflush(stderr);
}

[[noreturn]] void leave(const std::string& words) {
  say(words);
  std::_Exit(1);
}

}  // namespace

StopOnSignal::StopOnSignal(ControlClient& client) : client_(client) {
  if (::pipe2(pipe_ends, O_CLOEXEC) != 0) throw Error("no pipe can be made; are too many files open?");
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

// The client is asked on a thread of its own, so that a second signal is heard while the agent answers.
void StopOnSignal::watch() {
  std::thread stopping;
  int heard = 0;
  for (char word = 0; word != 'e';) {
    const ssize_t got = ::read(pipe_ends[0], &word, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got != 1) break;
    if (word != 's') continue;
    if (++heard > 1)
      leave("left: the agents may go on with the request; tacit status shows what yours is doing");
    say("stopping the request; Ctrl-C again leaves it to the agents");
    stopping = std::thread([this] {
      try {
        client_.stop();
      } catch (const Error& e) {
        leave(fmt::format("error: the agent could not be told to stop: {}", e.what()));
      }
    });
  }
  if (stopping.joinable()) stopping.join();
}

}  // namespace tacit::cli
