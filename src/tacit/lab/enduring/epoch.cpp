#include "tacit/lab/enduring/epoch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace tacit {
namespace {

ByteList written(const Ending& ending) {
  ListWriter out;
  out.value(ending.how);
  out.agents(ending.agents);
  out.list(ending.content);
  return out.done();
}

Ending error_ending(Trouble trouble) { return {End::error, {}, ByteList{std::byte(trouble)}}; }

std::string words_of(Trouble trouble, const EnduringPlan& plan) {
  switch (trouble) {
    case Trouble::counted_twice:
      return "an agent was counted twice in the sum";
    case Trouble::too_few:
      return fmt::format("fewer than {} agents remain, but the sum needs at least this number",
                         plan.sum.fewest);
    case Trouble::votes:
      return "too many keepers were lost during the vote to open the sum, which cannot be repeated";
    case Trouble::masks:
      return "too many keepers were lost while the sum was being opened, which cannot be repeated";
    case Trouble::silence:
      return fmt::format("no result arrived: agent {}, the originator, or all paths to it were lost",
                         plan.sum.originator);
    case Trouble::malformed:
      break;
  }
  return "the originator sent a malformed ending";
}

}  // namespace

// In any case, the originator may hold the total. A sum of the same values over other agents would reveal the
// difference of the two.
std::string words_of(const Ending& ending, const EnduringPlan& plan) {
  const Trouble trouble = ending.content.size() == 1 ? Trouble(ending.content[0]) : Trouble::malformed;
  return words_of(trouble, plan) +
         "; repeat the sum only with new values, because an agent may already know this sum";
}

template <class Word>
Task<Ending> Epoch<Word>::run() {
  co_await make_keys();
  co_await add_up();
  co_await vote();
  co_await open();
  const Lockstep::Holds signed_ending = [this](ByteSpan item) { return signed_by_originator(item); };
  ByteList last = steps_.top() ? signed_end() : ByteList();
  last = co_await steps_.flood(std::move(last), signed_ending);
  if (last.empty()) co_return error_ending(Trouble::silence);
  ListReader in(ByteSpan(last).subspan(sizeof(Signature)));
  Ending ending;
  ending.how = in.value<End>();
  ending.agents = in.agents();
  const ByteSpan content = in.list();
  ending.content.assign(content.begin(), content.end());
  if (!in.good() || !in.at_end() || !ascending(ending.agents)) co_return error_ending(Trouble::malformed);
  co_return ending;
}

template <class Word>
Task<void> Epoch<Word>::make_keys() {
  std::vector<ByteList> items;
  if (post_) items.push_back(introduction());
  items = co_await steps_.gather(std::move(items), reach_);
  ByteList keys = steps_.top() ? chosen(items) : ByteList();
  keys = co_await steps_.send_down(std::move(keys), steps_.tree().depth());
  take_keys(keys);
}

// Made by a keeper: a key for its post, which the originator may choose, and its secret for the other
// keepers.
template <class Word>
ByteList Epoch<Word>::introduction() {
  ListWriter out;
  out.value(net_.self());
  const std::vector<AgentId>& keepers = posts_.keepers(*post_);
  secret_.resize(KeyPair::Secret::extent);
  net_.randomness().fill(secret_);
  const KeyPair pair{KeyPair::Secret(secret_)};
  const auto post = static_cast<std::uint32_t>(*post_);
  out.value(PostKey{post, net_.self(), pair.public_key(),
                    net_.identity().sign(post_text(epoch_, post, pair.public_key()))});
  for (const AgentId other : keepers)
    if (other != net_.self())
      out.bytes(hidden_secret(secret_, identity_, net_.identity_of(other), epoch_, net_.self(), other));
  return out.done();
}

template <class Word>
bool Epoch<Word>::signed_by_maker(const PostKey& key) {
  return key.post < posts_.size() && posts_.of(key.maker) == key.post &&
         verify(net_.identity_of(key.maker), post_text(epoch_, key.post, key.key), key.signature);
}

// Made by the originator: chooses the posts with the most keepers present.
template <class Word>
ByteList Epoch<Word>::chosen(const std::vector<ByteList>& items) {
  struct Candidate {
    PostKey key;
    ByteList secrets = {};
    std::size_t there = 0;
  };
  std::map<std::size_t, Candidate> with_key;
  std::vector<std::size_t> there(posts_.size());
  for (const ByteList& item : items) {
    ListReader in(item);
    const auto agent = in.value<AgentId>();
    const auto post = posts_.of(agent);
    if (!in.good() || !post) continue;
    ++there[*post];
    const auto key = in.template value<PostKey>();
    const ByteSpan secrets = in.bytes(hidden_bytes());
    if (in.good() && key.post == *post && signed_by_maker(key))
      with_key[*post] = {key, ByteList(secrets.begin(), secrets.end())};
  }
  std::vector<Candidate> all;
  std::set<PublicKey> different;
  for (auto& [post, candidate] : with_key) {
    if (!different.insert(candidate.key.key).second) continue;  // a copy, which agents would refuse
    candidate.there = there[post];
    all.push_back(std::move(candidate));
  }
  if (all.size() < plan_.posts) {
    trouble_ = End::again;
    return {};
  }
  std::ranges::stable_sort(all, std::greater{}, &Candidate::there);
  all.resize(plan_.posts);
  std::ranges::sort(all, {}, [](const Candidate& one) { return one.key.post; });
  ListWriter out;
  for (const Candidate& one : all) {
    out.value(one.key);
    secrets_.insert(secrets_.end(), one.secrets.begin(), one.secrets.end());
  }
  return out.done();
}

