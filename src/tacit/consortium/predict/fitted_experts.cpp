#include "tacit/consortium/predict/fitted_experts.hpp"

namespace tacit {

Fusion rule_at_home(Fusion rule, std::size_t experts) { return experts == 1 ? Fusion::bcm : rule; }

FittedExperts::FittedExperts(const Terms& terms, const Fitted& fitted,
                             const std::shared_ptr<const Crew>& mine, std::size_t most_kept_bytes)
    : fitted_(fitted),
      rule_(terms.model.fusion),
      local_(fitted.standard(mine), fitted.pooled ? fitted.pooled->parts : PooledParts()) {
  if (most_kept_bytes > 0) local_.keep(fitted_.priors, most_kept_bytes);
}

LocalEvidence FittedExperts::evidence(const Matrix& points) const {
  return evidence(points, std::span(&rule_, 1));
}

LocalEvidence FittedExperts::evidence(const Matrix& points, std::span<const Fusion> rules) const {
  return local_.evidence(fitted_.standard_points(points), fitted_.priors, rules);
}

Prediction FittedExperts::at_home(const Matrix& points) const {
  const Fusion rule = rule_at_home(rule_, experts());
  const LocalEvidence own = evidence(points, std::span(&rule, 1));
  return fitted_.original(with_pooled(fuse(rule, own.by_rule[0], own.prior), own));
}

}  // namespace tacit
