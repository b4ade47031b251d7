#include "tacit/protocol/consensus/consensus.hpp"

#include <span>
#include <utility>
#include <vector>

#include "tacit/base/error.hpp"
#include "tacit/graph/metropolis.hpp"
#include "tacit/protocol/channel/inbox.hpp"
#include "tacit/protocol/consensus/blinding.hpp"
#include "tacit/protocol/consensus/chebyshev.hpp"
#include "tacit/protocol/consensus/key_exchange.hpp"
#include "tacit/protocol/consensus/masks.hpp"
#include "tacit/protocol/consensus/update.hpp"

namespace tacit {
namespace {

template <class Word>
using State = WipedVector<SignedOf<Word>>;

// One agent's side of an iteration. Masks is the source of masks (masks.hpp), Update the rule by which the
// state moves (update.hpp, chebyshev.hpp).
template <class Word, class Masks, class Update>
class Iteration {
 public:
  Iteration(Channel& net, const Neighbourhood& here, const ConsensusPlan& plan, std::uint32_t run,
            Masks masks, Update update)
      : net_(net),
        here_(here),
        plan_(plan),
        run_(run),
        ring_(plan.modulus_bits),
        masks_(std::move(masks)),
        update_(std::move(update)),
        inbox_(ring_) {
    // The agent's own part is last, so that its mask is complete when masked values arrive. A helper has
    // none.
    for (AgentId i : here_.aggregators()) add_part(i);
    if (here_.helps()) return;
    add_part(here_.self);
    set_weights();
  }

  /// (jshare), (ishare): the part of the masks that the agent computes without other agents' shares.
  void begin_masks(std::uint32_t t) {
    for (Part& part : parts_) masks_.begin(part.aggregator, part.circle, t, part.mask);
  }

  /// (mask), (theta): the circle's shares complete φ_{i,self}, which hides w̄_{i,self} Q(z̄_self) from the
  /// aggregator i.
  Task<void> send_masked(std::uint32_t t) {
    for (Part& part : parts_) {
      const Tag tag{run_, t, part.aggregator, Step::share};
      for (AgentId l : part.circle) {
        Payload share = co_await net_.receive(l, tag);
        inbox_.put(l, std::move(share));
      }
      if (part.aggregator == here_.self) {
        inbox_.add_to(part.mask, tag, [](std::size_t, std::size_t) {});
        continue;
      }
      Payload masked = net_.buffer(packed_size(ring_, plan_.dimension));
      inbox_.add_to(part.mask, tag, [&](std::size_t from, std::size_t n) {
        pack_affine<Word>(ring_, part.weight, update_.quantised().subspan(from, n),
                          std::span(part.mask).subspan(from, n),
                          masked.bytes().subspan(packed_size(ring_, from), packed_size(ring_, n)));
      });
      net_.send(part.aggregator, {run_, t, part.aggregator, Step::masked}, std::move(masked));
    }
  }

  /// (metroFinal): φ_ii + Σ_j (ζ_ij − w̄_ij Q(z̄_i)) mod q moves the state. Helpers have no state.
  Task<void> update(std::uint32_t t) {
    if (here_.helps()) co_return;
    const Tag tag{run_, t, here_.self, Step::masked};
    for (AgentId j : here_.neighbours) {
      Payload masked = co_await net_.receive(j, tag);
      inbox_.put(j, std::move(masked));
    }
    Part& own = parts_.back();
    update_.begin_round();
    inbox_.add_to(own.mask, tag, [&](std::size_t from, std::size_t n) {
      update_.move(std::span(own.mask).subspan(from, n), own.weight, from);
    });
  }

  std::size_t rounds() const { return plan_.iterations; }
  State<Word> take_state() { return update_.take_state(); }

 private:
  // The agent's part in the sum of one aggregator i.
  struct Part {
    AgentId aggregator = 0;
    std::vector<AgentId> circle;  // the agents whose shares its mask needs
    std::uint64_t weight = 0;     // w̄_{i,self}; Σ_j w̄_{self,j} for the agent's own part
    WipedVector<Word> mask;       // φ_{i,self}
  };

  // (wij). A helper's weights are 0, because it masks zeros.
  void set_weights() {
    Part& own = parts_.back();
    for (Part& part : parts_) {
      if (part.aggregator == here_.self) continue;
      part.weight = metropolis_weight(plan_.denominator, plan_.exact_weights, here_.degree_of(here_.self),
                                      here_.degree_of(part.aggregator));
      own.weight += part.weight;
    }
  }

  void add_part(AgentId i) { parts_.push_back({i, masks_.circle(i), 0, WipedVector<Word>(plan_.dimension)}); }

