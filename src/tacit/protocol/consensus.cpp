#include "tacit/protocol/consensus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "tacit/base/error.hpp"
#include "tacit/graph/metropolis.hpp"
#include "tacit/protocol/blinding.hpp"
#include "tacit/protocol/chebyshev.hpp"
#include "tacit/protocol/key_exchange.hpp"
#include "tacit/protocol/leaving.hpp"
#include "tacit/protocol/masks.hpp"
#include "tacit/protocol/step.hpp"
#include "tacit/secrecy/shares.hpp"

namespace tacit {
namespace {

// An agent's part in the sum of one aggregator i: the mask it builds up, and who shares zero with it there.
template <class Word>
struct Part {
  AgentId aggregator;
  std::vector<AgentId> circle;  // N_i⁺ ∩ N_self⁺ without self; empty where masks are seeded
  std::uint64_t weight;         // w̄_{i,self}; for the own part Σ_j w̄_{self,j}
  WipedVector<Word> mask;       // φ_{i,self} of (mask)
};

// (wij) from the degrees as they are now. A helper's weights are 0: what it masks is zero.
template <class Word>
void set_weights(std::vector<Part<Word>>& parts, const Neighbourhood& here, const ConsensusPlan& plan) {
  if (here.helps()) return;
  Part<Word>& own = parts.back();
  own.weight = 0;
  for (Part<Word>& part : parts) {
    if (part.aggregator == here.self) continue;
    part.weight = metropolis_weight(plan.denominator, plan.exact_weights, here.degree_of(here.self),
                                    here.degree_of(part.aggregator));
    own.weight += part.weight;
  }
}

template <class Word>
std::vector<Part<Word>> parts_of(const Neighbourhood& here, const ConsensusPlan& plan) {
  std::vector<Part<Word>> parts;
  auto add = [&](AgentId i) {
    const bool shares = plan.hardening.masks == MaskSource::shares;
    parts.push_back(
        {i, shares ? here.circle(i) : std::vector<AgentId>(), 0, WipedVector<Word>(plan.dimension)});
  };
  for (AgentId j : here.aggregators()) add(j);
  if (!here.helps()) add(here.self);  // last, so that its mask is complete when the masked values come in
  set_weights(parts, here, plan);
  return parts;
}

// States never leave the range that the plan works out (docs/decisions.md), so one that does shows that
// somebody broke the protocol; it must not go on as if nothing had happened.
void check_range(bool within) {
  if (!within)
    throw Error(
        "the state left the range that the plan guarantees: an agent used values above the public bound, or "
        "another plan");
}

// The messages asked for with one tag, and views of the piece of each that is being worked on.
struct Inbox {
  std::vector<Payload> payloads;
  std::vector<ConstBytes> pieces;
};

[[noreturn]] void refuse(AgentId from, const Tag& tag, const ConsensusPlan& plan, std::size_t bytes) {
  throw Error(fmt::format("agent {} sent a malformed message ({}): {} bytes are not {} values of {} bits",
                          from, to_string(tag), bytes, plan.dimension, plan.modulus_bits));
}

// sum += everything in the inbox, piece by piece, with then(from, count) called on every finished piece while
// it is in the first cache. An error names who sent what cannot be added.
template <class Word, class Then>
void add_all(const Ring<Word>& ring, const ConsensusPlan& plan, const Tag& tag,
             const std::vector<AgentId>& senders, Inbox& inbox, std::span<Word> sum, Then then) {
  constexpr std::size_t piece = 1024;
  for (std::size_t k = 0; k < senders.size(); ++k)
    if (inbox.payloads[k].size() != packed_size(ring, sum.size()))
      refuse(senders[k], tag, plan, inbox.payloads[k].size());
  for (std::size_t from = 0; from < sum.size(); from += piece) {
    const std::span<Word> part = sum.subspan(from, std::min(piece, sum.size() - from));
    inbox.pieces.clear();
    for (const Payload& payload : inbox.payloads)
      inbox.pieces.push_back(
          payload.bytes().subspan(packed_size(ring, from), packed_size(ring, part.size())));
    add_packed<Word>(ring, inbox.pieces, part);
    then(from, part.size());
  }
  inbox.payloads.clear();  // at once, so that the next message is written where the cache still is warm
}

}  // namespace

template <class Word>
Task<WipedVector<SignedOf<Word>>> secure_average_state(Channel& net, const ConsensusPlan& plan,
                                                       WipedVector<SignedOf<Word>> state) {
  using Signed = SignedOf<Word>;
  const Ring<Word> ring(plan.modulus_bits);
  const Divider<Word> divider(plan.denominator);
  const Signed limit =
      static_cast<Signed>(std::floor(plan.state_bound / static_cast<long double>(plan.lz))) + 1;
  const std::size_t p = plan.dimension, size = packed_size(ring, p);
  const std::uint32_t run = net.begin_run();
  std::optional<RollCall> roll;
  if (plan.leaving) roll.emplace(net, run, plan.iterations);
  const Neighbourhood& here = roll ? roll->here() : net.neighbourhood();

  std::vector<Part<Word>> parts = parts_of<Word>(here, plan);
  std::vector<Payload> messages;
  std::vector<Bytes> outgoing;
  Inbox inbox;
  std::optional<SeededMasks<Word>> seeded;
  if (plan.hardening.masks == MaskSource::seeded) {
    if (!net.pair_keys()) net.pair_keys() = co_await exchange_keys(net, run);
    seeded.emplace(here, *net.pair_keys(), run, ring);
  }
  if (plan.hardening.blinding && !here.helps())
    state = co_await blind<Word>(net, plan, run, std::move(state));
  std::optional<Chebyshev<Word>> chebyshev;
  if (plan.hardening.acceleration == Acceleration::chebyshev) chebyshev.emplace(plan, state);
  WipedVector<Signed> quantised(p);
  for (std::size_t k = 0; k < p; ++k) quantised[k] = divider.nearest(state[k] >> plan.guard_bits);

  for (std::uint32_t t = 0; t < plan.iterations && !(roll && roll->last()); ++t) {
    if (roll && roll->open(t)) parts = parts_of<Word>(here, plan);

    // (jshare), (ishare): zero in as many shares as the circle has members; the own share stays in the mask.
    // A seeded mask is complete at once.
    for (Part<Word>& part : parts) {
      if (seeded) {
        seeded->make(part.aggregator, t, part.mask);
        continue;
      }
      messages.clear();
      outgoing.clear();
      for (std::size_t k = 0; k < part.circle.size(); ++k)
        outgoing.push_back(messages.emplace_back(net.buffer(size)).bytes());
      share_zero<Word>(ring, net.randomness(), outgoing, part.mask);
      for (std::size_t k = 0; k < part.circle.size(); ++k)
        net.send(part.circle[k], {run, t, part.aggregator, Step::share}, std::move(messages[k]));
    }

    if (roll) {
      const bool degrees_fell = co_await roll->close(t);
      if (degrees_fell) set_weights(parts, here, plan);
    }

    // (mask), (theta): the received shares complete the mask, which hides the weighted value.
    for (Part<Word>& part : parts) {
      const Tag tag{run, t, part.aggregator, Step::share};
      for (AgentId l : part.circle) {
        Payload received = co_await net.receive(l, tag);
        inbox.payloads.push_back(std::move(received));
      }
      if (part.aggregator == here.self) {
        add_all<Word>(ring, plan, tag, part.circle, inbox, part.mask, [](std::size_t, std::size_t) {});
        continue;
      }
      Payload masked = net.buffer(size);
      const Bytes out = masked.bytes();
      add_all<Word>(ring, plan, tag, part.circle, inbox, part.mask, [&](std::size_t from, std::size_t n) {
        pack_affine<Word>(ring, part.weight, std::span(quantised).subspan(from, n),
                          std::span(part.mask).subspan(from, n),
                          out.subspan(packed_size(ring, from), packed_size(ring, n)));
      });
      net.send(part.aggregator, {run, t, part.aggregator, Step::masked}, std::move(masked));
    }

    if (here.helps()) continue;
    // (metroFinal): φ_ii + Σ_j (ζ_ij − w̄_ij Q(z̄_i)) mod q is the step in units of L_z L_w.
    if (chebyshev) chebyshev->begin_round();
    Part<Word>& own = parts.back();
    const Tag tag{run, t, here.self, Step::masked};
    for (AgentId j : here.neighbours) {
      Payload received = co_await net.receive(j, tag);
      inbox.payloads.push_back(std::move(received));
    }
    add_all<Word>(ring, plan, tag, here.neighbours, inbox, own.mask, [&](std::size_t from, std::size_t n) {
      const Word* sum = own.mask.data() + from;
      Signed *now = state.data() + from, *rounded = quantised.data() + from;
      check_range(chebyshev
                      ? chebyshev->step(ring, divider, Word{own.weight}, limit, sum, now, rounded, from, n)
                      : step<Word>(ring, divider, Word{own.weight}, limit, sum, now, rounded, n));
    });
  }
  co_return state;
}

Task<Values> secure_average(Channel& net, const ConsensusPlan& plan, Values z) {
  if (fits_64(plan)) {
    WipedVector<std::int64_t> state = encode<std::int64_t>(plan, z);
    state = co_await secure_average_state<Word64>(net, plan, std::move(state));
    co_return decode<std::int64_t>(plan, state);
  }
  WipedVector<Integer128> state = encode<Integer128>(plan, z);
  state = co_await secure_average_state<Word128>(net, plan, std::move(state));
  co_return decode<Integer128>(plan, state);
}

Task<std::size_t> help(Channel& net, const ConsensusPlan& plan, std::size_t runs) {
  for (std::size_t k = 0; k < runs; ++k) co_await secure_average(net, plan, Values(plan.dimension));
  co_return runs;
}

template Task<WipedVector<std::int64_t>> secure_average_state<Word64>(Channel&, const ConsensusPlan&,
                                                                      WipedVector<std::int64_t>);
template Task<WipedVector<Integer128>> secure_average_state<Word128>(Channel&, const ConsensusPlan&,
                                                                     WipedVector<Integer128>);

}  // namespace tacit
