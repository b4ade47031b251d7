#include "tacit/protocol/consensus/blinding.hpp"

#include <algorithm>
#include <cmath>

#include "tacit/protocol/channel/inbox.hpp"
#include "tacit/secrecy/wire.hpp"

namespace tacit {
namespace {

// The noise is the bytes of a uniform stream, read as balanced residues of noise_bits + 1 bits.
template <class Word>
void add(const Ring<Word>& ring, ConstBytes noise, bool plus, std::span<Word> drawn,
         WipedVector<SignedOf<Word>>& state) {
  negate_packed<Word>(ring, {&noise, 1}, drawn);
  for (std::size_t k = 0; k < state.size(); ++k) {
    const SignedOf<Word> r = ring.balanced(Word{0} - drawn[k]);
    state[k] += plus ? r : -r;
  }
}

}  // namespace

template <class Word>
Task<WipedVector<SignedOf<Word>>> blind(Channel& net, const ConsensusPlan& plan, std::uint32_t run,
                                        WipedVector<SignedOf<Word>> state) {
  const Neighbourhood& here = net.neighbourhood();
  const Ring<Word> ring(plan.noise_bits + 1);
  const std::size_t size = packed_size(ring, state.size());
  WipedVector<Word> drawn(state.size());
  for (AgentId j : here.aggregators()) {
    if (j < here.self) continue;
    Payload noise = net.buffer(size);
    net.randomness().fill(noise.bytes());
    add<Word>(ring, noise.bytes(), true, drawn, state);
    net.send(j, {run, 0, here.self, Step::blind}, std::move(noise));
  }
  for (AgentId j : here.aggregators()) {
    if (j > here.self) continue;
    const Tag tag{run, 0, j, Step::blind};
    const Payload noise = co_await net.receive(j, tag);
    if (noise.size() != size) refuse_size(j, tag, noise.size(), state.size(), ring.bits());
    add<Word>(ring, noise.bytes(), false, drawn, state);
  }
  co_return state;
}

double blinding_odds(std::size_t agents, std::size_t dimension, unsigned bits) {
  if (bits == 0) return 1;
  const double m = static_cast<double>(agents), p = static_cast<double>(dimension);
  return std::min(1.0, std::ldexp(p * m * m / 2, -static_cast<int>(bits)));
}

template Task<WipedVector<std::int64_t>> blind<Word64>(Channel&, const ConsensusPlan&, std::uint32_t,
                                                       WipedVector<std::int64_t>);
template Task<WipedVector<Integer128>> blind<Word128>(Channel&, const ConsensusPlan&, std::uint32_t,
                                                      WipedVector<Integer128>);

}  // namespace tacit
