#include "tacit/agent/work/ledger.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tacit/agent/daemon/utc.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/release.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/secrecy/bytes.hpp"
#include "tacit/secrecy/signature.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t ledger_format = 1;
constexpr std::string_view format_field = "{\"format\":";  // first in a line; absent in early releases
constexpr std::string_view hash_field = ",\"hash\":\"";
constexpr std::size_t hash_digits = 64;
constexpr std::size_t most_line_bytes = 16 << 20;

std::string hash_of(std::string_view line) {
  return hex(digest_of({bytes_of("tacit ledger"), bytes_of(line)}));
}

// The text that is hashed: the line without its hash.
std::string text_of(const LedgerLine& line, const std::string& previous) {
  Json json{{"format", ledger_format}, {"number", line.number}, {"time", line.time}, {"event", line.event}};
  if (line.event == "continued") {
    json["words"] = line.words;
  } else {
    json.update({{"run", line.run},
                 {"asker", line.asker},
                 {"kind", line.kind},
                 {"points", line.points},
                 {"roster", line.roster},
                 {"charter", line.charter},
                 {"model", line.model},
                 {"version", line.version}});
    if (line.event == "ended") json.update({{"outcome", line.outcome}, {"opened", line.opened}});
    if (line.event == "ended" && line.kind == "fit")
      json.update({{"content", line.content}, {"rows", line.rows}, {"held", line.held}});
    if (line.event == "opens") json.update({{"opened", line.opened}, {"rows", line.rows}});
  }
  json["previous"] = previous;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string with_hash(std::string text, const std::string& hash) {
  text.pop_back();
  return text.append(hash_field).append(hash).append("\"}\n");
}

// Checked first, because lines of a later release may follow other rules.
void check_line_format(const fs::path& file, std::string_view line) {
  if (!line.starts_with(format_field)) return;
  std::uint64_t format = 0;
  std::from_chars(line.data() + format_field.size(), line.data() + line.size(), format);
  check_format("the ledger " + file.string(), format, ledger_format);
}

// Throws InputError with the reason if the line does not follow `state`.
LedgerLine checked(std::string_view text, const LedgerState& state, std::string& hash) {
  const std::size_t tail = hash_field.size() + hash_digits + 2;
  if (text.size() <= tail || text.substr(text.size() - tail, hash_field.size()) != hash_field)
    throw InputError("it has no hash");
  hash = text.substr(text.size() - hash_digits - 2, hash_digits);
  if (hash_of(std::string(text.substr(0, text.size() - tail)) + '}') != hash)
    throw InputError("it was changed after it was written");
  const Json json = Json::parse(text);
  if (json.at("previous") != state.last) throw InputError("a line before it was changed or removed");
  LedgerLine line;
  line.number = json.at("number");
  if (line.number != state.lines + 1) throw InputError("lines before it are missing");
  line.time = json.at("time");
  line.event = json.at("event");
  line.words = json.value("words", "");
  line.run = json.value("run", "");
  line.asker = json.value("asker", "");
  line.kind = json.value("kind", "");
  line.points = json.value("points", std::uint64_t{0});
  line.roster = json.value("roster", std::vector<std::string>());
  line.charter = json.value("charter", "");
  line.model = json.value("model", "");
  line.version = json.value("version", std::uint64_t{0});
  line.outcome = json.value("outcome", "");
  line.opened = json.value("opened", std::uint64_t{0});
  line.content = json.value("content", "");
  line.rows = json.value("rows", "");
  line.held = json.value("held", std::uint64_t{0});
  return line;
}

std::string cannot(const fs::path& file, const char* what, const std::string& reason) {
  return fmt::format("the ledger {} cannot be {}: {}; without a ledger this agent does not take part in runs",
                     file.string(), what, reason);
}

// Why the file cannot be read; empty if it can. A stream would not report the reason.
std::string why_unreadable(const fs::path& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0)
    return errno == ENOENT ? "" : cannot(file, "read", std::strerror(errno));
  if (!S_ISREG(info.st_mode)) return cannot(file, "read", "it is not a file");
  const int handle = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (handle < 0) return cannot(file, "read", std::strerror(errno));
  ::close(handle);
  return "";
}

// An unused file name.
fs::path free_name(const fs::path& file, const char* word) {
  for (int k = 1;; ++k) {
    fs::path name = fmt::format("{}.{}-{}", file.string(), word, k);
    if (!fs::exists(name)) return name;
  }
}

// Moves an incomplete last line to a separate file.
void put_aside_tail(const fs::path& file, std::uintmax_t whole) {
  const fs::path aside = free_name(file, "torn");
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(whole));
  std::ofstream(aside, std::ios::binary) << in.rdbuf();
  fs::permissions(aside, fs::perms::owner_read | fs::perms::owner_write);
  fs::resize_file(file, whole);
}

struct Walk {
  LedgerState state;
  std::uintmax_t whole = 0;  // bytes of complete, valid lines
};

