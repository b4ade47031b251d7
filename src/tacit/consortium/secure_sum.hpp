// The one seam between regression and protocols: "here is my vector, give me everybody's sum".
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>

#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/consensus/plan.hpp"
#include "tacit/protocol/exact/exact.hpp"
#include "tacit/secrecy/wiped.hpp"

namespace tacit {

/// What is public about the values of one sum. All agents must give the same, to the bit, so it may depend on
/// public facts and on what all agents hold alike, never on an agent's data or its own copy of a result.
struct SumRange {
  double bound = 1;  ///< |value| ≤ bound at every agent; a larger one is refused, never wrapped
  /// The resolution. A protocol that sums exactly rounds every value to a multiple of it: totals are off by
  /// at most M unit / 2 and the same everywhere. The consensus takes it for L_z: totals are off by about that
  /// much (Theorem 2), a little differently at every agent.
  double unit = 1e-6;

  auto operator<=>(const SumRange&) const = default;
};

/// What is public about one sum altogether.
struct SumShape {
  std::size_t dimension = 0;  ///< how many values each agent brings
  SumRange range;

  auto operator<=>(const SumShape&) const = default;
};

/// How sums are formed. `exact` is verified for up to most_verified agents, and a tree beyond.
enum class SumProtocol { exact, tree, consensus };
std::string to_string(SumProtocol protocol);
/// Throws InputError naming the protocols there are.
SumProtocol parse_sum_protocol(std::string_view name);

/// The numbers that a sum of some shape follows.
using SumPlan = std::variant<ExactPlan, ConsensusPlan>;

class SecureSum {
 public:
  virtual ~SecureSum() = default;

  /// One agent's side; everybody gives as many values. The task must not outlive this object or the channel.
  virtual Task<Values> sum(Channel& net, Values mine, SumRange range) const = 0;

  /// What such a sum will follow. Throws InputError, with the number that would do, for one that cannot be
  /// formed.
  virtual SumPlan plan(const SumShape& shape) const = 0;

  /// Does everybody get the same total, to the bit?
  virtual bool same_for_all() const = 0;
};

/// By Protocol 1: the average of M times the values, as in (init). Each agent's result is near the sum, not
/// equal.
class ConsensusSum final : public SecureSum {
 public:
  /// Makes a plan for every range it meets, from the graph and what `usual` says besides dimension, value
  /// bound and L_z.
  ConsensusSum(Graph graph, PlanRequest usual);

  /// For sums that all fit one plan, whose value bound must cover M times the values; ranges are not looked
  /// at.
  explicit ConsensusSum(const ConsensusPlan& plan);

  Task<Values> sum(Channel& net, Values mine, SumRange range) const override;
  SumPlan plan(const SumShape& shape) const override { return followed(shape); }
  bool same_for_all() const override { return false; }

 private:
  const ConsensusPlan& followed(const SumShape& shape) const;  // stays where it is

  std::function<ConsensusPlan(const SumShape&)> make_;
  mutable std::mutex guard_;  // agents on several threads share this object
  mutable std::map<SumShape, ConsensusPlan> plans_;
};

/// By protocol exact: everybody gets the same sum, to the bit, of values rounded to multiples of the unit.
class ExactSecureSum final : public SecureSum {
 public:
  /// Makes a plan for every shape it meets, from what `usual` says besides dimension, bound and unit.
  explicit ExactSecureSum(ExactRequest usual) : usual_(usual) {}

  Task<Values> sum(Channel& net, Values mine, SumRange range) const override;
  SumPlan plan(const SumShape& shape) const override { return followed(shape); }
  bool same_for_all() const override { return true; }

 private:
  ExactPlan followed(const SumShape& shape) const;

  ExactRequest usual_;
};

}  // namespace tacit
