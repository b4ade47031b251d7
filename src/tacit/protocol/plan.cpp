#include "tacit/protocol/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/graph/connectivity.hpp"
#include "tacit/graph/metropolis.hpp"
#include "tacit/graph/spectrum.hpp"
#include "tacit/graph/traffic.hpp"

namespace tacit {
namespace {

constexpr unsigned most_bits = 128;
constexpr std::uint64_t most_denominator = std::uint64_t{1} << 32;
// Beyond this a run is no longer a run: a disconnected-looking graph or an impossible target.
constexpr std::size_t most_iterations = 10'000'000;
constexpr std::size_t most_values = 1'000'000'000;

void check(const PlanRequest& request) {
  if (request.lz && !(*request.lz > 0 && std::isfinite(*request.lz)))
    throw InputError(fmt::format(
        "L_z (--lz) must be a positive number, not {}; leave it out to have it planned", *request.lz));
  if (request.iterations && *request.iterations == 0)
    throw InputError(
        "T = 0 iterations exchange nothing; give at least 1, or leave --iterations out to have it planned");
  if (!(request.value_bound > 0) || !std::isfinite(request.value_bound))
    throw InputError(
        fmt::format("the bound on the values must be a positive number, not {}", request.value_bound));
  if (request.denominator && *request.denominator >= most_denominator)
    throw InputError(fmt::format("1/L_w = {} is too large; it must stay below {}", *request.denominator,
                                 most_denominator));
  if (request.iterations && *request.iterations > most_iterations)
    throw InputError(fmt::format("{} iterations are more than the {} supported (--iterations)",
                                 *request.iterations, most_iterations));
  if (request.dimension > most_values)
    throw InputError(
        fmt::format("{} values are more than the {} that can be averaged at once; ask for fewer points",
                    request.dimension, most_values));
  if (request.dimension == 0) throw InputError("there is nothing to average: the dimension is 0");
}

}  // namespace

unsigned required_bits(ModulusRule rule, const ModulusQuestion& question) {
  // (qbound) exceeds the range bound except for values of a few L_z, where it leaves no room for the state
  // itself.
  const long double range = modulus_bound_range(question);
  const long double bound =
      rule == ModulusRule::paper ? std::max(range, modulus_bound_paper(question)) : range;
  // Twice the largest state must stay two bits below the widest word, for Divider's sake.
  const bool fits = range <= 0x1p126L && std::isfinite(bound);
  const unsigned bits = std::isfinite(bound) ? bits_above(bound) : most_bits + 1;
  if (!fits || bits > most_bits)
    throw InputError(
        fmt::format("the modulus would need {} bits and at most {} are supported; raise L_z (now {}) or "
                    "tighten the bound on values (now {:.6g})",
                    std::isfinite(bound) ? std::to_string(bits) : "too many", most_bits, question.lz,
                    question.value_bound));
  return bits;
}

ConsensusPlan make_plan(const Graph& graph, const PlanRequest& request) {
  check(request);
  if (graph.agents() < 2)
    throw InputError("one agent has nobody to average with; a consensus needs at least 2 agents");
  check_connected(graph);
  if (request.require_triangles) check_triangles(graph);

  ConsensusPlan plan;
  plan.agents = graph.agents();
  plan.dimension = request.dimension;
  plan.value_bound = request.value_bound;
  plan.lz = request.lz.value_or(1e-6 * plan.value_bound);
  plan.rule = request.rule;
  plan.leaving = request.leaving;
  const MetropolisWeights weights = request.leaving
                                        ? MetropolisWeights::for_leaving(graph, request.denominator)
                                    : request.denominator ? MetropolisWeights(graph, *request.denominator)
                                                          : MetropolisWeights(graph);
  plan.denominator = weights.denominator();
  plan.exact_weights = weights.exact();
  plan.lambda = consensus_rate(graph, weights);

  plan.required_bits = required_bits(plan.rule, plan.question());
  plan.modulus_bits = request.modulus_bits.value_or(plan.required_bits);
  if (plan.modulus_bits < plan.required_bits)
    throw InputError(
        fmt::format("a modulus of {} bits is too small for values up to {:.6g} at L_z = {:g}: {} needs {} "
                    "bits (--modulus-bits {})",
                    plan.modulus_bits, plan.value_bound, plan.lz,
                    plan.rule == ModulusRule::paper ? "(qbound)" : "the range bound", plan.required_bits,
                    plan.required_bits));
  if (plan.modulus_bits > most_bits)
    throw InputError(fmt::format("a modulus of {} bits is more than the {} supported (--modulus-bits)",
                                 plan.modulus_bits, most_bits));

  const std::size_t planned = iterations_for(plan.lambda, plan.agents, 2 * plan.value_bound, plan.lz);
  if (!request.iterations && planned > most_iterations)
    throw InputError(fmt::format(
        "this graph mixes so slowly (λ = {}) that {} iterations would be needed; add edges or raise L_z",
        plan.lambda, planned));
  plan.iterations = request.iterations.value_or(planned);
  return plan;
}

ConsensusPlan make_plan(const HelpedGraph& graph, PlanRequest request) {
  if (graph.helpers() > 0 && request.require_triangles) {
    check_connected(graph.agents);  // first, as the likelier mistake
    check_triangles(graph);
    request.require_triangles = false;
  }
  return make_plan(graph.agents, request);
}

namespace {

Traffic whole_run(const ConsensusPlan& plan, std::uint64_t messages, std::uint64_t rolls) {
  if (!plan.leaving) rolls = 0;
  if ((static_cast<long double>(messages) * plan.message_bytes() + rolls) * plan.iterations > 1e18L)
    throw InputError("this run would send more than 10^18 bytes; use fewer edges, values or iterations");
  return {(messages + rolls) * plan.iterations, (messages * plan.message_bytes() + rolls) * plan.iterations};
}

}  // namespace

Traffic planned_traffic(const HelpedGraph& graph, const ConsensusPlan& plan, AgentId agent) {
  return whole_run(plan, messages_sent(graph, agent), graph.everybody.degree(agent));
}

Traffic planned_traffic(const HelpedGraph& graph, const ConsensusPlan& plan) {
  std::uint64_t messages = 0;
  if (graph.helpers() == 0)
    messages = 2 * graph.agents.edges() + share_messages(graph.agents);
  else
    for (AgentId i = 0; i < graph.everybody.agents(); ++i) messages += messages_sent(graph, i);
  return whole_run(plan, messages, 2 * graph.everybody.edges());
}

}  // namespace tacit
