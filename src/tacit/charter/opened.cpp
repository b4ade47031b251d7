#include "tacit/charter/opened.hpp"

#include <algorithm>

#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/consortium/pool/place_landmarks.hpp"
#include "tacit/consortium/terms/public_facts.hpp"

namespace tacit {

Opened opened_by(const Terms& terms) {
  Fitted start;
  start.priors.assign(terms.targets.size(),
                      checked_prior(terms.model.start, static_cast<Index>(width(terms.inputs))));
  if (terms.model.standardise) start.standardisation.emplace().rows = terms.agents() * terms.limits.rows;
  Opened opened;
  if (terms.model.standardise)
    for (const SumShape& shape : standardise_sums(column_facts(terms))) {
      opened.standardising += shape.dimension;
      opened.largest = std::max(opened.largest, shape.dimension);
    }
  if (const auto& search = terms.tuning.search) {
    opened.a_trial =
        likelihood_sum(tune_facts(terms, start.standardisation), *search, start.priors).dimension;
    opened.trials = search->limits.most_evaluations * (search->restarts + 1);
  }
  if (const LandmarkTerms& agreed = terms.model.landmarks; agreed.any()) {
    const std::size_t priors = most_priors(terms);
    if (agreed.listed.rows() == 0 || !terms.model.standardise)
      opened.moments = moments_sum(column_facts(terms), terms.model.standardise).dimension;
    opened.landmarks = agreed.count.value_or(landmark_ceiling(
        terms.agents() * terms.limits.rows, terms.inputs.size(), terms.targets.size(), priors));
    opened.pooled = landmark_numbers(opened.landmarks, terms.targets.size(), priors);
  }
  opened.a_point = prediction_shape(terms, start, 1).dimension;
  opened.a_score =
      score_sum({.outputs = terms.targets.size(), .rows = 1, .error = 1, .signal = 1, .noise = 1}).dimension;
  opened.largest = std::max({opened.largest, opened.a_trial, opened.moments, opened.a_score,
                             opened.a_point * terms.limits.points, static_cast<std::size_t>(opened.pooled)});
  return opened;
}

}  // namespace tacit
