#include "tacit/consortium/pool/place_landmarks.hpp"

#include <fmt/format.h>

#include "tacit/base/error.hpp"
#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/consortium/terms/public_facts.hpp"
#include "tacit/gp/landmarks/landmarks.hpp"

namespace tacit {
namespace {

std::vector<std::size_t> levels_of(const std::vector<Column>& columns) {
  std::vector<std::size_t> levels;
  for (const Column& column : columns) levels.push_back(column.levels.size());
  return levels;
}

std::size_t agreed_count(const Terms& terms, std::size_t rows) {
  const LandmarkTerms& agreed = terms.model.landmarks;
  const std::size_t ceiling =
      landmark_ceiling(rows, terms.inputs.size(), terms.targets.size(), most_priors(terms));
  if (!agreed.count) return std::min(ceiling, rows);
  if (*agreed.count > rows)
    throw TooManyLandmarks(
        rows,
        fmt::format("{} landmarks are more than the {} rows of all agents together; request fewer landmarks",
                    *agreed.count, rows));
  if (*agreed.count > ceiling && !agreed.above_ceiling)
    throw TooManyLandmarks(
        ceiling,
        fmt::format("{} landmarks would open {} numbers about {} rows with {} numbers, which is more than a "
                    "quarter; request at most {}, or agree on more in the charter "
                    "(model.landmarks_above_ceiling = true)",
                    *agreed.count, landmark_numbers(*agreed.count, terms.targets.size(), most_priors(terms)),
                    rows, held_numbers(rows, terms.inputs.size(), terms.targets.size()), ceiling));
  return *agreed.count;
}

}  // namespace

std::size_t most_priors(const Terms& terms) {
  return terms.tuning.search && !terms.tuning.search->shared ? terms.targets.size() : 1;
}

void check_landmarks(const Terms& terms) {
  const LandmarkTerms& agreed = terms.model.landmarks;
  if (terms.tuning.on_landmarks && (!agreed.any() || !terms.tuning.search))
    throw InputError(
        "tuning on landmarks (`tune_landmarks`) needs landmarks and `tune=exact`; leave it out or add them");
  if (!agreed.any()) return;
  if (terms.protocol.sums == SumProtocol::consensus)
    throw InputError(
        "landmarks need sums that are equal at all agents, which the consensus does not provide; use the "
        "exact "
        "protocol, or `landmarks=0`");
  if (terms.tuning.own_signals)
    throw InputError(
        "landmarks need one kernel for all agents, but with `tune=paper` each agent has its own; use "
        "`tune=exact`, or `landmarks=0`");
  if (agreed.count && *agreed.count > most_landmarks)
    throw InputError(fmt::format("{} landmarks are too many; use at most {}", *agreed.count, most_landmarks));
  const auto inputs = static_cast<Index>(width(terms.inputs));
  if (agreed.listed.size() > 0 && agreed.listed.cols() != inputs)
    throw InputError(fmt::format(
        "the landmarks have {} columns, but the model takes {} inputs; use the same columns in the "
        "same order",
        agreed.listed.cols(), inputs));
  if (agreed.listed.size() > 0) check_landmark_points(agreed.listed);
}

Task<PlacedLandmarks> place_landmarks(Run& net, const SecureSum& sums, const Terms& terms,
                                      const Fitted& fitted, const Crew& mine) {
  const LandmarkTerms& agreed = terms.model.landmarks;
  const ColumnFacts facts = column_facts(terms);
  PlacedLandmarks placed;
  if (agreed.listed.rows() > 0 && fitted.standardisation) {
    placed = {fitted.standardisation->rows, fitted.standard_points(agreed.listed)};
    agreed_count(terms, placed.rows);
    co_return placed;
  }
  const InputMoments moments = co_await moments_privately(net, sums, facts, mine, fitted.standardisation);
  placed.rows = moments.rows;
  const std::size_t count = agreed_count(terms, placed.rows);
  const Matrix points = agreed.listed.rows() > 0
                            ? agreed.listed
                            : draw_landmarks(moments, facts, levels_of(terms.inputs), count, agreed.seed);
  if (agreed.count && points.rows() < static_cast<Index>(count))
    throw InputError(
        fmt::format("there are only {} different points for {} landmarks; request fewer landmarks",
                    points.rows(), count));
  placed.points = fitted.standard_points(points);
  co_return placed;
}

}  // namespace tacit
