// Passes requests to reload an agent's files from the control socket to the thread that can do it.
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
  /// `wake` notifies the other thread of a request.
  explicit Reloads(std::function<void()> wake) : wake_(std::move(wake)) {}
  Reloads(const Reloads&) = delete;

  /// Waits for the answer. Throws the error of the other thread.
  control::ReloadReply ask();

  /// Answers all requests so far.
  void answer(const control::ReloadReply& reply);
  void answer(const std::exception_ptr& error);

  /// Answers all requests, until open(), with the error that the agent is about to stop or restart.
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
