#include "tacit/page/request_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "tacit/agent/rows/agent_data.hpp"
#include "tacit/answers/answers.hpp"
#include "tacit/answers/predictions.hpp"
#include "tacit/base/error.hpp"
#include "tacit/table/csv/csv.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;

// One request, from its first event to its last.
class RequestStream {
 public:
  RequestStream(const std::filesystem::path& control, PageRequest request) : client_(control) {
    client_.tell_names([this](const std::string& name) { send("ask", {{"ask", name}}); });
    thread_ = std::thread([this, request = std::move(request)] { work(request); });
  }
  ~RequestStream() {
    client_.leave();
    thread_.join();
  }
  RequestStream(const RequestStream&) = delete;

  // Waits a short time for events.
  std::string next(bool& last) {
    std::unique_lock lock(guard_);
    changed_.wait_for(lock, 200ms, [&] { return !unsent_.empty() || over_; });
    last = over_;
    return std::exchange(unsent_, {});
  }

 private:
  void work(const PageRequest& request) {
    try {
      end("result", request(client_, [this](const std::string& words) {
            send("words", {{"words", words}});
          }));
    } catch (const StoppedByAsker& e) {
      end("error", {{"error", e.what()}, {"stopped", true}});
    } catch (const std::exception& e) {
      end("error", {{"error", e.what()}, {"stopped", false}});
    }
  }
  void send(const char* event, const Json& data) {
    const std::lock_guard lock(guard_);
    unsent_ += event_text(event, data);
    changed_.notify_all();
  }
  void end(const char* event, const Json& data) {
    const std::lock_guard lock(guard_);
    unsent_ += event_text(event, data);
    over_ = true;
    changed_.notify_all();
  }

  ControlClient client_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::string unsent_;
  bool over_ = false;
  std::thread thread_;
};

bool flag(const Json& body, const char* field) {
  if (!body.contains(field)) return false;
  if (!body.at(field).is_boolean()) throw InputError(fmt::format("{} must be true or false", field));
  return body.at(field).get<bool>();
}

}  // namespace

PageRequest fit_request(const Json& body) {
  std::vector<std::string> without;
  if (body.contains("without")) {
    const Json& names = body.at("without");
    if (!names.is_array() || !std::ranges::all_of(names, [](const Json& one) { return one.is_string(); }))
      throw InputError("without must be a list of names");
    without = names.get<std::vector<std::string>>();
  }
  return [without](ControlClient& client, const ControlClient::Words& words) {
    return fit_json(client.fit(without, words));
  };
}

PageRequest evaluate_request() {
  return [](ControlClient& client, const ControlClient::Words& words) {
    return evaluate_json(client.evaluate(words));
  };
}

PageRequest predict_request(const Json& body, const std::vector<Column>& inputs, const ReadOptions& how) {
  if (!body.contains("csv") || !body.at("csv").is_string())
    throw InputError("csv must be the text of a table with the charter's input columns");
  return [csv = body.at("csv").get<std::string>(), together = flag(body, "together"),
          skip_bad = flag(body, "skip_bad"), inputs,
          how](ControlClient& client, const ControlClient::Words& words) {
    const auto reader = [&](const std::filesystem::path& name, const TableOptions& columns,
                            const ReadOptions& reading) {
      return parse_table(name.string(), csv, columns, reading);
    };
    PointOptions options;
    options.skip_bad = skip_bad;
    options.how_to_skip = "";
    Points points = read_points("the table", inputs, {}, options, how, reader);
    const control::Progress progress = client.predict(points.rows.inputs, together, words);
    const Answered answer = answered(std::move(points), progress);
    return Json{
        {"predictions", predictions_json(answer)}, {"csv", predictions_csv(answer)}, {"notes", answer.notes}};
  };
}

NextEvents request_stream(const std::filesystem::path& control, PageRequest request) {
  return [stream = std::make_shared<RequestStream>(control, std::move(request))](bool& last) {
    return stream->next(last);
  };
}

}  // namespace tacit
