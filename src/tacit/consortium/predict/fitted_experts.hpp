// What one agent knows by itself once a model is fitted: its experts, in the units of the model.
#pragma once

#include <span>

#include "tacit/consortium/fitted.hpp"

namespace tacit {

/// The rule by which an agent fuses its own experts. Every rule but rbcm leaves a single expert as it is, and
/// nobody would weigh one by rbcm.
Fusion rule_at_home(Fusion rule, std::size_t experts);

class FittedExperts {
 public:
  /// With most_kept_bytes, factors are kept while all of them fit in, so that a second request costs no
  /// factorisation. Results are the same for any number of threads.
  FittedExperts(const Terms& terms, const Fitted& fitted, const std::shared_ptr<const Crew>& mine,
                std::size_t most_kept_bytes = 0);
  /// Of rows in this process, to which it holds references.
  FittedExperts(const Terms& terms, const Fitted& fitted, const Samples& mine, unsigned threads = 1,
                std::size_t most_kept_bytes = 0)
      : FittedExperts(terms, fitted, crew_of(mine, terms.model.committee, threads), most_kept_bytes) {}

  std::size_t experts() const { return local_.experts(); }

  /// What they say at points in the data's units, by the terms' rule or by each of some rules.
  LocalEvidence evidence(const Matrix& points) const;
  LocalEvidence evidence(const Matrix& points, std::span<const Fusion> rules) const;

  /// What this agent would predict by itself: the pooled part of the model, which it holds, and its own
  /// experts. No message is needed, and nobody learns what was asked.
  ConsortiumPosterior at_home(const Matrix& points) const;

 private:
  const Fitted fitted_;
  const Fusion rule_;
  LocalExperts local_;
};

}  // namespace tacit
