// Before an agent starts: is everything it needs there and right? Every finding says where and what to do.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "tacit/agent/rows/row_home.hpp"
#include "tacit/agent/work/run_handler.hpp"
#include "tacit/identity/keys.hpp"

namespace tacit {

struct Finding {
  enum class Kind { good, warning, error };
  Kind kind = Kind::good;
  std::string text;  ///< for the owner's terminal: it may show a cell of the data
  std::string log;   ///< the same without any cell's value
  /// An error that may be gone without anybody's doing, such as a database that does not answer.
  bool may_pass = false;
};

/// What was found, and what an agent starts with when no finding is an error.
struct Preflight {
  std::vector<Finding> findings;
  std::optional<AgentKeys> keys;
  std::optional<WorkMaterial> material;

  bool sound() const;
};

/// Must everybody have signed? Before that an agent does not start, but all the rest can be checked.
enum class Signing { required, awaited };

/// Reads and checks charter, keys, data and held-out rows, makes the folder for the state, looks at the
/// clock, and tries to reach the neighbours (failing to is no error: they may start later). Does not throw
/// for what it finds. While signatures are awaited, missing ones are a warning and there is no material.
Preflight preflight(const AgentConfig& config, Signing signing = Signing::required,
                    RowHome& home = home_here());

/// Can a TCP connection to host:port be made?
bool reachable(const std::string& address, std::chrono::milliseconds timeout);

}  // namespace tacit
