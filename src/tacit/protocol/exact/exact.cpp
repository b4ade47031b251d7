#include "tacit/protocol/exact/exact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "tacit/base/error.hpp"
#include "tacit/protocol/exact/talk.hpp"
#include "tacit/protocol/units.hpp"
#include "tacit/secrecy/wire.hpp"

namespace tacit {
namespace {

using Event = Channel::Event;
constexpr std::size_t seed_bytes = Prg::key_bytes;

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

// Steps 2 and 3 on a roster, with the arithmetic they need. The steps read in order in attempt().
template <class Word>
class Adding {
 public:
  Adding(ExactTalk& talk, WipedVector<SignedOf<Word>> mine)
      : talk_(talk),
        plan_(talk.plan()),
        ring_(plan_.modulus_bits),
        size_(packed_size(ring_, plan_.dimension)),
        plan_digest_(digest_of(plan_)),
        mine_(std::move(mine)) {}

  /// The sum; none when the epoch ended before the opening.
  Task<std::optional<ExactSum>> attempt(const Standing& group) {
    talk_.sit(group.parent, group.children);
    WipedVector<std::byte> seeds = fresh_seed();  // ids and self-masks of all below, this agent's first
    WipedVector<Word> sum = masks(group, seeds);

    std::uint32_t covered = 1;
    for (std::set<AgentId> open(group.children.begin(), group.children.end()); !open.empty();) {
      const std::optional<Event> event = co_await talk_.hear();
      if (!event) co_return std::nullopt;
      if (event->tag.step != Step::partial || !open.erase(event->from)) ExactTalk::malformed(*event);
      covered += take_partial(*event, sum);
    }
    Payload partial = make_partial(covered, sum);
    if (talk_.originator()) {
      if (covered != group.roster.size())
        throw Error(fmt::format("the total covers {} of {} agents, so it is not opened", covered,
                                group.roster.size()));
    } else {
      talk_.send(*group.parent, Step::partial, std::move(partial));
      const std::optional<Event> event = co_await talk_.hear();
      if (!event) co_return std::nullopt;
      if (event->tag.step != Step::open || event->from != group.parent) ExactTalk::malformed(*event);
    }

    talk_.open();
    talk_.send_down(Step::open, {});
    for (std::set<AgentId> open(group.children.begin(), group.children.end()); !open.empty();) {
      const Event event = co_await talk_.hear_opened();
      if (event.tag.step != Step::seeds || !open.erase(event.from)) ExactTalk::malformed(event);
      talk_.served(event.from);
      const std::span<const std::byte> below = event.message.bytes();
      seeds.insert(seeds.end(), below.begin(), below.end());
    }
    Payload total;
    if (talk_.originator()) {
      total = unmask(partial, group, seeds, sum);  // NOLINT(bugprone-use-after-move): it has kept its own
    } else {
      talk_.send(*group.parent, Step::seeds, seeds);
      Event event = co_await talk_.hear_opened();
      if (event.tag.step != Step::total || event.from != group.parent || event.message.size() != size_)
        ExactTalk::malformed(event);
      total = std::move(event.message);
    }
    talk_.send_down(Step::total, total.bytes());
    co_return ExactSum{read(total), group.roster};
  }

 private:
  WipedVector<std::byte> fresh_seed() {
    const std::uint32_t id = talk_.self();
    WipedVector<std::byte> seed(sizeof id + seed_bytes);
    std::ranges::copy(bytes_of(id), seed.begin());
    talk_.net().randomness().fill(std::span(seed).subspan(sizeof id));
    return seed;
  }

  // y_i of step 2 without x_i. Streams are bound to roster, run and epoch.
  WipedVector<Word> masks(const Standing& group, std::span<const std::byte> seed) {
    WipedVector<Word> mask(plan_.dimension);
    apply(stream_of_seed(seed), true, mask);
    const std::uint32_t run = talk_.run(), epoch = talk_.epoch();
    const Digest occasion = digest_of({group.occasion, bytes_of(run), bytes_of(epoch)});
    std::uint64_t number = 0;
    std::memcpy(&number, occasion.data(), sizeof number);
    for (const auto& [partner, key] : group.keys) apply(stream_of(key, number), talk_.self() < partner, mask);
    return mask;
  }

  static Prg stream_of_seed(std::span<const std::byte> entry) {
    return Prg::from_key(Prg::Key(entry.subspan(sizeof(std::uint32_t)).template first<seed_bytes>()));
  }

  // Adds or subtracts a whole stream, in pieces that fit the first cache.
  void apply(Prg stream, bool plus, std::span<Word> sum) {
    constexpr std::size_t piece = 1024;
    drawn_.resize(packed_size(ring_, piece));
    for (std::size_t from = 0; from < sum.size(); from += piece) {
      const std::span<Word> part = sum.subspan(from, std::min(piece, sum.size() - from));
      const Bytes bytes = std::span(drawn_).first(packed_size(ring_, part.size()));
      stream.fill(bytes);
      const ConstBytes source = bytes;
      plus ? add_packed<Word>(ring_, {&source, 1}, part) : subtract_packed<Word>(ring_, {&source, 1}, part);
    }
  }

