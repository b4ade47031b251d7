#include "tacit/protocol/bounded/bounded_sum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/secrecy/discrete_gaussian.hpp"
#include "tacit/secrecy/privacy_loss.hpp"

namespace tacit {
namespace {

// The norm of a term takes about this many bits, so that truncation adds little to its change.
constexpr int least_bits = 8, usual_bits = 16, most_bits = 24;
// The least variance of an agent's noise, in squared units: a standard deviation of four units. The loss of a
// sum of discrete Gaussians is then that of one (PrivacyLoss.SummedNoiseOfFourUnitsLosesNothing).
constexpr double least_variance = 16;
// A coarser grid is used above this variance. Half of the sampler's largest leaves room for rounding up.
constexpr double largest_variance = static_cast<double>(DiscreteGaussian::most_variance) / 2;
// Numbers of a discrete Gaussian beyond this many standard deviations have a probability below e^-2000. They
// are cut off, because a sum needs a bound.
constexpr double most_deviations = 64;

void check(const BoundedRequest& request) {
  if (request.agents < 3)
    throw InputError(fmt::format("sums with noise need at least 3 agents, not {}", request.agents));
  if (request.colluding < 1 || request.colluding > request.agents - 2)
    throw InputError(fmt::format("the number of colluding agents must be 1 to {} for {} agents, not {}",
                                 request.agents - 2, request.agents, request.colluding));
  if (!(request.rho > 0) || !std::isfinite(request.rho))
    throw InputError(fmt::format("the ρ of a sum must be a positive number, not {:g}", request.rho));
  if (!(request.square > 0) || !std::isfinite(request.square))
    throw InputError(
        fmt::format("the squared norm of a term must be a positive number, not {:g}", request.square));
  if (request.change_square && !(*request.change_square >= request.square))
    throw InputError("a key that is absent changes a sum by its whole term; the change cannot be smaller");
  if (request.most_terms == 0)
    throw InputError("a sum with noise needs the largest number of rows of an agent, a public number");
}

// The plan with terms whose norm takes `bits` bits.
BoundedPlan with_bits(const BoundedRequest& request, int bits) {
  BoundedPlan plan;
  plan.most_terms = request.most_terms;
  plan.colluding = request.colluding;
  plan.grid = std::exp2(std::ceil(std::log2(std::sqrt(request.square))) - bits);
  const double units = request.square / (plan.grid * plan.grid);
  plan.square = static_cast<std::uint64_t>(units);
  // Truncation moves every number of the two terms by less than one unit, in opposite directions at worst.
  const double truncation = 2 * std::sqrt(static_cast<double>(request.dimension));
  plan.change = 2 * std::sqrt(static_cast<double>(plan.square));
  if (request.change_square)
    plan.change = std::min(plan.change, std::sqrt(*request.change_square) / plan.grid + truncation);
  return plan;
}

}  // namespace

double BoundedPlan::noise() const {
  return grid * std::sqrt(static_cast<double>(exact.agents) * static_cast<double>(variance));
}

BoundedPlan make_bounded_plan(const BoundedRequest& request) {
  check(request);
  const std::size_t honest = request.agents - request.colluding;
  BoundedPlan plan;
  double variance = 0;
  for (int bits = usual_bits; bits <= most_bits && variance < least_variance; ++bits) {
    plan = with_bits(request, bits);
    variance = plan.change * plan.change / (2 * request.rho * static_cast<double>(honest));
  }
  for (int bits = usual_bits - 1; bits >= least_bits && variance > largest_variance; --bits) {
    plan = with_bits(request, bits);
    variance = plan.change * plan.change / (2 * request.rho * static_cast<double>(honest));
  }
  // One unit more than needed covers the rounding of doubles here and in rho_of_sum.
  variance = std::ceil(variance * (1 + 1e-8)) + 1;
  if (variance < least_variance)
    throw InputError(fmt::format("ρ = {:g} is too large for a sum with noise; use at most {:g}", request.rho,
                                 request.rho * variance / least_variance));
  if (variance > static_cast<double>(DiscreteGaussian::most_variance))
    throw InputError(
        fmt::format("ρ = {:g} is too small for a sum with noise; use at least {:g}", request.rho,
                    request.rho * variance / static_cast<double>(DiscreteGaussian::most_variance)));
  plan.variance = static_cast<std::uint64_t>(variance);
  plan.rho = rho_of_sum({honest, variance}, plan.change, request.dimension);
  if (plan.rho > request.rho)
    throw InputError(fmt::format("a sum of {} numbers with noise would cost ρ = {:g} instead of {:g}",
                                 request.dimension, plan.rho, request.rho));

  ExactRequest exact;
  exact.agents = request.agents;
  exact.dimension = request.dimension;
  exact.unit = 1;
  exact.value_bound =
      std::ceil(std::sqrt(static_cast<double>(plan.square))) * static_cast<double>(plan.most_terms) +
      std::ceil(most_deviations * std::sqrt(variance));
  if (exact.value_bound >= 0x1p52)
    throw InputError(fmt::format("{} rows of an agent are too many for a sum with noise", plan.most_terms));
  exact.originator = request.originator;
  exact.fewest = request.agents;  // the noise is planned for the whole roster
  exact.tree = request.tree;
  exact.collusion = request.collusion;
  plan.exact = make_exact_plan(exact);
  if (plan.exact.collusion < request.colluding && !request.collusion) {
    exact.collusion = request.colluding;
    plan.exact = make_exact_plan(exact);
  }
  if (plan.exact.collusion < request.colluding)
    throw InputError(fmt::format(
        "masks against {} colluding agents do not cover the {} of the noise; use a larger collusion bound",
        plan.exact.collusion, request.colluding));
  return plan;
}

BoundedTerms::BoundedTerms(const BoundedPlan& plan)
    : square_(plan.square),
      most_(plan.most_terms),
      grid_(plan.grid),
      sum_(plan.exact.dimension),
      term_(plan.exact.dimension) {}

void BoundedTerms::add(std::span<const double> term) {
  if (term.size() != sum_.size())
    throw InputError(fmt::format("a term has {} numbers, but the sum has {}", term.size(), sum_.size()));
  if (++terms_ > most_) return;
  // A number whose square alone is too large would not fit an integer. The comparison is false for NaN.
  const double most = std::sqrt(static_cast<double>(square_)) + 1;
  std::uint64_t square = 0;
  for (std::size_t k = 0; k < term.size(); ++k) {
    const double units = std::trunc(term[k] / grid_);
    if (!(std::abs(units) <= most)) return;
    term_[k] = static_cast<std::int64_t>(units);
    square += static_cast<std::uint64_t>(term_[k] * term_[k]);
    if (square > square_) return;
  }
  for (std::size_t k = 0; k < term.size(); ++k) sum_[k] += term_[k];
}

Task<BoundedTotal> bounded_sum_and_own(Run& net, const BoundedPlan& plan, BoundedTerms mine) {
  // The exact sum folds its own plan. Agents with another grid or other noise must not finish.
  const std::array<double, 3> facts{plan.grid, static_cast<double>(plan.square),
                                    static_cast<double>(plan.variance)};
  net.transcript().fold("bounded", std::as_bytes(std::span(facts)));
  WipedVector<std::int64_t> noise(plan.exact.dimension);
  DiscreteGaussian(plan.variance).draw(net.randomness(), noise);
  const auto most =
      static_cast<std::int64_t>(most_deviations * std::sqrt(static_cast<double>(plan.variance)));
  BoundedTotal result;
  result.own.resize(plan.exact.dimension);
  for (std::size_t k = 0; k < result.own.size(); ++k)
    result.own[k] = static_cast<double>(mine.sum()[k] + std::clamp(noise[k], -most, most));
  result.total = co_await exact_sum(net, plan.exact, result.own);
  // The grid is a power of two, so these products are exact.
  for (double& number : result.total) number *= plan.grid;
  for (double& number : result.own) number *= plan.grid;
  co_return result;
}

Task<Values> bounded_sum(Run& net, const BoundedPlan& plan, BoundedTerms mine) {
  BoundedTotal result = co_await bounded_sum_and_own(net, plan, std::move(mine));
  co_return std::move(result.total);
}

}  // namespace tacit
