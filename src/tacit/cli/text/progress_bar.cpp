#include "tacit/cli/text/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>

#include "tacit/cli/text/terminal.hpp"

namespace tacit::cli {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::string bar(const char* stage, double fraction, double elapsed) {
  constexpr int width = 30;
  const int filled = static_cast<int>(std::lround(fraction * width));
  std::string left;
  if (fraction > 0.02) {
    const double seconds = std::ceil(elapsed * (1 - fraction) / fraction);
    left = seconds < 90 ? fmt::format(", {:.0f} s left", seconds)
                        : fmt::format(", {:.0f} min left", std::ceil(seconds / 60));
  }
  return fmt::format("{:<14}[{}{}] {:3.0f} %{}", stage, std::string(static_cast<std::size_t>(filled), '#'),
                     std::string(static_cast<std::size_t>(width - filled), ' '), 100 * fraction, left);
}

}  // namespace

ProgressBar::ProgressBar(const Progress& progress) : progress_(progress) {
  if (isatty(STDERR_FILENO)) thread_ = std::thread([this] { draw_until_stopped(); });
}

ProgressBar::~ProgressBar() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(guard_);
    stopped_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void ProgressBar::draw_until_stopped() {
  std::unique_lock lock(guard_);
  const char* stage = nullptr;
  Clock::time_point began = Clock::now();
  bool drawn = false;
  auto pause = 1000ms;  // shorter work needs no bar
  while (!wake_.wait_for(lock, pause, [&] { return stopped_; })) {
    pause = 100ms;
    const char* now = progress_.stage;
    if (now != stage) {
      stage = now;
      began = Clock::now() - (drawn ? 0ms : 1000ms);
    }
    const std::uint64_t total = progress_.total, done = progress_.done;
    if (*now == '\0') continue;
    const double elapsed = std::chrono::duration<double>(Clock::now() - began).count();
    const std::string line =
        total ? bar(now, std::min(1.0, static_cast<double>(done) / static_cast<double>(total)), elapsed)
              : fmt::format("{} ... {:.0f} s  {}", now, elapsed, progress_.note());
    overwrite_line(line);
    drawn = true;
  }
  if (drawn) overwrite_line("");
}

}  // namespace tacit::cli
