// A bar on the terminal for work that takes more than a second; silence in a pipe.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "tacit/base/progress.hpp"

namespace tacit::cli {

class ProgressBar {
 public:
  /// Watches `progress` until destroyed, then wipes the bar off the line. Draws on stderr if it is a
  /// terminal.
  explicit ProgressBar(const Progress& progress);
  ~ProgressBar();

 private:
  void draw_until_stopped();

  const Progress& progress_;
  std::mutex guard_;
  std::condition_variable wake_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace tacit::cli
