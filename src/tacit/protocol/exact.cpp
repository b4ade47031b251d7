#include "tacit/protocol/exact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "tacit/base/error.hpp"
#include "tacit/secrecy/wire.hpp"

namespace tacit {
namespace {

using Event = Channel::Event;
constexpr std::size_t seed_bytes = Prg::key_bytes;

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

// What all must have in common to add up.
Digest plan_digest(const ExactPlan& plan) {
  const std::uint64_t whole[] = {plan.agents, plan.dimension, plan.modulus_bits, plan.originator,
                                 plan.mask_degree};
  return digest_of({std::as_bytes(std::span(whole)), bytes_of(plan.unit), bytes_of(plan.value_bound)});
}

template <class Word>
WipedVector<SignedOf<Word>> fixed_point(const ExactPlan& plan, const Values& values) {
  if (values.size() != plan.dimension)
    throw InputError(fmt::format("{} values were given to a plan for {}", values.size(), plan.dimension));
  WipedVector<SignedOf<Word>> out(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) throw InputError(fmt::format("value {} is not finite", k));
    if (std::abs(values[k]) > plan.value_bound)
      throw InputError(
          fmt::format("value {} exceeds the public bound {:.6g} of the sum; widen the bound, for "
                      "everybody",
                      k, plan.value_bound));
    out[k] = static_cast<SignedOf<Word>>(std::round(static_cast<long double>(values[k]) / plan.unit));
  }
  return out;
}

// One agent's side of a run. The steps read in order in attempt(); hear() deals with all that can come
// between.
template <class Word>
class Run {
 public:
  Run(Channel& net, const ExactPlan& plan)
      : net_(net), plan_(plan), ring_(plan.modulus_bits), run_(net.begin_run()), self_(net.self()) {}

  Task<ExactSum> result(Values mine) {
    try {
      mine_ = fixed_point<Word>(plan_, mine);
      for (;;) {
        std::optional<Standing> group = std::exchange(net_.standing(), std::nullopt);
        stage_ = Stage::gathering;
        if (!group || group->originator != plan_.originator) group = co_await gather();
        if (!group) continue;
        std::optional<ExactSum> sum = co_await attempt(*group);
        if (!sum) continue;
        net_.standing() = std::move(group);  // until the next run
        co_return std::move(*sum);
      }
    } catch (const InputError& e) {
      end_for_all(fmt::format("iagent {} ended the run: {}", self_, e.what()));
      throw;
    } catch (const Error& e) {
      end_for_all(fmt::format("eagent {} ended the run: {}", self_, e.what()));
      throw;
    }
  }

 private:
  enum class Stage { idle, gathering, opened };

  bool originator() const { return self_ == plan_.originator; }
  Tag tag(Step step, AgentId about) const { return {run_, epoch_, about, step}; }

  void send(AgentId to, Step step, std::span<const std::byte> bytes) {
    Payload payload = net_.buffer(bytes.size());
    std::ranges::copy(bytes, payload.bytes().begin());
    net_.send(to, tag(step, self_), std::move(payload));
  }

  std::vector<AgentId> reachable() const {
    std::vector<AgentId> all;
    for (AgentId j : net_.neighbourhood().neighbours)
      if (!lost_.contains(j)) all.push_back(j);
    return all;
  }

  // Says so to all neighbours, once.
  void flood(Step step, std::uint32_t epoch, AgentId about, std::span<const std::byte> why = {}) {
    if (!said_.insert({epoch, about, step}).second) return;
    for (AgentId j : reachable()) {
      Payload payload = net_.buffer(why.size());
      std::ranges::copy(why, payload.bytes().begin());
      net_.send(j, {run_, epoch, about, step}, std::move(payload));
    }
  }

  // An agent that cannot go on says so, so that nobody waits for it. The first letter tells whose fault it
  // is: the input's or the run's.
  void end_for_all(const std::string& why) {
    if (!ended_) flood(Step::end, epoch_, self_, std::as_bytes(std::span(why)));
  }

  // Somebody else could not go on.
  [[noreturn]] void ended(const Event& event) {
    const std::span<const std::byte> why = event.message.bytes();
    flood(Step::end, event.tag.round, event.tag.about, why);
    ended_ = true;
    if (why.empty()) malformed(event);
    const std::string text(reinterpret_cast<const char*>(why.data()) + 1, why.size() - 1);
    if (why[0] == std::byte{'i'}) throw InputError(text);
    throw Error(text);
  }

  std::string loss(AgentId agent) const {
    return stage_ == Stage::opened
               ? fmt::format(
                     "agent {} was lost while the sum was being opened (epoch {}), so it cannot be had; "
                     "ask again",
                     agent, epoch_)
               : fmt::format("agent {}, who asked for the sum, was lost in epoch {}", agent, epoch_);
  }

