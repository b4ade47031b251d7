#include "tacit/page/status_stream.hpp"

#include <thread>

#include "tacit/agent/control/control.hpp"
#include "tacit/answers/answers.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto look_every = 500ms;

// Removes fields that change continuously, which do not count as changes.
Json without_counters(Json status) {
  status.erase("up_seconds");
  for (Json& peer : status.at("peers"))
    for (const char* field : {"round_trip", "bytes_sent", "bytes_received"}) peer.erase(field);
  return status;
}

class StatusStream {
 public:
  StatusStream(const std::filesystem::path& control, std::function<bool()> welcome,
               std::chrono::seconds without_news)
      : client_(control), welcome_(std::move(welcome)), without_news_(without_news) {}

  std::string next(bool& last) {
    try {
      if (!known_.is_null()) std::this_thread::sleep_for(look_every);
      last = !welcome_();
      return last ? "" : news();
    } catch (const std::exception& e) {
      last = true;
      return event_text("error", {{"error", e.what()}});
    }
  }

 private:
  std::string news() {
    const Json status = status_json(client_.status());
    Json rest = without_counters(status);
    if (rest == known_ && Clock::now() - sent_ < without_news_) return "";
    known_ = std::move(rest);
    sent_ = Clock::now();
    return event_text("status", status);
  }

  ControlClient client_;
  const std::function<bool()> welcome_;
  const std::chrono::seconds without_news_;
  Json known_ = nullptr;
  Clock::time_point sent_ = {};
};

}  // namespace

NextEvents status_stream(const std::filesystem::path& control, std::function<bool()> welcome,
                         std::chrono::seconds without_news) {
  return [stream = std::make_shared<StatusStream>(control, std::move(welcome), without_news)](bool& last) {
    return stream->next(last);
  };
}

}  // namespace tacit
