// Events for a browser, as text/event-stream, for as long as it listens.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "tacit/answers/json.hpp"

namespace httplib {
struct Response;
}

namespace tacit {

/// "event: NAME" and its data, in the form of event streams.
std::string event_text(const std::string& name, const Json& data);

/// A stream holds a thread of the server's, so there are only a few.
class Places {
 public:
  explicit Places(int most) : free_(std::make_shared<int>(most)) {}
  /// Nothing when all are taken; else one, for as long as it is held.
  std::shared_ptr<void> take();

 private:
  std::shared_ptr<std::mutex> guard_ = std::make_shared<std::mutex>();
  std::shared_ptr<int> free_;
};

/// What is to be written next, called over and over while the browser listens and the server runs; it waits a
/// moment for something, and then gives nothing. Sets `last` when that was all.
using NextEvents = std::function<std::string(bool& last)>;

/// `next` lives as long as the browser listens, and not longer.
void stream_events(httplib::Response& response, NextEvents next);

}  // namespace tacit