Walk walk(const fs::path& file, const std::function<void(const LedgerLine&)>& line) {
  Walk found;
  LedgerState& state = found.state;
  state.unusable = why_unreadable(file);
  if (!state.unusable.empty()) return found;
  std::ifstream in(file, std::ios::binary);
  for (std::string text; std::getline(in, text);) {
    if (in.eof()) {
      state.torn = true;
      return found;
    }
    try {
      check_line_format(file, text);
      if (text.size() > most_line_bytes) throw InputError("it is too long");
      std::string hash;
      const LedgerLine read = checked(text, state, hash);
      state.last = hash;
      ++state.lines;
      if (read.event == "continued") state.continued.push_back(read.words);
      if (line) line(read);
      found.whole += text.size() + 1;
    } catch (const NewerFormat&) {
      throw;
    } catch (const Error& e) {
      state.broken = fmt::format("line {} is invalid: {}", state.lines + 1, e.what());
      return found;
    } catch (const nlohmann::json::exception&) {
      state.broken = fmt::format("line {} is invalid: it is not a ledger line", state.lines + 1);
      return found;
    }
  }
  if (in.bad()) state.unusable = cannot(file, "read", std::strerror(EIO));
  return found;
}

}  // namespace

LedgerState read_ledger(const fs::path& file, const std::function<void(const LedgerLine&)>& line) {
  LedgerState state = walk(file, line).state;
  if (!state.unusable.empty()) throw Error(state.unusable);
  return state;
}

Ledger::Ledger(fs::path file, std::string charter, LogSink log)
    : file_(std::move(file)), charter_(std::move(charter)), log_(std::move(log)), rosters_(charter_) {
  Walk found = walk(file_, [&](const LedgerLine& line) {
    rosters_.add(line);
    fits_.add(line);
  });
  state_ = found.state;
  try {
    start_writing(found.whole);
  } catch (const Error& e) {  // a full or read-only disk
    state_.unusable = e.what();
  } catch (const fs::filesystem_error& e) {
    state_.unusable = cannot(file_, "repaired", e.code().message());
  }
  if (state_.unusable.empty()) return;
  state_.unusable += ". Correct this, then restart the agent";
  log_(LogLevel::error, state_.unusable);
}

void Ledger::start_writing(std::uintmax_t whole) {
  if (!state_.unusable.empty()) return;
  if (!state_.broken.empty()) {
    const fs::path aside = free_name(file_, "broken");
    fs::rename(file_, aside);
    const std::string words =
        fmt::format("the earlier ledger was renamed to {}: {}", aside.filename().string(), state_.broken);
    log_(LogLevel::error, fmt::format("{}: {}", file_.string(), words));
    state_ = {};
    open();
    LedgerLine first;
    first.event = "continued";
    first.words = words;
    add(first);
    return;
  }
  if (state_.torn) {
    put_aside_tail(file_, whole);
    state_.torn = false;
    log_(LogLevel::warning,
         fmt::format("{}: the last line was incomplete, as after a crash; it was moved to a separate file",
                     file_.string()));
  }
  open();
}

Ledger::~Ledger() {
  if (handle_ >= 0) ::close(handle_);
}

void Ledger::open() {
  handle_ = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (handle_ < 0) throw Error(cannot(file_, "opened", std::strerror(errno)));
}

void Ledger::add(LedgerLine line) {
  const std::lock_guard lock(guard_);
  if (!state_.unusable.empty()) throw Error(state_.unusable);
  line.number = state_.lines + 1;
  line.time = to_text(utc_now());
  line.charter = charter_;
  const std::string text = text_of(line, state_.last), hash = hash_of(text), whole = with_hash(text, hash);
  const off_t before = ::lseek(handle_, 0, SEEK_END);
  if (::write(handle_, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size()) ||
      (line.event != "ended" && ::fsync(handle_) != 0)) {
    const Error error(cannot(file_, "written", std::strerror(errno)));
    if (before < 0 || ::ftruncate(handle_, before) != 0)
      log_(LogLevel::error, fmt::format("{}: an incomplete line remains at the end", file_.string()));
    throw error;
  }
  state_.last = hash;
  ++state_.lines;
  if (line.event == "continued") state_.continued.push_back(line.words);
  rosters_.add(line);
  fits_.add(line);
}

OpenedCount Ledger::opened_on(const std::string& rows) const {
  const std::lock_guard lock(guard_);
  return fits_.on(rows);
}

LedgerState Ledger::state() const {
  const std::lock_guard lock(guard_);
  return state_;
}

std::vector<std::string> Ledger::what_rosters_show() const {
  const std::lock_guard lock(guard_);
  return tacit::what_rosters_show(rosters_);
}

LedgerEntry::LedgerEntry(Ledger& ledger, LedgerLine began, AtEnd at_end, LogSink log)
    : ledger_(ledger), line_(std::move(began)), at_end_(std::move(at_end)), log_(std::move(log)) {
  line_.event = "began";
  ledger_.add(line_);
  line_.outcome = "failed";
}

void LedgerEntry::opens(std::uint64_t numbers) {
  LedgerLine line = line_;
  line.event = "opens";
  line.opened = numbers;
  ledger_.add(std::move(line));
}

LedgerEntry::~LedgerEntry() {
  line_.event = "ended";
  try {
    at_end_(line_);
    ledger_.add(line_);
  } catch (const std::exception& e) {  // the "began" line is sufficient
    log_(LogLevel::error, e.what());
  }
}

}  // namespace tacit
