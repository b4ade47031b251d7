// Counts requests at this agent by outcome, for status, metrics and history. It holds no points, data or
// results.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "tacit/link/runs/run.hpp"

namespace tacit {

struct RequestCount {
  std::uint64_t done = 0, failed = 0, withdrawn = 0;  ///< of all askers
  /// Refused by this agent before any run: requests of its own users, and of other agents.
  std::uint64_t refused_home = 0, refused_peers = 0;
  std::uint64_t runs = 0;  ///< runs that began here
  double seconds = 0;      ///< duration of these runs

  std::uint64_t refused() const { return refused_home + refused_peers; }
};

/// A request that ended or was refused.
struct EndedRequest {
  std::string kind, asker;  ///< the asker is empty for this agent's own users
  std::string outcome;      ///< "done", "failed", "withdrawn" or "refused"
  std::string reason = {};  ///< empty if done
  double seconds = 0;       ///< duration of its run here
};

/// Safe to call from several threads.
class RequestCounts {
 public:
  RequestCounts();

  /// Counts a run that ended here, or a request of this agent that ended before its run.
  void ended(const std::string& kind, const RunOutcome& outcome, const std::string& asker = "");
  void refused_at_home(const std::string& kind, const std::string& why);
  void refused_to_peer(const std::string& kind, const std::string& asker, const std::string& why);

  /// Sets a listener for all later calls. It runs on the calling thread.
  void listen(std::function<void(const EndedRequest&)> listener);

  /// Contains every kind from the start. Unknown kinds from peers are counted as "other".
  std::map<std::string, RequestCount> by_kind() const;
  RequestCount total() const;

 private:
  RequestCount& of(const std::string& kind);

  mutable std::mutex guard_;
  std::map<std::string, RequestCount> kinds_;
  std::function<void(const EndedRequest&)> listener_ = [](const EndedRequest&) {};
};

}  // namespace tacit
