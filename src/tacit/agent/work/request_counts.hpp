// How many requests ended how at this agent, for status, metrics and history: no points, no data, no results.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "tacit/link/runs/run.hpp"

namespace tacit {

struct RequestCount {
  std::uint64_t done = 0, failed = 0, withdrawn = 0;  ///< whoever asked
  /// By this agent, before any run: asked for by its own people, and by other agents.
  std::uint64_t refused_home = 0, refused_peers = 0;
  std::uint64_t runs = 0;  ///< that began here
  double seconds = 0;      ///< that these took

  std::uint64_t refused() const { return refused_home + refused_peers; }
};

/// One of them.
struct EndedRequest {
  std::string kind, asker;  ///< nobody for this agent's own people
  std::string outcome;      ///< "done", "failed", "withdrawn" or "refused"
  std::string reason = {};  ///< in words, unless done
  double seconds = 0;       ///< that a run of it took here
};

/// Safe to call from several threads.
class RequestCounts {
 public:
  RequestCounts();

  /// A run has ended here, or a request of this agent's own before there was one.
  void ended(const std::string& kind, const RunOutcome& outcome, const std::string& asker = "");
  void refused_at_home(const std::string& kind, const std::string& why);
  void refused_to_peer(const std::string& kind, const std::string& asker, const std::string& why);

  /// Is told of each of them from now on, on the threads that call the above.
  void listen(std::function<void(const EndedRequest&)> listener);

  /// Every kind of request is there from the start; what peers call otherwise counts as "other".
  std::map<std::string, RequestCount> by_kind() const;
  RequestCount total() const;

 private:
  RequestCount& of(const std::string& kind);

  mutable std::mutex guard_;
  std::map<std::string, RequestCount> kinds_;
  std::function<void(const EndedRequest&)> listener_ = [](const EndedRequest&) {};
};

}  // namespace tacit
