// The only interface between regression and protocols: an agent passes in its vector and receives the sum of
// all agents' vectors.
//
// Threads: agents on any number of threads may share a SecureSum; a task belongs to one thread at a
// time.
// Errors: InputError for sums that are not possible; a task throws Error if its sum fails.
// Stopping: a sum waits only for its channel, whose driver ends it; the simulator obeys StoppableWork
// (base/stop.hpp).
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>

#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/consensus/plan.hpp"
#include "tacit/protocol/exact/exact.hpp"
#include "tacit/protocol/run/run.hpp"
#include "tacit/secrecy/wiped.hpp"

namespace tacit {

/// The public facts about the values of one sum. All agents must pass the same, to the bit. So it may depend
/// on public facts and on data that all agents have in common, but never on an agent's data or on its own
/// copy of a result.
struct SumRange {
  double bound = 1;  ///< |value| ≤ bound at every agent; a larger value is refused and never wraps
  /// The resolution. A protocol that sums exactly rounds every value to a multiple of it: the error of totals
  /// is at most M unit / 2, and totals are equal at all agents. The consensus uses it as L_z: the error of
  /// totals is about that (Theorem 2), and differs slightly between agents.
  double unit = 1e-6;

  auto operator<=>(const SumRange&) const = default;
};

/// All public facts about one sum.
struct SumShape {
  std::size_t dimension = 0;  ///< the number of values of each agent
  SumRange range;

  auto operator<=>(const SumShape&) const = default;
};

/// How sums are computed. `exact` uses verified sums for up to most_verified agents, and tree sums for more.
enum class SumProtocol { exact, tree, consensus };
std::string to_string(SumProtocol protocol);
/// Throws InputError, listing the protocols, for an unknown name.
SumProtocol parse_sum_protocol(std::string_view name);

/// The parameters of a sum.
using SumPlan = std::variant<ExactPlan, ConsensusPlan>;

class SecureSum {
 public:
  virtual ~SecureSum() = default;

  /// One agent's side. All agents must pass the same number of values. The task must not outlive this object
  /// or the run.
  virtual Task<Values> sum(Run& net, Values mine, SumRange range) const = 0;

  /// Returns the parameters of such a sum. Throws InputError, with a number that would work, if it is not
  /// possible.
  virtual SumPlan plan(const SumShape& shape) const = 0;

  /// Returns whether all agents receive the same total, to the bit.
  virtual bool same_for_all() const = 0;
};

/// Sums by Protocol 1: the average of M times the values, as in (init). Each agent's result is near the sum,
/// but not equal to it.
class ConsensusSum final : public SecureSum {
 public:
  /// Makes a plan for every shape from the graph and from `usual`, except its dimension, value bound and L_z.
  ConsensusSum(Graph graph, PlanRequest usual);

  /// Uses one plan for all sums. Its value bound must cover M times the values; ranges are ignored.
  explicit ConsensusSum(const ConsensusPlan& plan);

  Task<Values> sum(Run& net, Values mine, SumRange range) const override;
  SumPlan plan(const SumShape& shape) const override { return followed(shape); }
  bool same_for_all() const override { return false; }

 private:
  const ConsensusPlan& followed(const SumShape& shape) const;  // the reference stays valid

  std::function<ConsensusPlan(const SumShape&)> make_;
  mutable std::mutex guard_;  // agents on several threads share this object
  mutable std::map<SumShape, ConsensusPlan> plans_;
};

/// Sums by protocol exact: all agents receive the same exact sum of values rounded to multiples of the unit.
class ExactSecureSum final : public SecureSum {
 public:
  /// Makes a plan for every shape from `usual`, except its dimension, bound and unit.
  explicit ExactSecureSum(ExactRequest usual) : usual_(usual) {}

  Task<Values> sum(Run& net, Values mine, SumRange range) const override;
  SumPlan plan(const SumShape& shape) const override { return followed(shape); }
  bool same_for_all() const override { return true; }

 private:
  ExactPlan followed(const SumShape& shape) const;

  ExactRequest usual_;
};

}  // namespace tacit
