#include "tacit/agent/daemon/preflight.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timex.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <future>
#include <system_error>

#include "tacit/agent/daemon/key_owner.hpp"
#include "tacit/agent/rows/agent_data.hpp"
#include "tacit/base/error.hpp"
#include "tacit/charter/check.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/table/sql/sql.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

// An error about data may quote a cell, or the first row instead of column names. It begins with the place,
// which may be logged.
std::string place_alone(const std::string& text) {
  return text.substr(0, text.find(": ")) +
         ": the data cannot be read as the charter requires; `check` shows the details";
}

// No row was read, so the text cannot show one.
class WithoutRows : public InputError {
 public:
  using InputError::InputError;
};

class Report {
 public:
  explicit Report(std::vector<Finding>& findings) : findings_(findings) {}
  void good(const std::string& text) { findings_.push_back({Finding::Kind::good, text, text}); }
  void warning(const std::string& text) { findings_.push_back({Finding::Kind::warning, text, text}); }
  void error(const std::string& text) { findings_.push_back({Finding::Kind::error, text, text}); }
  /// About data: the log gets a different text.
  void error(const std::string& text, const std::string& log) {
    findings_.push_back({Finding::Kind::error, text, log});
  }

  /// Runs a check. An exception becomes an error.
  template <class Check>
  bool part(Check&& check) {
    try {
      check();
      return true;
    } catch (const Error& e) {
      error(e.what());
      return false;
    }
  }
  /// The same for a check that reads data.
  template <class Check>
  void data(Check&& check) {
    try {
      check();
    } catch (const BadCellsError& e) {
      error(e.what(), e.quietly());
    } catch (const WithoutRows& e) {
      error(e.what());
    } catch (const InputError& e) {
      error(e.what(), place_alone(e.what()));
    } catch (const Error& e) {  // nothing was read yet
      findings_.push_back({Finding::Kind::error, e.what(), e.what(), true});
    }
  }

 private:
  std::vector<Finding>& findings_;
};

void check_self(const AgentKeys& keys, WorkMaterial& material, const AgentConfig& config, Report& report) {
  const auto self = material.charter.find(keys.card.name);
  if (!self)
    throw InputError(fmt::format("{}: there is no agent called {} in this charter", config.charter.string(),
                                 keys.card.name));
  const CharterAgent& agent = material.charter.agents[*self];
  if (agent.identity != keys.card.identity || agent.certificate != keys.card.certificate)
    throw InputError(
        fmt::format("{}: this charter has a different identity or certificate for {} than the keys in {}",
                    config.charter.string(), agent.name, config.identity.string()));
  check_key_owner(config, material.charter, *self);
  material.self = *self;
  report.good(fmt::format("keys: {} is agent {} of the charter", agent.name, *self));
  if (host_and_port(agent.address).second != host_and_port(config.listen).second)
    report.warning(fmt::format("listen: the charter gives {} the address {}, but the agent listens on {}",
                               agent.name, agent.address, config.listen));
}

// The problem of a file that can be found without reading it, so that no cell can appear. Empty for a
// database.
std::string without_rows(const fs::path& file) {
  std::string name = file.string();
  constexpr std::string_view sqlite = "sqlite://";
  if (name.starts_with(sqlite))
    name.erase(0, sqlite.size());
  else if (is_database(name))
    return "";
  std::error_code ignored;
  if (!fs::exists(name, ignored)) return source_name(file) + ": there is no such file; check its name";
  if (fs::is_directory(name, ignored)) return source_name(file) + ": this is a folder; specify a file";
  if (fs::is_regular_file(name, ignored) && fs::file_size(name, ignored) == 0)
    return source_name(file) + ": the file is empty";
  return "";
}

FoundRows rows(const RowSource& source, const char* what, const std::function<FoundRows()>& read,
               Report& report) {
  std::vector<fs::path> files = source.more;
  files.insert(files.begin(), source.file);
  for (const fs::path& file : files)
    if (const std::string problem = without_rows(file); !problem.empty()) throw WithoutRows(problem);
  FoundRows found = read();
  for (const BadSentence& one : found.bad) report.error(one.text, one.quietly);
  if (found.bad.empty())
    report.good(
        fmt::format("{}: {} has {}", what, source.name(), in_words(found.rows->rows(), found.dropped)));
  for (const std::string& note : found.notes)
    report.good(fmt::format("{}: {}: {}", what, source.name(), note));
  return found;
}

// Returns whether all have signed. An invalid signature is always an error, because its member believes it
// has signed.
bool check_signing(const CharterSignatures& signatures, const AgentConfig& config, Signing signing,
                   Report& report) {
  const std::string lacking = lacking_in_words(signatures);
  if (lacking.empty()) return true;
  const std::string file = config.charter.string();
  if (signing == Signing::awaited && signatures.bad.empty())
    report.warning(
        fmt::format("charter: {}: {}; until then the agent does not start, but everything else is checked",
                    file, lacking));
  else
    report.error(fmt::format("charter: {}: {}; sign with tacit charter sign", file, lacking));
  return false;
}