  // A masked sum on the wire: how many agents it covers, the plan it is for, and the vector. The plan is
  // repeated here, as runs on a standing roster have no call: values in different units must not be added.
  static constexpr std::size_t before_vector = sizeof(std::uint32_t) + sizeof(Digest);

  Payload make_partial(std::uint32_t covered, const WipedVector<Word>& sum) {
    Payload partial = talk_.net().buffer(before_vector + size_);
    const auto out = partial.bytes();
    std::ranges::copy(plan_digest_, std::ranges::copy(bytes_of(covered), out.begin()).out);
    pack_affine<Word>(ring_, 1, mine_, sum, out.subspan(before_vector));
    return partial;
  }

  std::uint32_t take_partial(const Event& event, std::span<Word> sum) {
    const std::span<const std::byte> bytes = event.message.bytes();
    if (bytes.size() < before_vector) ExactTalk::malformed(event);
    if (!std::ranges::equal(bytes.subspan(sizeof(std::uint32_t), sizeof(Digest)), plan_digest_))
      throw InputError(
          fmt::format("agent {} has another plan for this sum than agent {}; compare dimension, bound, "
                      "unit and collusion",
                      event.from, talk_.self()));
    if (bytes.size() != before_vector + size_) ExactTalk::malformed(event);
    const ConstBytes source = bytes.subspan(before_vector);
    add_packed<Word>(ring_, {&source, 1}, sum);
    return number_at(bytes);
  }

  // The masked total without everybody's self-mask; exactly those of the roster must have come.
  Payload unmask(const Payload& partial, const Standing& group, std::span<const std::byte> seeds,
                 WipedVector<Word>& sum) {
    std::ranges::fill(sum, Word{0});
    const ConstBytes masked = partial.bytes().subspan(before_vector);
    add_packed<Word>(ring_, {&masked, 1}, sum);
    constexpr std::size_t entry = sizeof(std::uint32_t) + seed_bytes;
    std::set<AgentId> missing(group.roster.begin(), group.roster.end());
    for (; seeds.size() >= entry; seeds = seeds.subspan(entry)) {
      if (!missing.erase(number_at(seeds)))
        throw Error(fmt::format("a self-mask of agent {} came twice or was not asked for", number_at(seeds)));
      apply(stream_of_seed(seeds), false, sum);
    }
    if (!missing.empty() || !seeds.empty())
      throw Error(fmt::format("the self-masks of {} agents did not come", missing.size()));
    Payload total = talk_.net().buffer(size_);
    const WipedVector<SignedOf<Word>> nothing(plan_.dimension);
    pack_affine<Word>(ring_, 0, nothing, sum, total.bytes());
    return total;
  }

  Values read(const Payload& total) {
    WipedVector<Word> sum(plan_.dimension);
    const ConstBytes source = total.bytes();
    add_packed<Word>(ring_, {&source, 1}, sum);
    Values values(plan_.dimension);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = in_reals(ring_.balanced(sum[k]), plan_.unit);
    return values;
  }

  ExactTalk& talk_;
  const ExactPlan& plan_;
  const Ring<Word> ring_;
  const std::size_t size_;  // of a vector on the wire
  const Digest plan_digest_;
  const WipedVector<SignedOf<Word>> mine_;
  WipedVector<std::byte> drawn_;
};

// Can this sum use the standing roster? It must have been gathered by the same originator, for masks as dense
// as this plan wants, and still be large enough.
bool serves(const Standing& group, const ExactPlan& plan) {
  return group.originator == plan.originator && group.mask_degree == plan.mask_degree &&
         group.roster.size() >= plan.fewest;
}

template <class Word>
Task<ExactSum> run(Channel& net, const ExactPlan& plan, Values mine) {
  if (net.standing() && !serves(*net.standing(), plan)) net.standing().reset();
  ExactTalk talk(net, plan);
  try {
    Adding<Word> adding(talk, fixed_point<Word>(plan, mine));
    for (;;) {
      std::optional<Standing> group = std::exchange(net.standing(), std::nullopt);
      if (!group && !co_await gather(talk, group)) continue;
      std::optional<ExactSum> sum = co_await adding.attempt(*group);
      if (!sum) continue;
      net.standing() = std::move(group);  // for the next run
      co_return std::move(*sum);
    }
  } catch (const InputError& e) {
    talk.end_for_all(e);
    throw;
  } catch (const Error& e) {
    talk.end_for_all(e);
    throw;
  }
}

}  // namespace

Task<ExactSum> exact_sum(Channel& net, const ExactPlan& plan, Values mine) {
  return plan.modulus_bits <= 64 ? run<Word64>(net, plan, std::move(mine))
                                 : run<Word128>(net, plan, std::move(mine));
}

}  // namespace tacit
