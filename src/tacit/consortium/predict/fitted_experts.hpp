// One agent's own experts after a fit, in the units of the model.
#pragma once

#include <span>

#include "tacit/consortium/fitted.hpp"

namespace tacit {

/// Returns the rule by which an agent fuses its own experts. A single expert is not weighted: every rule
/// except rbcm leaves it unchanged, and rbcm is replaced.
Fusion rule_at_home(Fusion rule, std::size_t experts);

class FittedExperts {
 public:
  /// With most_kept_bytes, all factors are kept if they fit, so that a second request needs no factorisation.
  /// Results do not depend on the number of threads.
  FittedExperts(const Terms& terms, const Fitted& fitted, const std::shared_ptr<const Crew>& mine,
                std::size_t most_kept_bytes = 0);
  /// For rows in this process, to which the object holds references.
  FittedExperts(const Terms& terms, const Fitted& fitted, const Samples& mine, unsigned threads = 1,
                std::size_t most_kept_bytes = 0)
      : FittedExperts(terms, fitted, crew_of(mine, terms.model.committee, threads), most_kept_bytes) {}

  std::size_t experts() const { return local_.experts(); }

  /// Return the experts' evidence at points in the data's units, by the terms' rule or by each of some rules.
  LocalEvidence evidence(const Matrix& points) const;
  LocalEvidence evidence(const Matrix& points, std::span<const Fusion> rules) const;

  /// Returns the agent's own prediction from the pooled part of the model and its own experts. No message is
  /// sent, so no other agent learns the points.
  Prediction at_home(const Matrix& points) const;

 private:
  const Fitted fitted_;
  const Fusion rule_;
  LocalExperts local_;
};

}  // namespace tacit
