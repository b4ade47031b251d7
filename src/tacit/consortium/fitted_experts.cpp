#include "tacit/consortium/fitted_experts.hpp"

namespace tacit {

FittedExperts::FittedExperts(const Terms& terms, const Fitted& fitted, const Samples& mine, unsigned threads,
                             std::size_t most_kept_bytes)
    : fitted_(fitted),
      rule_(terms.model.fusion),
      rows_(fitted.standard(mine)),
      local_(rows_, terms.model.committee, threads) {
  if (most_kept_bytes > 0) local_.keep(fitted_.priors, most_kept_bytes);
}

LocalEvidence FittedExperts::evidence(const Matrix& points) const {
  return evidence(points, std::span(&rule_, 1));
}

LocalEvidence FittedExperts::evidence(const Matrix& points, std::span<const Fusion> rules) const {
  return local_.evidence(fitted_.standard_points(points), fitted_.priors, rules);
}

ConsortiumPosterior FittedExperts::alone(const Matrix& points) const {
  const LocalEvidence said = evidence(points);
  return in_data_units(fitted_, fuse(rule_, said.by_rule[0], said.prior));
}

}  // namespace tacit
