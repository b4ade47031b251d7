// One agent's part in a run: the channel to its neighbours, and what all agents of the run have agreed on or
// hold in common: who takes part, their identities, the transcript. It knows no driver and no protocol.
//
// Threads: one thread at a time uses a run, the one that runs its protocol.
// Errors: those of its channel and its identities.
// Stopping: as for its channel (channel/channel.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/run/gathering.hpp"
#include "tacit/protocol/run/run_keys.hpp"
#include "tacit/protocol/run/transcript.hpp"
#include "tacit/secrecy/signature.hpp"

namespace tacit {

/// The identities of a run's agents, as one of them knows them.
class Identities {
 public:
  virtual ~Identities() = default;

  /// Returns this agent's own identity, with which it signs.
  virtual const Identity& identity() = 0;
  /// Returns the key that verifies an agent's signatures. Throws Error for an unknown agent.
  virtual const IdentityKey& identity_of(AgentId agent) = 0;
};

class Run {
 public:
  /// `transcript` begins with what all agents have signed before the run. The other arguments must outlive
  /// the run.
  Run(Channel& net, const Gathering& gathering, Identities& identities, const Transcript& transcript)
      : net_(net),
        gathering_(gathering),
        identities_(identities),
        transcript_(transcript),
        routes_(gathering, net.self()) {}
  Run(const Run&) = delete;

  /// The channel, for protocols that need nothing else. A run is accepted wherever a channel is.
  Channel& channel() { return net_; }
  operator Channel&() { return net_; }
  AgentId self() const { return net_.self(); }
  const Neighbourhood& neighbourhood() const { return net_.neighbourhood(); }
  Prg& randomness() { return net_.randomness(); }
  Payload buffer(std::size_t bytes) { return net_.buffer(bytes); }
  void send(AgentId to, const Tag& tag, Payload payload) { net_.send(to, tag, std::move(payload)); }
  auto receive(AgentId from, const Tag& tag) { return net_.receive(from, tag); }
  auto receive_unless_gone(AgentId from, const Tag& tag) { return net_.receive_unless_gone(from, tag); }

  /// Returns the agents that take part and the links among them.
  const Gathering& gathering() const { return gathering_; }
  /// Returns this agent's routes in the gathering.
  Routes& routes() { return routes_; }

  Identities& identities() { return identities_; }
  const Identity& identity() { return identities_.identity(); }
  const IdentityKey& identity_of(AgentId agent) { return identities_.identity_of(agent); }

  Transcript& transcript() { return transcript_; }

  /// Returns a digest of the totals alone. Runs that have opened the same numbers have the same digest,
  /// independent of the asker.
  const Digest& content() const { return content_.now(); }
  /// Adds a total to the content only: by the consensus, agents' totals differ in the last digits.
  void fold_content(std::span<const std::byte> total) { content_.fold("total", total); }
  /// Adds a total that all agents of the run must hold.
  void fold_total(std::span<const std::byte> total) {
    transcript_.fold("total", total);
    fold_content(total);
  }

  /// Returns how many numbers this agent has helped to open so far, for the ledger. They are counted when the
  /// agent releases what hides them, whether or not it receives the total.
  std::uint64_t opened() const { return opened_; }
  void count_opened(std::uint64_t numbers) { opened_ += numbers; }

  /// Returns a number for the next protocol execution (Tag::run). All agents run the same protocols in the
  /// same order, so their numbers agree and messages of two executions never mix.
  std::uint32_t begin_run() { return next_run_++; }

  /// The keys from exchange_keys; none before the first execution that needs keys. They last as long as the
  /// run.
  std::optional<PairKeys>& pair_keys() { return pair_keys_; }
  /// The keys of the last exact sum, reused by the next one.
  std::optional<MaskKeys>& mask_keys() { return mask_keys_; }

 private:
  Channel& net_;
  const Gathering& gathering_;
  Identities& identities_;
  Transcript transcript_, content_;
  Routes routes_;
  std::uint64_t opened_ = 0;
  std::uint32_t next_run_ = 0;
  std::optional<PairKeys> pair_keys_;
  std::optional<MaskKeys> mask_keys_;
};

}  // namespace tacit