// Accepts keys only if they are of the agreed number of posts, all different, and each signed by one of its
// keepers.
template <class Word>
void Epoch<Word>::take_keys(ByteSpan received) {
  std::vector<PostKey> keys;
  ListReader in(received);
  while (in.good() && !in.at_end()) keys.push_back(in.template value<PostKey>());
  const auto later = [](const PostKey& a, const PostKey& b) { return a.post >= b.post; };
  std::set<PublicKey> different;
  for (const PostKey& key : keys) different.insert(key.key);
  if (!in.good() || keys.size() != plan_.posts || different.size() != plan_.posts ||
      std::ranges::adjacent_find(keys, later) != keys.end() ||
      !std::ranges::all_of(keys, [&](const PostKey& key) { return signed_by_maker(key); }))
    return;
  keys_ = std::move(keys);
  occasion_ = digest_of({bytes_of("tacit posts"), epoch_, received});
}

template <class Word>
Task<void> Epoch<Word>::add_up() {
  if (!keys_.empty()) {
    for (const PostKey& key : keys_)
      sum_.apply(stream_of(identity_.agree(key.key, post_name(net_.self(), key.post)), occasion_), true);
    masked_.resize(sum_.size());
    sum_.pack(mine_, masked_);
    sum_.clear();
    sum_.add(masked_);
    added_.push_back(net_.self());
    net_.count_opened(plan_.sum.dimension);  // an upper bound: the sum may still fail
  }
  const Lockstep::Merge merge = [this](ByteSpan received) { take_partial(received); };
  const Lockstep::Pack pack = [this] { return partial(); };
  co_await steps_.climb(merge, pack);
  if (steps_.top()) decide();
}

template <class Word>
ByteList Epoch<Word>::partial() {
  masked_.resize(sum_.size());
  sum_.pack(masked_);
  std::vector<AgentId> missed = missed_;
  missed.insert(missed.end(), steps_.missed().begin(), steps_.missed().end());
  ListWriter out;
  out.agents(added_);
  out.agents(missed);
  out.list(masked_);
  return out.done();
}

template <class Word>
void Epoch<Word>::take_partial(ByteSpan received) {
  ListReader in(received);
  const std::vector<AgentId> added = in.agents(), missed = in.agents();
  const ByteSpan masked = in.list();
  // An agent whose message reaches the originator cannot have missed it.
  const auto may_be_missed = [this](AgentId agent) {
    return agent != plan_.sum.originator && net_.gathering().takes_part(agent);
  };
  if (!in.good() || masked.size() != sum_.size() || !std::ranges::all_of(missed, may_be_missed)) return;
  sum_.add(masked);
  added_.insert(added_.end(), added.begin(), added.end());
  missed_.insert(missed_.end(), missed.begin(), missed.end());
}

// Called by the originator before any vote: decides whether to open this sum or to begin again.
template <class Word>
void Epoch<Word>::decide() {
  missed_.insert(missed_.end(), steps_.missed().begin(), steps_.missed().end());
  std::ranges::sort(missed_);
  missed_.erase(std::unique(missed_.begin(), missed_.end()), missed_.end());
  std::ranges::sort(added_);
  // An agent whose vector has arrived is present, whatever others report.
  std::erase_if(missed_, [&](AgentId agent) { return std::ranges::binary_search(added_, agent); });
  left_out_.clear();
  std::ranges::set_difference(net_.gathering().roster, added_, std::back_inserter(left_out_));
  const std::size_t living = living_ - std::min(living_, missed_.size());
  const bool posts_hold = std::ranges::all_of(keys_, [&](const PostKey& key) {
    const auto there = std::ranges::count_if(
        posts_.keepers(key.post), [&](AgentId keeper) { return std::ranges::binary_search(added_, keeper); });
    return static_cast<std::size_t>(there) >= plan_.quorum;
  });
  if (added_.size() + left_out_.size() != net_.gathering().roster.size()) {
    trouble_ = End::error;
    why_ = Trouble::counted_twice;
  } else if (living < plan_.sum.fewest) {
    trouble_ = End::error;
    why_ = Trouble::too_few;
  } else if (!posts_hold || added_.size() < plan_.sum.fewest ||
             static_cast<double>(added_.size()) < plan_.coverage * static_cast<double>(living)) {
    trouble_ = End::again;
  }
}

template <class Word>
Digest Epoch<Word>::end_text(ByteSpan content) const {
  return digest_of({bytes_of("tacit end"), epoch_, content});
}

template <class Word>
ByteList Epoch<Word>::signed_end() {
  Ending ending{trouble_.value_or(End::total), {}, {}};
  if (ending.how == End::total) {
    ending.agents = left_out_;
    ending.content = total_;
  } else if (ending.how == End::again) {
    ending.agents = missed_;
  } else {
    ending = error_ending(why_);
  }
  ByteList content = written(ending);
  const Signature signature = net_.identity().sign(end_text(content));
  content.insert(content.begin(), signature.begin(), signature.end());
  return content;
}
template <class Word>
bool Epoch<Word>::signed_by_originator(ByteSpan received) {
  return received.size() > sizeof(Signature) &&
         verify(net_.identity_of(plan_.sum.originator), end_text(received.subspan(sizeof(Signature))),
                value_at<Signature>(received));
}

template class Epoch<Word64>;
template class Epoch<Word128>;

}  // namespace tacit
