// A protocol's only interface to its surroundings: the neighbourhood, randomness, and messages to and from
// neighbours. The simulator and the networked agent implement it and run the same protocol code.
#pragma once

#include <coroutine>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "tacit/graph/graph.hpp"
#include "tacit/protocol/channel/gathering.hpp"
#include "tacit/protocol/channel/payload.hpp"
#include "tacit/protocol/channel/tag.hpp"
#include "tacit/protocol/channel/transcript.hpp"
#include "tacit/protocol/exact/roster.hpp"
#include "tacit/secrecy/pairwise.hpp"
#include "tacit/secrecy/prg.hpp"

namespace tacit {

/// The keys that an agent shares with others, by their ids.
using PairKeys = std::map<AgentId, PairKey>;

class Channel {
 public:
  virtual ~Channel() = default;

  AgentId self() const { return neighbourhood().self; }

  /// Returns what this agent knows of the graph: two hops (asm:metro).
  virtual const Neighbourhood& neighbourhood() const = 0;

  /// Returns the agents of this run and the links among them, which all of them have agreed on.
  virtual const Gathering& gathering() = 0;

  /// Returns the transcript of the run. Drivers initialise it with the start that all agents have signed.
  Transcript& transcript() { return transcript_; }

  /// Returns how many numbers this agent has helped to open so far, for the ledger. They are counted when the
  /// agent releases what hides them, whether or not it receives the total.
  std::uint64_t opened() const { return opened_; }
  void count_opened(std::uint64_t numbers) { opened_ += numbers; }

  /// Returns a digest of the totals alone. Runs that have opened the same numbers have the same digest,
  /// whoever requested them.
  const Digest& content() const { return content_.now(); }

  /// Adds a total to the content only: by the consensus, agents' totals differ in the last digits.
  void fold_content(std::span<const std::byte> total) { content_.fold("total", total); }

  /// Adds a total that all agents of the run must hold.
  void fold_total(std::span<const std::byte> total) {
    transcript_.fold("total", total);
    fold_content(total);
  }

  virtual Prg& randomness() = 0;

  /// Returns a buffer to fill and send.
  virtual Payload buffer(std::size_t bytes) = 0;

  /// Passes a message to the network and returns at once. `to` must be a neighbour.
  virtual void send(AgentId to, const Tag& tag, Payload payload) = 0;

  /// `Payload p = co_await net.receive(from, tag)` waits for exactly that message. Throws Error, naming agent
  /// and message, if the sender is gone without having sent it.
  auto receive(AgentId from, const Tag& tag) {
    struct Receive : Awaited {
      Payload await_resume() {
        if (incoming.lost) throw_gone(from, tag, *incoming.lost);
        return std::move(incoming.message);
      }
    };
    return Receive{{*this, from, tag, {}}};
  }

  /// The same for protocols that tolerate lost agents: returns nothing if the sender is gone.
  auto receive_unless_gone(AgentId from, const Tag& tag) {
    struct Receive : Awaited {
      std::optional<Payload> await_resume() {
        if (incoming.lost) return std::nullopt;
        return std::move(incoming.message);
      }
    };
    return Receive{{*this, from, tag, {.message = {}, .lost = {}, .may_miss = true}}};
  }

  /// Returns a number for the next protocol execution on this channel. All agents run the same protocols in
  /// the same order, so their numbers agree and messages of two executions never mix.
  std::uint32_t begin_run() { return next_run_++; }

  /// This agent's long-lived identity, and the public identity key of every agent.
  virtual const Identity& identity() = 0;
  virtual const IdentityKey& identity_of(AgentId agent) = 0;

  /// The keys from exchange_keys; none before the first run on this channel that needs keys. They last as
  /// long as the channel.
  std::optional<PairKeys>& pair_keys() { return pair_keys_; }

  /// The keys of the last exact sum on this channel, reused by the next one.
  std::optional<MaskKeys>& mask_keys() { return mask_keys_; }

  /// Returns this agent's routes in the gathering.
  Routes& routes() {
    if (!routes_) routes_.emplace(gathering(), self());
    return *routes_;
  }

 protected:
  /// The message that a protocol waits for, or the information that it will never arrive.
  struct Incoming {
    Payload message;
    std::optional<std::string> lost = {};  ///< set if it will never arrive; the reason, if known
    bool may_miss = false;                 ///< the protocol continues without it
  };

  /// Takes the message if it has arrived.
  virtual bool try_receive(AgentId from, const Tag& tag, Payload& message) = 0;

  /// Arranges that `protocol` is resumed after `incoming` has been filled in. Returns false, and resumes
  /// nothing, if the message has arrived in the meantime.
  virtual bool wait(AgentId from, const Tag& tag, Incoming& incoming, std::coroutine_handle<> protocol) = 0;

 private:
  // A message that the protocol waits for.
  struct Awaited {
    Channel& channel;
    AgentId from;
    Tag tag;
    Incoming incoming;
    bool await_ready() { return channel.try_receive(from, tag, incoming.message); }
    bool await_suspend(std::coroutine_handle<> protocol) {
      return channel.wait(from, tag, incoming, protocol);
    }
  };

  [[noreturn]] static void throw_gone(AgentId from, const Tag& tag, const std::string& why);

  std::uint32_t next_run_ = 0;
  std::uint64_t opened_ = 0;
  Transcript transcript_, content_;
  std::optional<PairKeys> pair_keys_;
  std::optional<MaskKeys> mask_keys_;
  std::optional<Routes> routes_;
};

}  // namespace tacit
