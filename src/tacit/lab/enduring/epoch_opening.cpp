// The last part of an epoch of an enduring sum: keepers vote for one list of agents and then release the sum
// of these agents' masks.
#include <algorithm>

#include "tacit/lab/enduring/epoch.hpp"

namespace tacit {

template <class Word>
Task<void> Epoch<Word>::vote() {
  ByteList call;
  if (steps_.top() && !trouble_) {
    ListWriter out;
    out.agents(left_out_);
    out.list(secrets_);
    call = out.done();
  }
  call = co_await steps_.send_down(std::move(call), reach_);
  std::vector<ByteList> votes;
  if (post_ && !keys_.empty() && !call.empty() && take_call(call))
    if (const auto mine = record_.vote(net_.self(), net_.identity(), question_)) {
      const ByteSpan bytes = bytes_of(*mine);
      votes.emplace_back(bytes.begin(), bytes.end());
    }
  votes = co_await steps_.gather(std::move(votes), reach_);
  if (steps_.top() && !trouble_) count(votes);
}

template <class Word>
std::size_t Epoch<Word>::hidden_bytes() const {
  return (plan_.keepers - 1) * KeyPair::Secret::extent;
}
// The index of the post among those chosen; their number if it was not chosen.
template <class Word>
std::size_t Epoch<Word>::place_of(std::size_t post) const {
  return static_cast<std::size_t>(std::ranges::find(keys_, post, &PostKey::post) - keys_.begin());
}
template <class Word>
Digest Epoch<Word>::question(const std::vector<AgentId>& left_out) const {
  return digest_of({bytes_of("tacit keeper's vote"), occasion_, std::as_bytes(std::span(left_out))});
}

// Returns true if this keeper has the secret of its post and enough agents are in the sum.
template <class Word>
bool Epoch<Word>::take_call(ByteSpan call) {
  ListReader in(call);
  const std::vector<AgentId> left_out = in.agents();
  const ByteSpan secrets = in.list();
  const std::vector<AgentId>& roster = net_.gathering().roster;
  const std::size_t place = place_of(*post_);
  if (!in.good() || !ascending(left_out) || !std::ranges::includes(roster, left_out) ||
      roster.size() - left_out.size() < plan_.sum.fewest || place == keys_.size() ||
      secrets.size() != plan_.posts * hidden_bytes())
    return false;
  std::vector<AgentId> others = posts_.keepers(*post_);
  const AgentId maker = keys_[place].maker;
  if (maker != net_.self()) {
    std::erase(others, maker);
    const auto rank = static_cast<std::size_t>(std::ranges::find(others, net_.self()) - others.begin());
    const ByteSpan mine =
        secrets.subspan(place * hidden_bytes() + rank * KeyPair::Secret::extent, KeyPair::Secret::extent);
    secret_ = hidden_secret(mine, identity_, net_.identity_of(maker), epoch_, maker, net_.self());
  }
  if (KeyPair(KeyPair::Secret(secret_)).public_key() != keys_[place].key) return false;
  left_out_ = left_out;
  question_ = question(left_out);
  return true;
}

// Called by the originator. A keeper votes only once in a run, so a failed vote cannot be repeated.
template <class Word>
void Epoch<Word>::count(const std::vector<ByteList>& items) {
  const Digest asked = question(left_out_);
  const IdentityOf identity_of = [this](AgentId agent) -> const IdentityKey& {
    return net_.identity_of(agent);
  };
  std::vector<std::size_t> of_post(plan_.posts);
  for (const ByteList& item : items) {
    if (item.size() != sizeof(Vote)) continue;
    const auto vote = value_at<Vote>(item);
    const auto post = posts_.of(vote.keeper);
    const std::size_t place = post ? place_of(*post) : keys_.size();
    if (place == keys_.size() || of_post[place] == plan_.quorum || !holds(vote, asked, identity_of)) continue;
    ++of_post[place];
    votes_.push_back(vote);
  }
  if (std::ranges::count(of_post, plan_.quorum) == static_cast<std::ptrdiff_t>(plan_.posts)) return;
  trouble_ = End::error;
  why_ = Trouble::votes;
}

template <class Word>
Task<void> Epoch<Word>::open() {
  ByteList votes;
  if (steps_.top() && !trouble_) {
    const ByteSpan all = std::as_bytes(std::span(votes_));
    votes.assign(all.begin(), all.end());
  }
  votes = co_await steps_.send_down(std::move(votes), reach_);
  std::vector<ByteList> opened;
  if (post_ && may_open(votes)) opened.push_back(masks());
  opened = co_await steps_.gather(std::move(opened), reach_);
  if (steps_.top() && !trouble_) subtract(opened);
}

template <class Word>
bool Epoch<Word>::may_open(ByteSpan received) {
  std::vector<Vote> votes(received.size() / sizeof(Vote));
  for (std::size_t k = 0; k < votes.size(); ++k)
    votes[k] = value_at<Vote>(received.subspan(k * sizeof(Vote)));
  if (std::ranges::find(votes, net_.self(), &Vote::keeper) == votes.end()) return false;
  const IdentityOf identity_of = [this](AgentId agent) -> const IdentityKey& {
    return net_.identity_of(agent);
  };
  return record_.release(question_, posts_.keepers(*post_), plan_.quorum, votes, identity_of);
}

template <class Word>
ByteList Epoch<Word>::masks() {
  Masking<Word> of_post(plan_.sum);
  const KeyPair pair{KeyPair::Secret(secret_)};
  const auto post = static_cast<std::uint32_t>(*post_);
  for (const AgentId agent : net_.gathering().roster)
    if (!std::ranges::binary_search(left_out_, agent))
      of_post.apply(
          stream_of(pair.agree(agreement_key(net_.identity_of(agent)), post_name(agent, post)), occasion_),
          true);
  ByteList packed(of_post.size());
  of_post.pack(packed);
  ListWriter out;
  out.value(post);
  out.bytes(packed);
  return out.done();
}

template <class Word>
void Epoch<Word>::subtract(const std::vector<ByteList>& items) {
  std::vector<ByteSpan> masks(plan_.posts);
  for (const ByteList& item : items) {
    ListReader in(item);
    const std::size_t place = place_of(in.value<std::uint32_t>());
    const ByteSpan packed = in.bytes(sum_.size());
    if (in.good() && in.at_end() && place < keys_.size()) masks[place] = packed;
  }
  if (std::ranges::any_of(masks, [](ByteSpan one) { return one.empty(); })) {
    trouble_ = End::error;
    why_ = Trouble::masks;
    return;
  }
  for (const ByteSpan one : masks) sum_.subtract(one);
  total_.resize(sum_.size());
  sum_.pack(total_);
}

// Instantiates the members that are defined here.
template class Epoch<Word64>;
template class Epoch<Word128>;

}  // namespace tacit
