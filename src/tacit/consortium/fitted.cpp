#include "tacit/consortium/fitted.hpp"

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/consortium/standardise/least_scale.hpp"
#include "tacit/consortium/terms/public_facts.hpp"

namespace tacit {

Pooled::Pooled(std::size_t n, Matrix points, std::vector<PooledTotals> sums, const Priors& priors)
    : rows(n), landmarks(std::move(points)), totals(std::move(sums)) {
  for_each_prior(priors, [&](Index, Index count, const Prior& prior) {
    if (parts.size() >= totals.size() || totals[parts.size()].weighted.cols() != count)
      throw InputError("the sums over landmarks do not fit the targets");
    const PooledTotals& its = totals[parts.size()];
    parts.push_back(std::make_shared<const PooledPart>(
        std::make_shared<const Landmarks>(landmarks, prior.kernel), its.precision, its.weighted));
    most_weight = std::max(most_weight, parts.back()->weights().colwise().norm().maxCoeff());
  });
  if (parts.size() != totals.size()) throw InputError("the sums over landmarks do not fit the targets");
  most_weight = std::exp2(std::ceil(std::log2(std::max(most_weight, 1e-3))));  // equal on all machines
}

Samples Fitted::standard(const Samples& data) const {
  return standardisation ? standardisation->standard(data) : data;
}

std::shared_ptr<const Crew> Fitted::standard(const std::shared_ptr<const Crew>& rows) const {
  if (!standardisation) return rows;
  return rows->in_units(
      std::make_shared<const RowUnits>(RowUnits{standardisation->inputs, standardisation->outputs}));
}

Matrix Fitted::standard_points(const Matrix& points) const {
  return standardisation ? standardisation->inputs.standard(points) : points;
}

Prediction Fitted::original(const Prediction& prediction) const {
  Prediction original = standardisation ? standardisation->original(prediction) : prediction;
  add_noise(original, noise_variance());
  return original;
}

Vector Fitted::noise_variance() const {
  Vector noise(static_cast<Index>(priors.size()));
  for (std::size_t k = 0; k < priors.size(); ++k) noise(static_cast<Index>(k)) = std::pow(priors[k].noise, 2);
  return standardisation ? noise.cwiseProduct(standardisation->outputs.scale.cwiseAbs2()).eval() : noise;
}

namespace {

// The maximum of |μ| for rows within the ranges.
double most_weight(const Terms& terms, const Fitted& fitted) {
  Fitted before = fitted;
  before.pooled.reset();
  const PublicFacts facts = public_facts(terms, before);
  constexpr double slack = 1.1;  // because sums are rounded
  return slack * std::sqrt(most_weight_square(static_cast<double>(fitted.pooled->rows), facts.output_max,
                                              facts.noise));
}

}  // namespace

void check_plausible(const Fitted& fitted, const Terms& terms) {
  const ColumnFacts facts = column_facts(terms);
  const auto sound = [](const Scaling& scaling, const std::vector<ColumnRange>& columns) {
    if (scaling.shift.size() != static_cast<Index>(columns.size()) ||
        scaling.scale.size() != scaling.shift.size())
      return false;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double shift = scaling.shift(static_cast<Index>(k)), scale = scaling.scale(static_cast<Index>(k));
      const double width = columns[k].high - columns[k].low;
      if (!(shift >= columns[k].low && shift <= columns[k].high)) return false;
      if (!(scale >= least_scale(columns[k]) / (1 + 1e-6) && scale <= std::max(1.0, width)))
        return false;  // the scale of a constant column is 1
    }
    return true;
  };
  const auto& search = terms.tuning.search;
  constexpr double slack = 1 + 1e-6;
  const auto inside = [&](double value) {
    return value >= search->box_low / slack && value <= search->box_high * slack;
  };
  const auto far_enough = [&](const Kernel::Leaf& leaf) {
    return std::all_of(leaf.lengthscale.begin(), leaf.lengthscale.end(),
                       [&](double value) { return value >= search->lengthscale_low / slack; });
  };
  const Prior start = checked_prior(terms.model.start, static_cast<Index>(facts.inputs.size()));
  const auto allowed = [&](const Prior& prior) {
    if (!search) return prior == start;
    const std::vector<double> numbers = prior.kernel.numbers();
    return prior.kernel.form() == start.kernel.form() && numbers.size() == start.kernel.parameters() &&
           inside(prior.noise) && prior.noise >= search->noise_low / slack &&
           std::all_of(numbers.begin(), numbers.end(), inside) &&
           std::all_of(prior.kernel.leaves().begin(), prior.kernel.leaves().end(), far_enough);
  };
  const auto& s = fitted.standardisation;
  const auto pooled_allowed = [&] {
    const LandmarkTerms& agreed = terms.model.landmarks;
    if (!fitted.pooled) return !agreed.any() || !agreed.count;  // with few rows, there may be no landmarks
    const Pooled& pooled = *fitted.pooled;
    const auto m = static_cast<std::size_t>(pooled.landmarks.rows());
    return agreed.any() && m >= 1 && m <= agreed.count.value_or(most_landmarks) &&
           pooled.landmarks.cols() == static_cast<Index>(width(terms.inputs)) &&
           pooled.landmarks.allFinite() && pooled.rows >= m &&
           pooled.rows <= terms.agents() * terms.limits.rows && (!s || s->rows == pooled.rows) &&
           pooled.most_weight / 2 <= most_weight(terms, fitted);
  };
  if (!pooled_allowed() || fitted.priors.size() != terms.targets.size() ||
      s.has_value() != terms.model.standardise ||
      (s && !(sound(s->inputs, facts.inputs) && sound(s->outputs, facts.outputs) && s->rows >= 1 &&
              s->rows <= terms.agents() * terms.limits.rows)) ||
      !std::all_of(fitted.priors.begin(), fitted.priors.end(), allowed))
    throw InputError("the model cannot be the result of a fit under this charter");
}

}  // namespace tacit
