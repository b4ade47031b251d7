#include "tacit/agent/work/history.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tacit/agent/daemon/utc.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr auto remembered = std::chrono::weeks(4);
constexpr std::size_t most_requests = 5'000, most_scores = 1'000;
constexpr std::size_t added_at_most = 1'000;  // before the next forget()
constexpr std::size_t most_reason_bytes = 2'000;
constexpr std::size_t most_entry_bytes = 1 << 16;

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string line_of(const PastRequest& past) {
  const EndedRequest& request = past.request;
  return line_of(Json{{"time", past.time},
                      {"kind", request.kind},
                      {"asker", request.asker},
                      {"outcome", request.outcome},
                      {"reason", request.reason.substr(0, most_reason_bytes)},
                      {"seconds", request.seconds}});
}

std::string line_of(const PastScore& score) {
  return line_of(Json{{"time", score.time},
                      {"version", score.version},
                      {"rows", score.rows},
                      {"rmse", score.rmse},
                      {"log_density", score.log_density}});
}

// JSON has no infinity or NaN; they are stored as null.
double real_in(const Json& json, const char* field) {
  return json.at(field).is_null() ? std::nan("") : json.at(field).get<double>();
}

void take_in(const Json& json, Past& past) {
  const std::string time = json.at("time");
  if (!parse_utc(time)) return;
  if (json.contains("version"))
    past.scores.push_back({.time = time,
                           .version = json.at("version"),
                           .rows = json.at("rows"),
                           .rmse = real_in(json, "rmse"),
                           .log_density = real_in(json, "log_density")});
  else if (time >= to_text(utc_now() - remembered))
    past.requests.push_back({time,
                             {.kind = json.at("kind"),
                              .asker = json.at("asker"),
                              .outcome = json.at("outcome"),
                              .reason = json.at("reason"),
                              .seconds = real_in(json, "seconds")}});
}

template <class Things>
void keep_last(Things& things, std::size_t most) {
  if (things.size() > most) things.erase(things.begin(), things.end() - static_cast<std::ptrdiff_t>(most));
}

}  // namespace

Past read_history(const fs::path& file) {
  Past past;
  std::ifstream in(file, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    if (line.size() > most_entry_bytes) continue;
    try {
      take_in(Json::parse(line), past);
    } catch (const nlohmann::json::exception&) {
      // incomplete, or written by a later release
    }
  }
  keep_last(past.requests, most_requests);
  keep_last(past.scores, most_scores);
  return past;
}

fs::path History::file_in(const fs::path& state) { return state / "history.jsonl"; }

History::History(fs::path file, LogSink log) : file_(std::move(file)), log_(std::move(log)) { forget(); }

void History::add(const EndedRequest& request) {
  const std::lock_guard lock(guard_);
  add_line(line_of(PastRequest{to_text(utc_now()), request}));
}

void History::add(PastScore score) {
  const std::lock_guard lock(guard_);
  score.time = to_text(utc_now());
  add_line(line_of(score));
}

void History::add_line(const std::string& line) {
  const int handle = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  const bool written =
      handle >= 0 && ::write(handle, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  if (!written)
    log_(LogLevel::warning,
         fmt::format("{}: the history cannot be written: {}", file_.string(), std::strerror(errno)));
  if (handle >= 0) ::close(handle);
  if (++added_ >= added_at_most) forget();
}

void History::forget() {
  added_ = 0;
  if (!fs::exists(file_)) return;
  const Past past = read_history(file_);
  std::string text;
  for (const PastRequest& one : past.requests) text += line_of(one);
  for (const PastScore& one : past.scores) text += line_of(one);
  try {
    write_whole(file_, text, 0600);
  } catch (const Error& e) {
    log_(LogLevel::warning, e.what());
  }
}

}  // namespace tacit
