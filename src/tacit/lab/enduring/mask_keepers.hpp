// Which agents keep the masks of an enduring sum, and when a keeper releases them. For the files of
// lab/enduring only.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tacit/lab/enduring/enduring.hpp"
#include "tacit/protocol/run/gathering.hpp"
#include "tacit/secrecy/pairwise.hpp"

namespace tacit {

/// The posts of a run: agents near the originator, the same for all agents that know the gathering. As far as
/// possible, the keepers of a post are in different branches of its tree, so that a single loss does not cut
/// off two of them.
class KeeperLists {
 public:
  KeeperLists(const Gathering& everybody, const EnduringPlan& plan);

  std::size_t size() const { return posts_.size(); }
  const std::vector<AgentId>& keepers(std::size_t post) const { return posts_.at(post); }
  std::optional<std::size_t> of(AgentId agent) const;
  /// The number of links in a tree from the originator to the farthest keeper.
  std::size_t reach(const PathTree& tree) const;

 private:
  std::vector<std::vector<AgentId>> posts_;
};

/// The key of a post, made and signed by one of its keepers.
struct PostKey {
  std::uint32_t post = 0, maker = 0;
  PublicKey key{};
  Signature signature{};
};
static_assert(sizeof(PostKey) == 104);

/// The text that the maker of a post's key signs, for one epoch.
Digest post_text(const Digest& epoch, std::uint32_t post, const PublicKey& key);

/// The name of an agent and a post. It differs from the names of pairs of agents, because there are fewer
/// than 2³¹ agents and posts.
constexpr PairName post_name(AgentId agent, std::uint32_t post) { return {agent, ~post}; }

/// Masks a post's secret with a stream that its maker shares with another keeper, or unmasks it. The stream
/// is different for each maker. The receiver compares the secret with the post's public key.
LockedVector<std::byte> hidden_secret(std::span<const std::byte> secret, const KeyPair& mine,
                                      const IdentityKey& theirs, const Digest& epoch, AgentId maker,
                                      AgentId keeper);

struct Vote {
  std::uint32_t keeper = 0;
  Signature signature{};
};
static_assert(sizeof(Vote) == 68);

using IdentityOf = std::function<const IdentityKey&(AgentId)>;

/// Returns true if this keeper signed this question: to release its post's masks of one list of agents, in
/// one epoch.
bool holds(const Vote& vote, const Digest& question, const IdentityOf& identity_of);

/// What a keeper releases in a run: one vote, and its post's masks for that question if most keepers of the
/// post voted for it. So a post without hostile keepers answers one question in a run, whatever messages it
/// receives.
class KeeperRecord {
 public:
  /// Returns the vote; none if there was one before.
  std::optional<Vote> vote(AgentId self, const Identity& identity, const Digest& question);

  /// Returns true if the masks may be released, which is at most once.
  bool release(const Digest& question, std::span<const AgentId> post, std::size_t quorum,
               std::span<const Vote> votes, const IdentityOf& identity_of);

 private:
  std::optional<Digest> voted_;
  bool released_ = false;
};

}  // namespace tacit
