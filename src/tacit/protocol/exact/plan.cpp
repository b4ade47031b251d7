#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/protocol/consensus/bounds.hpp"
#include "tacit/protocol/exact/exact.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {
namespace {

constexpr unsigned most_exact_bits = 126;  // leaves room for a balanced residue and its sign in 128-bit words
constexpr std::size_t most_exact_values = 1'000'000'000;
constexpr std::size_t everybody_up_to = 200, usual_collusion = 100;

}  // namespace

std::uint64_t exact_messages(const ExactPlan& plan) {
  const std::uint64_t others = plan.agents - 1;
  return plan.verified ? 4 * plan.agents * others : 6 * others;
}

std::uint64_t exact_vector_bytes(const ExactPlan& plan) {
  const std::uint64_t others = plan.agents - 1;
  return (plan.verified ? plan.agents : 2) * others * plan.message_bytes();
}

Digest digest_of(const ExactPlan& plan) {
  const std::uint64_t whole[] = {plan.agents,     plan.dimension,   plan.modulus_bits,
                                 plan.originator, plan.mask_degree, plan.verified};
  return digest_of({std::as_bytes(std::span(whole)), bytes_of(plan.unit), bytes_of(plan.value_bound)});
}

ExactPlan make_exact_plan(const ExactRequest& request) {
  if (request.agents < 2)
    throw InputError(fmt::format("a sum needs at least 2 agents, not {}", request.agents));
  if (request.dimension == 0) throw InputError("the dimension of a sum must be at least 1, not 0");
  if (request.dimension > most_exact_values)
    throw InputError(
        fmt::format("{} values are more than the {} that can be summed at once; request fewer points",
                    request.dimension, most_exact_values));
  if (!(request.value_bound > 0) || !std::isfinite(request.value_bound))
    throw InputError(
        fmt::format("the bound on the values must be a positive number, not {}", request.value_bound));
  if (!(request.unit >= 0) || !std::isfinite(request.unit))
    throw InputError(fmt::format("the unit of the values must be a positive number, not {}", request.unit));
  if (request.originator >= request.agents)
    throw InputError(fmt::format("agent {} cannot request the sum: agents are 0 to {}", request.originator,
                                 request.agents - 1));
  ExactPlan plan;
  plan.agents = request.agents;
  plan.dimension = request.dimension;
  plan.value_bound = request.value_bound;
  plan.unit = request.unit > 0 ? request.unit : std::ldexp(request.value_bound, -40);
  plan.originator = request.originator;
  plan.verified = !request.tree && request.agents <= most_verified;

  // M values of at most bound/unit + 1/2 each, on both sides of zero.
  const long double largest =
      static_cast<long double>(plan.agents) * (static_cast<long double>(plan.value_bound) / plan.unit + 1);
  plan.modulus_bits = largest < 0x1p125L ? bits_above(2 * largest) : most_exact_bits + 1;
  if (plan.modulus_bits > most_exact_bits)
    throw InputError(fmt::format(
        "sums of {} values up to {:.6g} in units of {:g} need more than {} bits; use a larger unit",
        plan.agents, plan.value_bound, plan.unit, most_exact_bits));

  const std::size_t most = plan.agents - 2;
  plan.collusion =
      std::min(most, request.collusion.value_or(plan.agents <= everybody_up_to ? most : usual_collusion));
  // An even degree d on a circle: any d - 1 agents may leave and the rest stays connected (Harary).
  const std::size_t degree = 2 * ((plan.collusion + 2) / 2);
  plan.mask_degree = degree + 1 >= plan.agents ? 0 : degree;
  // Masks withstand degree - 1 colluding agents. `fewest` leaves two honest agents for the requested bound.
  const std::size_t promised = plan.collusion;
  plan.collusion = plan.mask_degree ? degree - 1 : most;
  plan.fewest = std::clamp<std::size_t>(request.fewest, promised + 2, request.agents);
  return plan;
}

}  // namespace tacit
