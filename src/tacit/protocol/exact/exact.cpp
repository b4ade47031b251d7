#include "tacit/protocol/exact/exact.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/protocol/consensus/units.hpp"
#include "tacit/protocol/exact/masking.hpp"
#include "tacit/protocol/run/statement.hpp"

namespace tacit {

template <class Word>
WipedVector<SignedOf<Word>> fixed_point(const ExactPlan& plan, const Values& values) {
  if (values.size() != plan.dimension)
    throw InputError(
        fmt::format("{} values were given, but the plan is for {}", values.size(), plan.dimension));
  WipedVector<SignedOf<Word>> out(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) throw InputError(fmt::format("value {} is not finite", k));
    if (std::abs(values[k]) > plan.value_bound)
      throw InputError(
          fmt::format("value {} exceeds the public bound {:.6g} of the sum; widen the bound for all agents",
                      k, plan.value_bound));
    out[k] = static_cast<SignedOf<Word>>(std::round(static_cast<long double>(values[k]) / plan.unit));
  }
  return out;
}

template <class Word>
Values Masking<Word>::values() const {
  Values values(plan_.dimension);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = in_reals(ring_.balanced(sum_[k]), plan_.unit);
  return values;
}

const std::vector<AgentId>& mask_circle(const Gathering& gathering, const ExactPlan& plan) {
  return plan.verified ? gathering.roster : gathering.tree(plan.originator).walk;
}

void agree(MaskKeys& keys, AgentId self, const KeyPair& mine, AgentId partner, const PublicKey& theirs) {
  try {
    keys.keys.emplace_back(partner, mine.agree(theirs, pair_name(self, partner)));
  } catch (const Error& e) {
    throw Misbehaviour(partner, fmt::format("no shared key with agent {}: {}", partner, e.what()));
  }
}

std::optional<AgentId> top_of(const ExactPlan& plan) {
  return plan.verified ? std::nullopt : std::optional(plan.originator);
}

namespace {

template <class Word>
Task<Values> formed(Run& net, const ExactPlan& plan, Values mine) {
  const Gathering& gathering = net.gathering();
  if (gathering.roster.size() < plan.fewest)
    throw InputError(fmt::format("only {} agents take part, but the sum needs at least {}",
                                 gathering.roster.size(), plan.fewest));
  if (!gathering.takes_part(plan.originator))
    throw InputError(fmt::format("agent {} requests the sum but does not take part in it", plan.originator));
  WipedVector<SignedOf<Word>> values = fixed_point<Word>(plan, mine);
  if (net.mask_keys() && !net.mask_keys()->serve(plan.mask_degree, top_of(plan))) net.mask_keys().reset();
  if (plan.verified) co_return co_await verified_sum<Word>(net, plan, std::move(values));
  co_return co_await tree_sum<Word>(net, plan, std::move(values));
}

}  // namespace

Task<Values> exact_sum(Run& net, const ExactPlan& plan, Values mine) {
  return plan.modulus_bits <= 64 ? formed<Word64>(net, plan, std::move(mine))
                                 : formed<Word128>(net, plan, std::move(mine));
}

template class Masking<Word64>;
template class Masking<Word128>;
template WipedVector<SignedOf<Word64>> fixed_point<Word64>(const ExactPlan&, const Values&);
template WipedVector<SignedOf<Word128>> fixed_point<Word128>(const ExactPlan&, const Values&);

}  // namespace tacit
