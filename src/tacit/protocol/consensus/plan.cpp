#include "tacit/protocol/consensus/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/graph/connectivity.hpp"
#include "tacit/graph/metropolis.hpp"
#include "tacit/graph/spectrum.hpp"
#include "tacit/protocol/consensus/chebyshev.hpp"

namespace tacit {
namespace {

constexpr unsigned most_consensus_bits = 128;
constexpr std::uint64_t most_denominator = std::uint64_t{1} << 32;
// A run that needs more has an almost disconnected graph or an impossible target.
constexpr std::size_t most_iterations = 10'000'000;
constexpr std::size_t most_consensus_values = 1'000'000'000;
// Twice the largest state must stay two bits below the widest word, as Divider requires.
constexpr long double largest_range = 0x1p126L;
constexpr unsigned most_blinding = 100;

bool accelerated(const Hardening& hardening) { return hardening.acceleration == Acceleration::chebyshev; }

std::size_t most_rounds(const Hardening& hardening) {
  return accelerated(hardening) ? most_chebyshev_iterations : most_iterations;
}

bool changes_states(const Hardening& hardening) { return accelerated(hardening) || hardening.blinding > 0; }

void check(const PlanRequest& request) {
  if (request.lz && !(*request.lz > 0 && std::isfinite(*request.lz)))
    throw InputError(fmt::format(
        "L_z (`lz`) must be a positive number, not {}; leave it out for a planned value", *request.lz));
  if (request.iterations && *request.iterations == 0)
    throw InputError(
        "T = 0 iterations exchange nothing; use at least 1, or leave `iterations` out for a planned value");
  if (!(request.value_bound > 0) || !std::isfinite(request.value_bound))
    throw InputError(
        fmt::format("the bound on the values must be a positive number, not {}", request.value_bound));
  if (request.denominator && *request.denominator >= most_denominator)
    throw InputError(fmt::format("1/L_w = {} is too large; it must stay below {}", *request.denominator,
                                 most_denominator));
  if (request.hardening.blinding > most_blinding)
    throw InputError(fmt::format("blinding by {} bits is more than the {} supported (`blinding`)",
                                 request.hardening.blinding, most_blinding));
  if (request.dimension > most_consensus_values)
    throw InputError(
        fmt::format("{} values are more than the {} that can be averaged at once; request fewer points",
                    request.dimension, most_consensus_values));
  if (request.dimension == 0) throw InputError("the dimension of an average must be at least 1, not 0");
}

// Enlarges a bound so that rounding of doubles cannot make it too small.
double padded(double bound) { return bound * (1 + 0x1p-40); }

// The noise of one pair of neighbours, a power of two in units of L_z L_w, is at least 2^blinding B.
int noise_bits(const ConsensusPlan& plan) {
  const double values = plan.value_bound / plan.lz * static_cast<double>(plan.denominator);
  return static_cast<int>(plan.hardening.blinding) +
         static_cast<int>(std::ceil(std::log2(std::clamp(values, 1.0, 0x1p1000))));
}

// The modulus for states up to plan.state_bound, if words can hold them.
void set_required_bits(ConsensusPlan& plan) {
  const long double range = plan.range();
  if (changes_states(plan.hardening) && !(range <= largest_range))
    throw InputError(fmt::format(
        "states would need {} bits, but at most {} are supported; raise L_z (now {}), tighten the "
        "bound on values (now {:.6g}) or use less blinding",
        std::isfinite(range) ? std::to_string(bits_above(range)) : "too many", bits_above(largest_range),
        plan.lz, plan.value_bound));
  plan.required_bits = required_bits(plan.rule, plan.question());
}

// Sets the bound on starts: the values plus the noise from every neighbour. Refuses a range that is already
// too large.
void set_start(ConsensusPlan& plan) {
  plan.start_bound = plan.value_bound;
  if (plan.hardening.blinding)
    plan.start_bound = padded(plan.value_bound + static_cast<double>(plan.max_degree) * plan.lz * plan.lw() *
                                                     std::ldexp(1.0, noise_bits(plan)));
  plan.state_bound = plan.start_bound;
  set_required_bits(plan);
}

void set_iterations(ConsensusPlan& plan, const PlanRequest& request) {
  if (accelerated(plan.hardening) && plan.lambda > most_chebyshev_lambda)
    throw InputError(
        fmt::format("this graph mixes too slowly for acceleration (λ = {}); add edges", plan.lambda));
  const std::size_t most = most_rounds(plan.hardening);
  plan.iterations = request.iterations.value_or(plan.enough_iterations());
  if (plan.iterations <= most) return;
  if (request.iterations)
    throw InputError(fmt::format("{} iterations are more than the {} supported{} (`iterations`)",
                                 plan.iterations, most,
                                 accelerated(plan.hardening) ? " with acceleration" : ""));
  throw InputError(
      fmt::format("this graph mixes so slowly (λ = {}) that it needs {} iterations; add edges or raise L_z",
                  plan.lambda, plan.iterations));
}

// Sets the bound on states in T rounds.
void set_bounds(ConsensusPlan& plan) {
  if (accelerated(plan.hardening)) {
    plan.guard_bits = chebyshev_guard_bits(plan.lambda, plan.denominator, plan.iterations);
    plan.state_bound =
        padded(chebyshev_state_bound(plan.lambda, plan.agents, plan.start_bound, plan.lz, plan.iterations));
  }
  if (plan.hardening.blinding) plan.noise_bits = static_cast<unsigned>(noise_bits(plan)) + plan.guard_bits;
  set_required_bits(plan);
}

}  // namespace

unsigned required_bits(ModulusRule rule, const ModulusQuestion& question) {
  // (qbound) exceeds the range bound except for values of a few L_z. There it would not cover the state
  // itself.
  const long double range = modulus_bound_range(question);
  const long double bound =
      rule == ModulusRule::paper ? std::max(range, modulus_bound_paper(question)) : range;
  const bool fits = range <= largest_range && std::isfinite(bound);
  const unsigned bits = std::isfinite(bound) ? bits_above(bound) : most_consensus_bits + 1;
  if (!fits || bits > most_consensus_bits)
    throw InputError(
        fmt::format("the modulus would need {} bits, but at most {} are supported; raise L_z (now {}) or "
                    "tighten the bound on values (now {:.6g})",
                    std::isfinite(bound) ? std::to_string(bits) : "too many", most_consensus_bits,
                    question.lz, question.value_bound));
  return bits;
}

unsigned required_bits(const ConsensusPlan& plan, double value_bound) {
  ConsensusPlan other = plan;
  other.value_bound = value_bound;
  set_start(other);
  set_bounds(other);
  return other.required_bits;
}

long double ConsensusPlan::unit() const {
  return std::ldexp(static_cast<long double>(lz) / static_cast<long double>(denominator),
                    -static_cast<int>(guard_bits));
}

long double ConsensusPlan::range() const {
  // An accelerated step computes ω (W z(t) − z(t−1)): ω < 2 times the sum of two states and a neighbourhood
  // sum, which is not larger than a state.
  const long double states = modulus_bound_range(question());
  return accelerated(hardening) ? std::ldexp(6 * states, static_cast<int>(guard_bits)) : states;
}

double ConsensusPlan::transient() const {
  return accelerated(hardening) ? chebyshev_transient(lambda, agents, 2 * start_bound, iterations)
                                : transient_error(lambda, agents, 2 * start_bound, iterations);
}

double ConsensusPlan::quantiser_error() const {
  return accelerated(hardening) ? chebyshev_state_bound(lambda, agents, 0, lz, iterations) : lz;
}

double ConsensusPlan::error() const {
  const double rounding = static_cast<double>(unit()) / 2 + 0x1p-52 * value_bound, left = transient();
  const double average =
      accelerated(hardening)
          ? chebyshev_state_bound(lambda, agents, left / std::sqrt(static_cast<double>(agents)), lz,
                                  iterations)
          : left + quantiser_bound(lambda, agents, lz, iterations);
  return padded(average + rounding);
}

std::optional<std::size_t> ConsensusPlan::iterations_within(double target) const {
  ConsensusPlan other = *this;
  // The other parts of the error grow only slightly with T, so the loop ends after a few turns.
  for (std::size_t enough = 1; enough <= most_rounds(hardening);) {
    other.iterations = enough;
    if (other.error() < target) return enough;
    const double spare = target - (other.error() - other.transient());
    if (!(spare > 0)) return std::nullopt;
    enough = std::max(enough + 1, other.iterations_leaving(spare));
  }
  return std::nullopt;
}

std::size_t ConsensusPlan::iterations_leaving(double target) const {
  return accelerated(hardening) ? chebyshev_iterations(lambda, agents, 2 * start_bound, target)
                                : iterations_for(lambda, agents, 2 * start_bound, target);
}

ConsensusPlan make_plan(const Graph& graph, const PlanRequest& request) {
  check(request);
  if (graph.agents() < 2)
    throw InputError(fmt::format("a consensus needs at least 2 agents, not {}", graph.agents()));
  check_connected(graph);
  if (request.require_triangles && request.hardening.masks == MaskSource::shares) check_triangles(graph);

  ConsensusPlan plan;
  plan.agents = graph.agents();
  plan.max_degree = graph.max_degree();
  plan.dimension = request.dimension;
  plan.value_bound = request.value_bound;
  plan.lz = request.lz.value_or(1e-6 * plan.value_bound);
  // (qbound) is for the paper's states; hardened ones have their own bound.
  plan.rule = changes_states(request.hardening) ? ModulusRule::range : request.rule;
  plan.hardening = request.hardening;
  const MetropolisWeights weights =
      request.denominator ? MetropolisWeights(graph, *request.denominator) : MetropolisWeights(graph);
  plan.denominator = weights.denominator();
  plan.exact_weights = weights.exact();
  plan.lambda = consensus_rate(graph, weights);

  set_start(plan);
  set_iterations(plan, request);
  set_bounds(plan);
  plan.modulus_bits = request.modulus_bits.value_or(plan.required_bits);
  if (plan.modulus_bits < plan.required_bits)
    throw InputError(
        fmt::format("a modulus of {} bits is too small for values up to {:.6g} at L_z = {:g}: {} needs {} "
                    "bits (`modulus_bits={}`)",
                    plan.modulus_bits, plan.value_bound, plan.lz,
                    plan.rule == ModulusRule::paper ? "the paper's bound" : "the range bound",
                    plan.required_bits, plan.required_bits));
  if (plan.modulus_bits > most_consensus_bits)
    throw InputError(fmt::format("a modulus of {} bits is more than the {} supported (`modulus_bits`)",
                                 plan.modulus_bits, most_consensus_bits));
  return plan;
}

}  // namespace tacit
