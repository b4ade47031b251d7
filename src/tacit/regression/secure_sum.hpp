// The one seam between regression and protocols: "here is my vector, give me everybody's sum".
#pragma once

#include "tacit/protocol/channel.hpp"
#include "tacit/protocol/plan.hpp"
#include "tacit/protocol/task.hpp"
#include "tacit/secrecy/wiped.hpp"

namespace tacit {

class SecureSum {
 public:
  virtual ~SecureSum() = default;

  /// One agent's side. The task must not outlive this object or the channel.
  virtual Task<Values> sum(Channel& net, Values mine) const = 0;
};

/// By Protocol 1: the average of M times the values, as in (init). Each agent's result is near the sum, not
/// equal.
class ConsensusSum final : public SecureSum {
 public:
  /// The plan's value bound must cover M times the values.
  explicit ConsensusSum(ConsensusPlan plan) : plan_(plan) {}
  Task<Values> sum(Channel& net, Values mine) const override;
  const ConsensusPlan& plan() const { return plan_; }

 private:
  ConsensusPlan plan_;
};

}  // namespace tacit
