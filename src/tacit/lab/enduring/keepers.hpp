// Who keeps the masks of an enduring sum, and when a keeper gives them away. For protocol exact's own files.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tacit/lab/enduring/enduring.hpp"
#include "tacit/protocol/channel/channel.hpp"

namespace tacit {

/// The posts of a run, the same for all who know the gathering: agents near the originator. The keepers of a
/// post are in different branches of its tree as far as can be, so that no single loss cuts off two of them.
class Posts {
 public:
  Posts(const Gathering& everybody, const EnduringPlan& plan);

  std::size_t size() const { return posts_.size(); }
  const std::vector<AgentId>& keepers(std::size_t post) const { return posts_.at(post); }
  std::optional<std::size_t> of(AgentId agent) const;
  /// Links from the originator to the keeper that is farthest in a tree.
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

/// What its maker signs, for one epoch.
Digest post_text(const Digest& epoch, std::uint32_t post, const PublicKey& key);

/// The name of an agent and a post; no pair of agents has it, as there are fewer than 2³¹ of both.
constexpr PairName post_name(AgentId agent, std::uint32_t post) { return {agent, ~post}; }

/// A post's secret, hidden by a stream that its maker and another keeper have in common, or shown again;
/// every maker's is another. Whoever gets it compares it with the post's public key.
LockedVector<std::byte> hidden_secret(std::span<const std::byte> secret, const KeyPair& mine,
                                      const IdentityKey& theirs, const Digest& epoch, AgentId maker,
                                      AgentId keeper);

struct Vote {
  std::uint32_t keeper = 0;
  Signature signature{};
};
static_assert(sizeof(Vote) == 68);

using IdentityOf = std::function<const IdentityKey&(AgentId)>;

/// Did this keeper sign this question: to give away its post's masks of one list of agents, in one epoch?
bool holds(const Vote& vote, const Digest& question, const IdentityOf& identity_of);

/// What a keeper has given away in a run: one vote, and its post's masks for that question, if most of the
/// post have voted for it. So a post none of whose keepers is hostile answers one question in a run, whatever
/// it is told.
class Conscience {
 public:
  /// The vote; none when there was one before.
  std::optional<Vote> vote(AgentId self, const Identity& identity, const Digest& question);

  /// May the masks be given away? Once at most.
  bool release(const Digest& question, std::span<const AgentId> post, std::size_t quorum,
               std::span<const Vote> votes, const IdentityOf& identity_of);

 private:
  std::optional<Digest> voted_;
  bool released_ = false;
};

}  // namespace tacit
