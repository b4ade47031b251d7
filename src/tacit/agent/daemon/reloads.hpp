// People's wish that an agent reads its files again, from the control socket to the thread that can do it.
#pragma once

#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <vector>

#include "tacit/agent/control/control.pb.h"

namespace tacit {

/// Safe to call from several threads.
class Reloads {
 public:
  /// `wake` tells the other thread that somebody has asked.
  explicit Reloads(std::function<void()> wake) : wake_(std::move(wake)) {}
  Reloads(const Reloads&) = delete;

  /// Waits for the answer. Throws what the other thread found wrong.
  control::ReloadReply ask();

  /// To all who have asked so far.
  void answer(const control::ReloadReply& reply);
  void answer(const std::exception_ptr& error);

  /// From now on nobody waits: whoever asks, or has asked, is told that the agent is about to stop or begin
  /// anew.
  void close();
  void open();

 private:
  std::vector<std::promise<control::ReloadReply>> take();

  const std::function<void()> wake_;
  std::mutex guard_;
  bool closed_ = false;
  std::vector<std::promise<control::ReloadReply>> asked_;
};

}  // namespace tacit
