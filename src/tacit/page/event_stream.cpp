#include "tacit/page/event_stream.hpp"

#include <httplib.h>

#include <chrono>

#include "tacit/agent/control/local_http.hpp"
#include "tacit/page/page_json.hpp"

namespace tacit {
namespace {

constexpr auto nothing_for = std::chrono::seconds(1);
constexpr const char* nothing = ":\n\n";  // a comment, which browsers ignore

}  // namespace

std::string event_text(const std::string& name, const Json& data) {
  return "event: " + name +
         "\ndata: " + in_page_words(data).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n\n";
}

std::shared_ptr<void> Places::take() {
  const std::lock_guard lock(*guard_);
  if (*free_ == 0) return nullptr;
  --*free_;
  // The place may be released after this object is destroyed.
  return {free_.get(), [guard = guard_, free = free_](void*) {
            const std::lock_guard again(*guard);
            ++*free;
          }};
}

void stream_events(httplib::Response& response, NextEvents next) {
  using Clock = std::chrono::steady_clock;
  let_answer_last();
  response.set_chunked_content_provider(
      "text/event-stream",
      [next = std::move(next), written = Clock::now()](std::size_t, httplib::DataSink& sink) mutable {
        bool last = false;
        std::string text = next(last);
        // A disconnected browser is detected only by writing to it.
        if (text.empty() && Clock::now() - written > nothing_for) text = nothing;
        if (!text.empty()) {
          if (!sink.write(text.data(), text.size())) return false;
          written = Clock::now();
        }
        if (last) sink.done();
        return true;
      });
}

}  // namespace tacit
