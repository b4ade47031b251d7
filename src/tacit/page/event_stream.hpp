// Sends events to a browser, as text/event-stream, while it is connected.
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

/// One event with its data, in the format of event streams.
std::string event_text(const std::string& name, const Json& data);

/// Limits the number of streams, because each occupies a thread of the server.
class Places {
 public:
  explicit Places(int most) : free_(std::make_shared<int>(most)) {}
  /// Returns a place, which is released on destruction; null if none is free.
  std::shared_ptr<void> take();

 private:
  std::shared_ptr<std::mutex> guard_ = std::make_shared<std::mutex>();
  std::shared_ptr<int> free_;
};

/// Returns the next text to send. Called repeatedly while the browser is connected and the server runs. It
/// waits a short time for events and then returns an empty text. Sets `last` after the last event.
using NextEvents = std::function<std::string(bool& last)>;

/// `next` is destroyed when the browser disconnects.
void stream_events(httplib::Response& response, NextEvents next);

}  // namespace tacit
