#include "tacit/agent/daemon/signals.hpp"

#include <unistd.h>

#include <algorithm>

namespace tacit {
namespace {

using namespace std::chrono_literals;

constexpr int wake_signal = SIGUSR2;

// Threads that libraries started before main() do not block the signals. A signal that one of them receives
// is forwarded to the main thread, where it stays pending until it is awaited.
pthread_t main_thread;

void pass_on(int signal) { ::pthread_kill(main_thread, signal); }

}  // namespace

Signals::Signals() {
  ::signal(SIGPIPE, SIG_IGN);
  sigemptyset(&set_);
  for (const int one : {SIGTERM, SIGINT, wake_signal}) sigaddset(&set_, one);
  struct sigaction hangup {};
  ::sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaddset(&set_, SIGHUP);
  ::pthread_sigmask(SIG_BLOCK, &set_, nullptr);
  main_thread = ::pthread_self();
  struct sigaction action {};
  action.sa_handler = pass_on;
  action.sa_flags = SA_RESTART;
  for (const int one : {SIGTERM, SIGINT, SIGHUP, wake_signal})
    if (sigismember(&set_, one) == 1) ::sigaction(one, &action, nullptr);
}

Event Signals::wait(std::optional<UtcTime> due) const {
  for (;;) {
    int signal = 0;
    if (due) {
      // The clock may be set meanwhile, so it is read again at least once an hour.
      signal = wait_for(std::clamp<std::chrono::milliseconds>(*due - utc_now(), 0ms, 1h));
      if (signal <= 0 && utc_now() >= *due) return Event::due;
    } else {
      sigwait(&set_, &signal);
    }
    if (signal == SIGTERM || signal == SIGINT) return Event::stop;
    if (signal > 0) return Event::reload;
  }
}

bool Signals::hurry(std::chrono::milliseconds time) const {
  const int signal = wait_for(time);
  return signal == SIGTERM || signal == SIGINT;
}

void Signals::wake() { ::kill(::getpid(), wake_signal); }

int Signals::wait_for(std::chrono::milliseconds time) const {
  const timespec limit{time.count() / 1000, time.count() % 1000 * 1'000'000};
  return sigtimedwait(&set_, nullptr, &limit);
}

}  // namespace tacit
