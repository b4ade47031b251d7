// All that a protocol sees of the world: its neighbourhood, randomness, and messages to and from neighbours.
// The simulator and the networked agent each implement it, and run the same protocol code.
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

/// The keys that an agent has in common with others, by their ids.
using PairKeys = std::map<AgentId, PairKey>;

class Channel {
 public:
  virtual ~Channel() = default;

  AgentId self() const { return neighbourhood().self; }

  /// What this agent knows of the graph: two hops (asm:metro).
  virtual const Neighbourhood& neighbourhood() const = 0;

  /// Who takes part in this run, and the links among them, which all of them have agreed on.
  virtual const Gathering& gathering() = 0;

  /// What the run is about and has come to. Drivers give it the start that all agents have signed.
  Transcript& transcript() { return transcript_; }

  /// How many numbers this agent has helped to open so far, for the ledger: counted when it gives away what
  /// hides them, whether or not it gets to see them.
  std::uint64_t opened() const { return opened_; }
  void count_opened(std::uint64_t numbers) { opened_ += numbers; }

  /// A digest of the totals themselves, whoever asked and whatever the run is called: runs that have opened
  /// the same numbers have the same.
  const Digest& content() const { return content_.now(); }

  /// By the consensus agents' totals differ in the last places.
  void fold_content(std::span<const std::byte> total) { content_.fold("total", total); }

  /// A total, which all agents of the run must hold alike.
  void fold_total(std::span<const std::byte> total) {
    transcript_.fold("total", total);
    fold_content(total);
  }

  virtual Prg& randomness() = 0;

  /// A buffer to fill and send.
  virtual Payload buffer(std::size_t bytes) = 0;

  /// Hands a message to the network and returns at once. `to` must be a neighbour.
  virtual void send(AgentId to, const Tag& tag, Payload payload) = 0;

  /// `Payload p = co_await net.receive(from, tag)`: waits for exactly that message. Throws Error, naming
  /// agent and message, once the sender is gone without having sent it.
  auto receive(AgentId from, const Tag& tag) {
    struct Receive : Awaited {
      Payload await_resume() {
        if (incoming.lost) throw_gone(from, tag, *incoming.lost);
        return std::move(incoming.message);
      }
    };
    return Receive{{*this, from, tag, {}}};
  }

  /// The same for protocols that outlive the loss of agents: gives nothing once the sender is gone.
  auto receive_unless_gone(AgentId from, const Tag& tag) {
    struct Receive : Awaited {
      std::optional<Payload> await_resume() {
        if (incoming.lost) return std::nullopt;
        return std::move(incoming.message);
      }
    };
    return Receive{{*this, from, tag, {.message = {}, .lost = {}, .may_miss = true}}};
  }

  /// A number for the next protocol execution on this channel. All agents run the same protocols in the same
  /// order, so they count alike and messages of two executions never mix.
  std::uint32_t begin_run() { return next_run_++; }

  /// This agent's long-lived identity, and everybody's public half of theirs.
  virtual const Identity& identity() = 0;
  virtual const IdentityKey& identity_of(AgentId agent) = 0;

  /// What exchange_keys agreed on; none before the first run on this channel that needs keys. They last as
  /// long as the channel.
  std::optional<PairKeys>& pair_keys() { return pair_keys_; }

  /// The keys of the last exact sum on this channel, for the next one.
  std::optional<MaskKeys>& mask_keys() { return mask_keys_; }

  /// The ways of the gathering.
  Routes& routes() {
    if (!routes_) routes_.emplace(gathering(), self());
    return *routes_;
  }

 protected:
  /// The message that a protocol waits for, or the news that it will never come.
  struct Incoming {
    Payload message;
    std::optional<std::string> lost = {};  ///< why, where the driver knows
    bool may_miss = false;                 ///< the protocol goes on without it
  };

  /// Takes the message if it is there.
  virtual bool try_receive(AgentId from, const Tag& tag, Payload& message) = 0;

  /// Arranges that `protocol` is resumed once `incoming` has been filled in. Returns false, and resumes
  /// nothing, when the message came in meanwhile.
  virtual bool wait(AgentId from, const Tag& tag, Incoming& incoming, std::coroutine_handle<> protocol) = 0;

 private:
  // A message that is being waited for.
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
