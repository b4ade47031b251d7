#include "tacit/lab/enduring/mask_keepers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "tacit/base/error.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {
namespace {

// The neighbour of the originator below which an agent is.
AgentId branch_of(const PathTree& tree, AgentId agent) {
  while (tree.level[agent] > 1) agent = tree.parent[agent];
  return agent;
}

}  // namespace

EnduringPlan make_enduring_plan(ExactRequest request, std::size_t keepers) {
  constexpr std::size_t usual_most = 100;
  EnduringPlan plan;
  plan.collusion = request.collusion.value_or(std::min(usual_most, request.agents / 8));
  // Two choices of c + 1 + s out of c + 1 + 2s posts share c + 1 posts, one more than can be hostile.
  const std::size_t spare = 1 + plan.collusion / 20;
  plan.posts = plan.collusion + 1 + spare;
  plan.candidates = plan.posts + spare;
  plan.keepers = keepers;
  plan.quorum = keepers / 2 + 1;
  if (keepers == 0 || plan.candidates * keepers >= request.agents)
    throw InputError(fmt::format(
        "an enduring sum with a collusion bound of {} needs {} posts of {} keepers, which is too much for {} "
        "agents; lower the collusion bound",
        plan.collusion, plan.candidates, keepers, request.agents));
  request.tree = true;
  request.collusion = plan.collusion;
  request.fewest = std::max(request.fewest, (request.agents + 1) / 2);
  plan.sum = make_exact_plan(request);
  return plan;
}

Digest digest_of(const EnduringPlan& plan) {
  const std::uint64_t whole[] = {plan.collusion, plan.posts,  plan.candidates, plan.keepers,
                                 plan.quorum,    plan.epochs, plan.sum.fewest};
  return digest_of({digest_of(plan.sum), std::as_bytes(std::span(whole))});
}

KeeperLists::KeeperLists(const Gathering& everybody, const EnduringPlan& plan) : posts_(plan.candidates) {
  const PathTree& tree = everybody.tree(plan.sum.originator);
  const std::size_t wanted = plan.candidates * plan.keepers;
  if (tree.nearest.size() <= wanted)
    throw InputError(fmt::format("agent {} can reach only {} agents, but {} keepers are needed",
                                 plan.sum.originator, tree.nearest.size() - 1, wanted));
  std::vector<AgentId> near(tree.nearest.begin() + 1,
                            tree.nearest.begin() + 1 + static_cast<std::ptrdiff_t>(wanted));
  std::ranges::stable_sort(near, {}, [&](AgentId agent) { return branch_of(tree, agent); });
  for (std::size_t k = 0; k < wanted; ++k) posts_[k % plan.candidates].push_back(near[k]);
}

std::optional<std::size_t> KeeperLists::of(AgentId agent) const {
  for (std::size_t post = 0; post < posts_.size(); ++post)
    if (std::ranges::find(posts_[post], agent) != posts_[post].end()) return post;
  return std::nullopt;
}

std::size_t KeeperLists::reach(const PathTree& tree) const {
  std::size_t most = 1;
  for (const auto& post : posts_)
    for (const AgentId keeper : post) most = std::max<std::size_t>(most, tree.level[keeper]);
  return most;
}

Digest post_text(const Digest& epoch, std::uint32_t post, const PublicKey& key) {
  return digest_of({bytes_of("tacit post"), epoch, bytes_of(post), key});
}

LockedVector<std::byte> hidden_secret(std::span<const std::byte> secret, const KeyPair& mine,
                                      const IdentityKey& theirs, const Digest& epoch, AgentId maker,
                                      AgentId keeper) {
  LockedVector<std::byte> out(secret.size());
  const Digest occasion = digest_of({bytes_of("tacit post's secret"), epoch, bytes_of(maker)});
  stream_of(mine.agree(agreement_key(theirs), pair_name(maker, keeper)), occasion).fill(out);
  std::ranges::transform(out, secret, out.begin(), std::bit_xor{});
  return out;
}

bool holds(const Vote& vote, const Digest& question, const IdentityOf& identity_of) {
  return verify(identity_of(vote.keeper), question, vote.signature);
}

std::optional<Vote> KeeperRecord::vote(AgentId self, const Identity& identity, const Digest& question) {
  if (voted_) return std::nullopt;
  voted_ = question;
  return Vote{self, identity.sign(question)};
}

bool KeeperRecord::release(const Digest& question, std::span<const AgentId> post, std::size_t quorum,
                           std::span<const Vote> votes, const IdentityOf& identity_of) {
  if (released_ || voted_ != question) return false;
  const auto voted = std::ranges::count_if(post, [&](AgentId keeper) {
    return std::ranges::any_of(
        votes, [&](const Vote& vote) { return vote.keeper == keeper && holds(vote, question, identity_of); });
  });
  released_ = static_cast<std::size_t>(voted) >= quorum;
  return released_;
}

}  // namespace tacit
