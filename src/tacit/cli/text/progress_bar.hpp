// A progress bar on a terminal, for work that takes more than a second. Prints nothing to a pipe.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "tacit/base/progress.hpp"

namespace tacit::cli {

class ProgressBar {
 public:
  /// Watches `progress` until destroyed, then erases the bar. Draws on standard error if it is a terminal.
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