  Channel& net_;
  const Neighbourhood& here_;
  const ConsensusPlan& plan_;
  std::uint32_t run_;
  Ring<Word> ring_;
  Masks masks_;
  Update update_;
  std::vector<Part> parts_;
  Inbox<Word> inbox_;
};

// Protocol 1 (alg:metro).
template <class Word, class Masks, class Update>
Task<State<Word>> protocol_1(Iteration<Word, Masks, Update> agent) {
  for (std::uint32_t t = 0; t < agent.rounds(); ++t) {
    agent.begin_masks(t);
    co_await agent.send_masked(t);
    co_await agent.update(t);
  }
  co_return agent.take_state();
}

// What seeded masks need besides the channel. Both must outlive the execution.
struct MaskSeeds {
  const PairKeys* keys = nullptr;  // null for masks from shares
  const Digest* occasion = nullptr;
};

template <class Word, class Update>
Task<State<Word>> with_masks(Channel& net, const ConsensusPlan& plan, std::uint32_t run, MaskSeeds seeds,
                             Update update) {
  const Neighbourhood& here = net.neighbourhood();
  const Ring<Word> ring(plan.modulus_bits);
  if (seeds.keys)
    return protocol_1<Word>(Iteration<Word, SeededMasks<Word>, Update>(
        net, here, plan, run, SeededMasks<Word>(here, *seeds.keys, *seeds.occasion, ring),
        std::move(update)));
  return protocol_1<Word>(Iteration<Word, ShareMasks<Word>, Update>(
      net, here, plan, run, ShareMasks<Word>(net, here, run, ring), std::move(update)));
}

// Runs Protocol 1 with the plan's options.
template <class Word>
Task<State<Word>> with_options(Channel& net, const ConsensusPlan& plan, std::uint32_t run, MaskSeeds seeds,
                               State<Word> state) {
  if (plan.hardening.blinding && !net.neighbourhood().helps())
    state = co_await blind<Word>(net, plan, run, std::move(state));
  if (plan.hardening.acceleration == Acceleration::chebyshev)
    co_return co_await with_masks<Word>(net, plan, run, seeds, ChebyshevUpdate<Word>(plan, std::move(state)));
  co_return co_await with_masks<Word>(net, plan, run, seeds, MetropolisUpdate<Word>(plan, std::move(state)));
}

// Converts the values to states and back. Of a channel without a run, `number` is that of the execution.
template <class Net, class... Number>
Task<Values> averages_of(Net& net, const ConsensusPlan& plan, Values z, Number... number) {
  if (fits_64(plan)) {
    WipedVector<std::int64_t> state = encode<std::int64_t>(plan, z);
    state = co_await secure_average_state<Word64>(net, plan, std::move(state), number...);
    co_return decode<std::int64_t>(plan, state);
  }
  WipedVector<Integer128> state = encode<Integer128>(plan, z);
  state = co_await secure_average_state<Word128>(net, plan, std::move(state), number...);
  co_return decode<Integer128>(plan, state);
}

}  // namespace

template <class Word>
Task<State<Word>> secure_average_state(Run& net, const ConsensusPlan& plan, State<Word> state) {
  const std::uint32_t run = net.begin_run();
  const std::uint64_t numbers[] = {run, plan.dimension, plan.modulus_bits, plan.iterations};
  net.transcript().fold("consensus", std::as_bytes(std::span(numbers)));
  MaskSeeds seeds;
  if (plan.hardening.masks == MaskSource::seeded) {
    if (!net.pair_keys()) net.pair_keys() = co_await exchange_keys(net, run);
    seeds = {&*net.pair_keys(), &net.transcript().now()};
  }
  co_return co_await with_options<Word>(net, plan, run, seeds, std::move(state));
}

template <class Word>
Task<State<Word>> secure_average_state(Channel& net, const ConsensusPlan& plan, State<Word> state,
                                       std::uint32_t number) {
  if (plan.hardening.masks == MaskSource::seeded)
    throw InputError(
        "seeded masks need the keys of a run, but this is a channel without a run; pass a Run, or plan with "
        "masks from shares");
  co_return co_await with_options<Word>(net, plan, number, MaskSeeds(), std::move(state));
}

Task<Values> secure_average(Run& net, const ConsensusPlan& plan, Values z) {
  return averages_of(net, plan, std::move(z));
}

Task<Values> secure_average(Channel& net, const ConsensusPlan& plan, Values z, std::uint32_t number) {
  return averages_of(net, plan, std::move(z), number);
}

template Task<State<Word64>> secure_average_state<Word64>(Run&, const ConsensusPlan&, State<Word64>);
template Task<State<Word128>> secure_average_state<Word128>(Run&, const ConsensusPlan&, State<Word128>);
template Task<State<Word64>> secure_average_state<Word64>(Channel&, const ConsensusPlan&, State<Word64>,
                                                          std::uint32_t);
template Task<State<Word128>> secure_average_state<Word128>(Channel&, const ConsensusPlan&, State<Word128>,
                                                            std::uint32_t);

}  // namespace tacit
