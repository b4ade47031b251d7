#include "tacit/consortium/terms/terms.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/consortium/pool/place_landmarks.hpp"
#include "tacit/consortium/terms/public_facts.hpp"
#include "tacit/gp/kernel/bounds.hpp"
#include "tacit/graph/connectivity.hpp"
#include "tacit/table/cells/dates.hpp"

namespace tacit {
void set_days(Column& column, const std::string& start, const std::string& low, const std::string& high) {
  column.start = start;
  const double zero = parse_day(start).value();
  column.low = parse_day(low).value() - zero;
  column.high = parse_day(high).value() - zero + 1 - 0x1p-20;  // a tenth of a second before the next day
}

std::string value_text(const Column& column, double value) {
  const double most = 4e6;  // in days, about ten thousand years; another agent may send any value
  const auto start = column.is_date() && std::abs(value) < most ? parse_day(column.start) : std::nullopt;
  return start ? day_text(*start + value) : fmt::format("{}", value + 0.0);  // no -0
}

std::string range_text(const Column& column) {
  return fmt::format("{} to {}", value_text(column, column.low), value_text(column, column.high));
}

std::size_t width(const std::vector<Column>& columns) {
  std::size_t sum = 0;
  for (const Column& column : columns) sum += column.categorical() ? column.levels.size() : 1;
  return sum;
}

void check_model(const Terms& terms) {
  const auto inputs = static_cast<Index>(width(terms.inputs));
  const Prior start = checked_prior(terms.model.start, inputs);
  if (terms.tuning.search) check(*terms.tuning.search, {start});
  if (kernel_bounds(start.kernel, inputs, 1).low == 0)
    throw InputError(
        fmt::format("kernel \"{}\" can have k(x,x) = 0, so agents' values have no bound; add \"+ constant\"",
                    start.kernel.form()));
}

void check(const Terms& terms) {
  check_model(terms);
  const ProtocolTerms& protocol = terms.protocol;
  if (protocol.sums != SumProtocol::consensus) check_connected(terms.graph);
  if (protocol.unit && !(*protocol.unit > 0 && std::isfinite(*protocol.unit)))
    throw InputError(fmt::format(
        "the unit of values, L_z (`lz`), must be a positive number, not {}; leave it out for a planned value",
        *protocol.unit));
  check_landmarks(terms);
}

void check_numbers(const Terms& terms) {
  Fitted start;
  start.priors.assign(terms.targets.size(),
                      checked_prior(terms.model.start, static_cast<Index>(width(terms.inputs))));
  if (terms.model.standardise) start.standardisation.emplace().rows = terms.agents() * terms.limits.rows;
  const auto sums = make_sums(terms, {});
  for (const SumShape& shape : standardise_sums(column_facts(terms))) sums->plan(shape);
  if (terms.tuning.search)
    sums->plan(likelihood_sum(tune_facts(terms, start.standardisation), *terms.tuning.search, start.priors));
  if (terms.model.landmarks.any()) {
    const SumShape moments = moments_sum(column_facts(terms), terms.model.standardise);
    if (moments.dimension > 0) sums->plan(moments);
    const std::size_t landmarks = terms.model.landmarks.count.value_or(most_landmarks);
    sums->plan(pooled_sum(pooled_facts(terms, start, landmarks)));
  }
  make_prediction_sums(terms, {})->plan(prediction_shape(terms, start, 1));
}

}  // namespace tacit