void check_clock(Report& report) {
  const auto now = std::chrono::system_clock::now();
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(now)};
  if (day.year() < std::chrono::year(2024))
    return report.error(fmt::format("clock: this machine's clock shows the year {}; set the clock",
                                    static_cast<int>(day.year())));
  struct timex state {};
  const int result = ::adjtimex(&state);
  if (result < 0)
    report.warning("clock: the system does not report whether this machine's clock is synchronised");
  else if (result == TIME_ERROR || (state.status & STA_UNSYNC))
    report.warning("clock: the system does not synchronise this machine's clock (see timedatectl)");
  else
    report.good("clock: synchronised by the system");
}

void check_peers(const WorkMaterial& material, Report& report) {
  const Graph graph = material.charter.graph();
  std::vector<std::pair<AgentId, std::future<bool>>> tries;
  for (const AgentId peer : graph.neighbours(material.self))
    tries.emplace_back(peer, std::async(std::launch::async, [&material, peer] {
                         return reachable(material.charter.agents[peer].address, std::chrono::seconds(2));
                       }));
  for (auto& [peer, there] : tries) {
    const CharterAgent& agent = material.charter.agents[peer];
    if (there.get())
      report.good(fmt::format("neighbour {}: reachable at {}", agent.name, agent.address));
    else
      report.warning(fmt::format("neighbour {}: not reachable at {} yet", agent.name, agent.address));
  }
}

// A read-only disk may be repaired while a service manager tries again.
void make_state_folder(const fs::path& folder, Preflight& result) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  int reason = ::mkdir(folder.c_str(), 0700) == 0 ? 0 : errno;
  if (fs::is_directory(folder, error)) reason = ::access(folder.c_str(), W_OK | X_OK) == 0 ? 0 : errno;
  if (reason == 0) return;
  const std::string text =
      fmt::format("{}: the state folder cannot be created or written: {}; make it writable for this user",
                  folder.string(), std::generic_category().message(reason));
  result.findings.push_back(
      {Finding::Kind::error, text, text, reason == EROFS || reason == ENOSPC || reason == EIO});
}

}  // namespace

bool Preflight::sound() const {
  return std::none_of(findings.begin(), findings.end(),
                      [](const Finding& finding) { return finding.kind == Finding::Kind::error; });
}

bool reachable(const std::string& address, std::chrono::milliseconds timeout) {
  const auto [host, port] = host_and_port(address);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0) return false;
  bool there = false;
  for (const addrinfo* one = found; one && !there; one = one->ai_next) {
    const int socket = ::socket(one->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (socket < 0) continue;
    there = ::connect(socket, one->ai_addr, one->ai_addrlen) == 0;
    if (!there && errno == EINPROGRESS) {
      pollfd ready{socket, POLLOUT, 0};
      int error = 0;
      socklen_t size = sizeof error;
      there = ::poll(&ready, 1, static_cast<int>(timeout.count())) == 1 &&
              ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
    }
    ::close(socket);
  }
  ::freeaddrinfo(found);
  return there;
}

Preflight preflight(const AgentConfig& config, Signing signing, RowHome& home) {
  Preflight result;
  Report report(result.findings);
  WorkMaterial material;
  material.state = config.state;
  bool all_signed = false;
  const bool charter = report.part([&] {
    material.charter = read_charter(config.charter);
    const CharterReport found = check_charter(material.charter);
    require_sound(found, config.charter.string());
    all_signed = check_signing(found.signatures, config, signing, report);
    if (all_signed)
      report.good(fmt::format("charter: {}, {}, signed by all {} agents", config.charter.string(),
                              hex(charter_hash(material.charter)).substr(0, 16),
                              material.charter.agents.size()));
  });
  bool self = report.part([&] { result.keys.emplace(load_keys(config.identity)); });
  if (charter) {
    self = self && report.part([&] { check_self(*result.keys, material, config, report); });
    const AgentData& data = config.data;
    report.data([&] {
      FoundRows got = rows(
          data.rows, "data", [&] { return home.read(config, material.charter); }, report);
      material.data = std::move(got.rows);
      material.dropped = got.dropped;
    });
    if (data.holdout)
      report.data([&] {
        const FoundRows got = rows(
            *data.holdout, "held out", [&] { return found_rows(*data.holdout, material.charter, data.how); },
            report);
        material.holdout = *got.rows->here();
        material.holdout_dropped = got.dropped;
      });
  }
  make_state_folder(config.state, result);
  check_clock(report);
  if (charter && self) check_peers(material, report);
  if (result.sound() && all_signed) result.material.emplace(std::move(material));
  return result;
}

}  // namespace tacit