  void over(std::uint32_t epoch) {
    epoch_ = std::max(epoch_, epoch + 1);
    stage_ = Stage::idle;
  }

  // The next message of this epoch; none when the epoch is over. News of losses and ends is passed on on the
  // way.
  Task<std::optional<Event>> hear() {
    for (;;) {
      Event event = co_await net_.next(run_);
      switch (event.kind) {
        case Event::Kind::silence:
          throw Error(
              fmt::format("nothing more comes from anybody (epoch {} of run {}): this agent is cut off from "
                          "agent {}, who "
                          "asked for the sum, or an agent on the way has failed",
                          epoch_, run_, plan_.originator));
        case Event::Kind::gone: {
          lost_.insert(event.from);
          if (event.from == plan_.originator) throw Error(loss(event.from));
          if (stage_ == Stage::opened) {
            if (on_my_tree(event.from)) throw Error(loss(event.from));
            continue;
          }
          if (stage_ == Stage::idle) continue;  // whoever was counting on it will say so
          flood(Step::abort, epoch_, event.from);
          over(epoch_);
          co_return std::nullopt;
        }
        case Event::Kind::message:
          break;
      }
      if (lost_.contains(event.from)) continue;  // the last words of an agent that nobody can answer any more
      const std::uint32_t epoch = event.tag.round;
      if (event.tag.step == Step::end) ended(event);
      if (epoch < epoch_) continue;  // of an epoch that is over
      if (event.tag.step == Step::abort) {
        flood(Step::abort, epoch, event.tag.about);
        if (stage_ == Stage::opened) {
          if (originator()) throw Error(loss(event.tag.about));
          continue;  // the originator will end the run
        }
        over(epoch);
        if (originator() || !waiting_for_call_) co_return std::nullopt;
        continue;
      }
      if (event.tag.step == Step::call && (epoch > epoch_ || waiting_for_call_)) {
        if (stage_ == Stage::opened)
          throw Error(fmt::format(
              "agent {} calls for another epoch after the opening; an honest one does not", event.from));
        epoch_ = epoch;
        if (waiting_for_call_) co_return event;
        called_ = std::move(event);
        co_return std::nullopt;
      }
      if (epoch > epoch_) continue;  // cannot be: a call comes first
      if (waiting_for_call_) continue;
      co_return event;
    }
  }

  bool on_my_tree(AgentId agent) const {
    return agent == parent_ || std::ranges::count(children_, agent) > 0;
  }

  [[noreturn]] static void malformed(const Event& event) {
    throw Error(fmt::format("agent {} sent a malformed message ({}), {} bytes", event.from,
                            to_string(event.tag), event.message.size()));
  }

  // Step 1: a call floods the graph and makes a tree; consents climb it, the roster comes down.
  Task<std::optional<Standing>> gather() {
    parent_.reset();
    children_.clear();
    Digest id;
    const Digest wanted = plan_digest(plan_);
    if (originator()) {
      if (reachable().empty()) throw Error("all neighbours of the agent that asks for the sum are lost");
      net_.randomness().fill(id);
    } else {
      std::optional<Event> call = std::exchange(called_, std::nullopt);
      if (!call) {
        waiting_for_call_ = true;
        stage_ = Stage::idle;
        call = co_await hear();
        waiting_for_call_ = false;
      }
      stage_ = Stage::gathering;
      if (call->message.size() != 2 * sizeof(Digest)) malformed(*call);
      const std::span<const std::byte> said = call->message.bytes();
      std::ranges::copy(said.first(sizeof(Digest)), id.begin());
      if (!std::ranges::equal(said.last(sizeof(Digest)), wanted))
        throw InputError(
            fmt::format("agent {} has another plan for this sum than agent {}, who asks for it; compare "
                        "dimension, bound, unit and collusion",
                        self_, plan_.originator));
      parent_ = call->from;
    }
    const Digest gathering = digest_of({id, bytes_of(run_), bytes_of(epoch_), wanted});
    const KeyPair key(net_.randomness());
    std::vector<RosterEntry> roster{
        {self_, key.public_key(), net_.identity().sign(consent_text(gathering, self_, key.public_key()))}};

    std::array<std::byte, 2 * sizeof(Digest)> call_bytes;
    std::ranges::copy(wanted, std::ranges::copy(id, call_bytes.begin()).out);
    std::set<AgentId> unanswered;
    for (AgentId j : reachable())
      if (j != parent_) {
        send(j, Step::call, call_bytes);
        unanswered.insert(j);
      }
    while (!unanswered.empty()) {  // a neighbour answers with its own call, or joins below this agent
      std::optional<Event> event = co_await hear();
      if (!event) co_return std::nullopt;
      if ((event->tag.step != Step::call && event->tag.step != Step::join) || !unanswered.erase(event->from))
        malformed(*event);
      if (event->tag.step != Step::join) continue;
      children_.push_back(event->from);
      for (RosterEntry& entry : roster_from(event->message.bytes())) roster.push_back(std::move(entry));
    }
    if (!originator()) {
      send(*parent_, Step::join, to_bytes(roster));
      std::optional<Event> event = co_await hear();
      if (!event) co_return std::nullopt;
      if (event->tag.step != Step::roster || event->from != parent_) malformed(*event);
      roster = roster_from(event->message.bytes());
    } else {
      std::ranges::sort(roster, {}, &RosterEntry::agent);
      if (roster.size() < plan_.fewest)
        throw Error(fmt::format("only {} agents are left and the sum needs at least {}", roster.size(),
                                plan_.fewest));
    }
    const std::vector<std::byte> roster_bytes = to_bytes(roster);
    for (AgentId child : children_) send(child, Step::roster, roster_bytes);
    co_return check(roster, gathering, key, digest_of({gathering, roster_bytes}));
  }

