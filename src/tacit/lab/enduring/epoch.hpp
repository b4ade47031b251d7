// One attempt at an enduring sum, one agent's side. All agents take the same number of turns in it, whatever
// happens, until the originator tells everybody how it has ended. For protocol exact's own files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tacit/lab/enduring/keepers.hpp"
#include "tacit/lab/enduring/lockstep.hpp"
#include "tacit/protocol/exact/lists.hpp"
#include "tacit/protocol/exact/masking.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {

/// How an epoch ends, as the originator says: with a total and who is not in it, with another epoch without
/// those who are lost, or with an error.
enum class End : std::uint8_t { total, again, error };

/// Why there is no total. A code, not the originator's own words, which others would have to print.
enum class Trouble : std::uint8_t { counted_twice, too_few, votes, masks, silence, malformed };

struct Ending {
  End how = End::error;
  std::vector<AgentId> agents = {};
  Parcel content = {};  ///< the total, or the trouble
};

/// What an ending with an error means.
std::string words_of(const Ending& ending, const EnduringPlan& plan);

template <class Word>
class Epoch {
 public:
  /// `who` are those who were not lost before. All must outlive it.
  Epoch(Channel& net, const EnduringPlan& plan, const Posts& posts, const Gathering& who,
        const WipedVector<SignedOf<Word>>& mine, Conscience& conscience)
      : net_(net),
        plan_(plan),
        posts_(posts),
        mine_(mine),
        conscience_(conscience),
        steps_(net, who, plan.sum.originator),
        living_(who.roster.size()),
        reach_(posts.reach(steps_.tree())),
        post_(posts.of(net.self())),
        identity_(agreement_pair(net.identity())),
        epoch_(digest_of({bytes_of("tacit epoch"), net.transcript().now(), bytes_of(steps_.run())})),
        sum_(plan.sum) {}

  Task<Ending> run();

 private:
  // Keys: every keeper makes one for its post. The originator chooses posts and keys and tells everybody.
  Task<void> make_keys();
  Parcel introduction();
  bool signed_by_maker(const PostKey& key);
  Parcel chosen(const std::vector<Parcel>& items);
  void take_keys(ByteSpan told);

  // Sum: masked vectors climb with the names of whose they are.
  Task<void> add_up();
  Parcel partial();
  void take_partial(ByteSpan said);
  void decide();

  // Vote: the keepers are asked whether the masks of exactly these agents may be given away.
  Task<void> vote();
  std::size_t hidden_bytes() const;
  std::size_t place_of(std::size_t post) const;
  Digest question(const std::vector<AgentId>& left_out) const;
  bool take_call(ByteSpan call);
  void count(const std::vector<Parcel>& items);

  // Open: keepers that see the votes of their post give away its masks, added up.
  Task<void> open();
  bool may_open(ByteSpan said);
  Parcel masks();
  void subtract(const std::vector<Parcel>& items);

  // End: the originator's last word, signed.
  Digest end_text(ByteSpan content) const;
  Parcel signed_end();
  bool signed_by_originator(ByteSpan said);

  Channel& net_;
  const EnduringPlan& plan_;
  const Posts& posts_;
  const WipedVector<SignedOf<Word>>& mine_;
  Conscience& conscience_;
  Lockstep steps_;
  const std::size_t living_, reach_;
  const std::optional<std::size_t> post_;
  const KeyPair identity_;
  const Digest epoch_;

  LockedVector<std::byte> secret_;  // a keeper's, of its post
  std::vector<PostKey> keys_;       // none when they did not arrive
  Digest occasion_{}, question_{};
  Masking<Word> sum_;
  WipedVector<std::byte> masked_;
  std::vector<AgentId> added_, missed_, left_out_;

  // The originator's.
  std::optional<End> trouble_;  // none while there may be a total
  Trouble why_ = Trouble::malformed;
  Parcel secrets_, total_;
  std::vector<Vote> votes_;
};

}  // namespace tacit
