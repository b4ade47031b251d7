// Checks, before an agent starts, that everything it needs is present and correct. Each finding names the
// place and the fix.
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
  std::string text;  ///< for the owner's terminal; it may show a cell of the data
  std::string log;   ///< the same without values of cells
  /// The error may disappear without a change, such as a database that does not answer.
  bool may_pass = false;
};

/// The findings and, if none is an error, what the agent starts with.
struct Preflight {
  std::vector<Finding> findings;
  std::optional<AgentKeys> keys;
  std::optional<WorkMaterial> material;

  bool sound() const;
};

/// Whether all members must have signed. An agent does not start before, but everything else can be checked.
enum class Signing { required, awaited };

/// Reads and checks charter, keys, data and held-out rows, creates the state folder, checks the clock, and
/// tries to reach the neighbours. An unreachable neighbour is only a warning, because it may start later.
/// Problems become findings, not exceptions. With Signing::awaited, missing signatures are a warning, and
/// there is no material.
Preflight preflight(const AgentConfig& config, Signing signing = Signing::required,
                    RowHome& home = home_here());

/// Whether a TCP connection to host:port can be made.
bool reachable(const std::string& address, std::chrono::milliseconds timeout);

}  // namespace tacit