  // The roster is in order, has this agent's own entry and enough others, and the partners' keys are their
  // own.
  Standing check(const std::vector<RosterEntry>& roster, const Digest& gathering, const KeyPair& key,
                 const Digest& occasion) {
    Standing group{plan_.originator, parent_, children_, {}, occasion, {}};
    for (const RosterEntry& entry : roster) group.roster.push_back(entry.agent);
    const auto at = std::ranges::lower_bound(group.roster, self_);
    if (std::ranges::adjacent_find(group.roster, std::greater_equal{}) != group.roster.end() ||
        group.roster.back() >= plan_.agents || at == group.roster.end() || *at != self_ ||
        roster[static_cast<std::size_t>(at - group.roster.begin())].key != key.public_key() ||
        roster.size() < plan_.fewest)
      throw Error(
          fmt::format("the roster of epoch {} is not one that agent {} can take part in: it must be in "
                      "order, have its key and at least {} agents",
                      epoch_, self_, plan_.fewest));
    const auto place = static_cast<std::size_t>(at - group.roster.begin());
    for (const std::size_t k : mask_partners(roster.size(), place, plan_.mask_degree)) {
      const RosterEntry& partner = roster[k];
      if (!verify(net_.identity_of(partner.agent), consent_text(gathering, partner.agent, partner.key),
                  partner.consent))
        throw Error(
            fmt::format("the consent of agent {} is not signed by it: somebody on the way has changed "
                        "its key",
                        partner.agent));
      group.keys.emplace(partner.agent, key.agree(partner.key));
    }
    return group;
  }

  // y_i of step 2 without x_i. Streams are bound to roster, run and epoch.
  void make_masks(const Standing& group, std::span<const std::byte> seed, WipedVector<Word>& mask) {
    const Digest occasion = digest_of({group.occasion, bytes_of(run_), bytes_of(epoch_)});
    std::uint64_t number = 0;
    std::memcpy(&number, occasion.data(), sizeof number);
    Prg own = Prg::from_key(Prg::Key(seed.first<seed_bytes>()));
    apply(own, true, mask);
    for (const auto& [partner, key] : group.keys) {
      Prg stream = stream_of(key, number);
      apply(stream, self_ < partner, mask);
    }
  }

