// One attempt at an enduring sum, from the side of one agent. All agents take the same number of turns in it
// in any case, until the originator announces how it has ended. For the files of lab/enduring only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tacit/lab/enduring/byte_lists.hpp"
#include "tacit/lab/enduring/lockstep.hpp"
#include "tacit/lab/enduring/mask_keepers.hpp"
#include "tacit/protocol/exact/masking.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {

/// How an epoch ends, as the originator announces it: with a total and the agents left out, with another
/// epoch without the lost agents, or with an error.
enum class End : std::uint8_t { total, again, error };

/// Why there is no total. A code instead of a text, because agents should not print texts of the originator.
enum class Trouble : std::uint8_t { counted_twice, too_few, votes, masks, silence, malformed };

struct Ending {
  End how = End::error;
  std::vector<AgentId> agents = {};
  ByteList content = {};  ///< the total or the Trouble
};

/// The message of an ending with an error.
std::string words_of(const Ending& ending, const EnduringPlan& plan);

template <class Word>
class Epoch {
 public:
  /// `who` are the agents that are not yet lost. All arguments must outlive the object.
  Epoch(Run& net, const EnduringPlan& plan, const KeeperLists& posts, const Gathering& who,
        const WipedVector<SignedOf<Word>>& mine, KeeperRecord& record)
      : net_(net),
        plan_(plan),
        posts_(posts),
        mine_(mine),
        record_(record),
        steps_(net, who, plan.sum.originator),
        living_(who.roster.size()),
        reach_(posts.reach(steps_.tree())),
        post_(posts.of(net.self())),
        identity_(agreement_pair(net.identity())),
        epoch_(digest_of({bytes_of("tacit epoch"), net.transcript().now(), bytes_of(steps_.run())})),
        sum_(plan.sum) {}

  Task<Ending> run();

 private:
  // Keys: each keeper makes one for its post. The originator chooses posts and keys and sends them to all
  // agents.
  Task<void> make_keys();
  ByteList introduction();
  bool signed_by_maker(const PostKey& key);
  ByteList chosen(const std::vector<ByteList>& items);
  void take_keys(ByteSpan received);

  // Sum: masked vectors climb with the ids of their agents.
  Task<void> add_up();
  ByteList partial();
  void take_partial(ByteSpan received);
  void decide();

  // Vote: the keepers vote on whether the masks of exactly these agents may be released.
  Task<void> vote();
  std::size_t hidden_bytes() const;
  std::size_t place_of(std::size_t post) const;
  Digest question(const std::vector<AgentId>& left_out) const;
  bool take_call(ByteSpan call);
  void count(const std::vector<ByteList>& items);

  // Open: keepers that see the votes of their post release the sum of its masks.
  Task<void> open();
  bool may_open(ByteSpan received);
  ByteList masks();
  void subtract(const std::vector<ByteList>& items);

  // End: the originator signs how the epoch ended.
  Digest end_text(ByteSpan content) const;
  ByteList signed_end();
  bool signed_by_originator(ByteSpan received);

  Run& net_;
  const EnduringPlan& plan_;
  const KeeperLists& posts_;
  const WipedVector<SignedOf<Word>>& mine_;
  KeeperRecord& record_;
  Lockstep steps_;
  const std::size_t living_, reach_;
  const std::optional<std::size_t> post_;
  const KeyPair identity_;
  const Digest epoch_;

  LockedVector<std::byte> secret_;  // of the post, if this agent is a keeper
  std::vector<PostKey> keys_;       // empty if they did not arrive
  Digest occasion_{}, question_{};
  Masking<Word> sum_;
  WipedVector<std::byte> masked_;
  std::vector<AgentId> added_, missed_, left_out_;

  // Used only by the originator.
  std::optional<End> trouble_;  // none as long as a total is possible
  Trouble why_ = Trouble::malformed;
  ByteList secrets_, total_;
  std::vector<Vote> votes_;
};

}  // namespace tacit