  // Adds or takes off a whole stream, a piece that fits the first cache at a time.
  void apply(Prg& stream, bool plus, std::span<Word> sum) {
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

  // Steps 2 and 3 on a roster: masked sums climb the tree, the opening goes down, self-masks climb, the total
  // goes down.
  Task<std::optional<ExactSum>> attempt(const Standing& group) {
    parent_ = group.parent;
    children_ = group.children;
    WipedVector<std::byte> seed(seed_bytes);
    net_.randomness().fill(seed);
    WipedVector<Word> sum(plan_.dimension);
    make_masks(group, seed, sum);
    std::uint32_t covered = 1;
    for (std::set<AgentId> open(children_.begin(), children_.end()); !open.empty();) {
      std::optional<Event> event = co_await hear();
      if (!event) co_return std::nullopt;
      if (event->tag.step != Step::partial || !open.erase(event->from) ||
          event->message.size() != sizeof covered + packed_size(ring_, plan_.dimension))
        malformed(*event);
      std::uint32_t below = 0;
      std::memcpy(&below, event->message.bytes().data(), sizeof below);
      covered += below;
      const ConstBytes source = event->message.bytes().subspan(sizeof below);
      add_packed<Word>(ring_, {&source, 1}, sum);
    }
    Payload partial = net_.buffer(sizeof covered + packed_size(ring_, plan_.dimension));
    std::memcpy(partial.bytes().data(), &covered, sizeof covered);
    pack_affine<Word>(ring_, 1, mine_, sum, partial.bytes().subspan(sizeof covered));
    if (!originator()) {
      net_.send(*parent_, tag(Step::partial, self_), std::move(partial));
      std::optional<Event> event = co_await hear();
      if (!event) co_return std::nullopt;
      if (event->tag.step != Step::open || event->from != parent_) malformed(*event);
    } else if (covered != group.roster.size()) {
      throw Error(
          fmt::format("the total covers {} of {} agents, so it is not opened", covered, group.roster.size()));
    }
    stage_ = Stage::opened;
    for (AgentId child : children_) send(child, Step::open, {});

    WipedVector<std::byte> seeds;
    const auto add_seed = [&](AgentId agent, std::span<const std::byte> value) {
      const std::uint32_t id = agent;
      const auto id_bytes = bytes_of(id);
      seeds.insert(seeds.end(), id_bytes.begin(), id_bytes.end());
      seeds.insert(seeds.end(), value.begin(), value.end());
    };
    add_seed(self_, seed);
    for (std::set<AgentId> open(children_.begin(), children_.end()); !open.empty();) {
      std::optional<Event> event = co_await hear();
      if (event->tag.step != Step::seeds || !open.erase(event->from)) malformed(*event);
      const std::span<const std::byte> bytes = event->message.bytes();
      seeds.insert(seeds.end(), bytes.begin(), bytes.end());
    }
    Payload total;
    if (originator()) {
      const ConstBytes masked = partial.bytes().subspan(sizeof covered);
      negate_packed<Word>(ring_, {&masked, 1}, sum);  // minus the masked total, plus all self-masks
      take_seeds(group, seeds, sum);
      for (Word& word : sum) word = Word{0} - word;
      total = net_.buffer(packed_size(ring_, plan_.dimension));
      const WipedVector<SignedOf<Word>> nothing(plan_.dimension);
      pack_affine<Word>(ring_, 0, nothing, sum, total.bytes());
    } else {
      send(*parent_, Step::seeds, seeds);
      std::optional<Event> event = co_await hear();
      if (event->tag.step != Step::total || event->from != parent_ ||
          event->message.size() != packed_size(ring_, plan_.dimension))
        malformed(*event);
      total = std::move(event->message);
    }
    for (AgentId child : children_) send(child, Step::total, total.bytes());

    std::ranges::fill(sum, Word{0});
    const ConstBytes source = total.bytes();
    add_packed<Word>(ring_, {&source, 1}, sum);
    ExactSum out{Values(plan_.dimension), group.roster};
    for (std::size_t k = 0; k < plan_.dimension; ++k)
      out.sum[k] = static_cast<double>(static_cast<long double>(ring_.balanced(sum[k])) * plan_.unit);
    co_return out;
  }

  // sum += everybody's self-mask; exactly the roster's.
  void take_seeds(const Standing& group, std::span<const std::byte> seeds, std::span<Word> sum) {
    constexpr std::size_t entry = sizeof(std::uint32_t) + seed_bytes;
    std::set<AgentId> missing(group.roster.begin(), group.roster.end());
    for (; seeds.size() >= entry; seeds = seeds.subspan(entry)) {
      std::uint32_t agent = 0;
      std::memcpy(&agent, seeds.data(), sizeof agent);
      if (!missing.erase(agent))
        throw Error(fmt::format("a self-mask of agent {} came twice or was not asked for", agent));
      Prg stream = Prg::from_key(Prg::Key(seeds.subspan(sizeof agent).first<seed_bytes>()));
      apply(stream, true, sum);
    }
    if (!missing.empty() || !seeds.empty())
      throw Error(fmt::format("the self-masks of {} agents did not come", missing.size()));
  }

  Channel& net_;
  const ExactPlan& plan_;
  const Ring<Word> ring_;
  const std::uint32_t run_;
  const AgentId self_;
  WipedVector<SignedOf<Word>> mine_;

  std::uint32_t epoch_ = 0;
  Stage stage_ = Stage::idle;
  bool waiting_for_call_ = false, ended_ = false;
  std::optional<Event> called_;  // the call of a new epoch that came in the middle of an old one
  std::optional<AgentId> parent_;
  std::vector<AgentId> children_;
  std::set<AgentId> lost_;  // neighbours
  std::set<std::tuple<std::uint32_t, AgentId, Step>> said_;
  WipedVector<std::byte> drawn_;
};

template <class Word>
Task<ExactSum> run(Channel& net, const ExactPlan& plan, Values mine) {
  Run<Word> one(net, plan);
  co_return co_await one.result(std::move(mine));
}

}  // namespace

Task<ExactSum> exact_sum(Channel& net, const ExactPlan& plan, Values mine) {
  return plan.modulus_bits <= 64 ? run<Word64>(net, plan, std::move(mine))
                                 : run<Word128>(net, plan, std::move(mine));
}

}  // namespace tacit
