// All that a protocol sees of the world: its neighbourhood, randomness, and messages to and from neighbours.
// The simulator and the networked agent each implement it, and run the same protocol code.
#pragma once

#include <coroutine>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "tacit/graph/graph.hpp"
#include "tacit/protocol/exact/roster.hpp"
#include "tacit/protocol/payload.hpp"
#include "tacit/protocol/tag.hpp"
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

  virtual Prg& randomness() = 0;

  /// A buffer to fill and send.
  virtual Payload buffer(std::size_t bytes) = 0;

  /// Hands a message to the network and returns at once. `to` must be a neighbour.
  virtual void send(AgentId to, const Tag& tag, Payload payload) = 0;

  /// `Payload p = co_await net.receive(from, tag)`: waits for exactly that message. Throws Error, naming
  /// agent and message, once the sender is gone without having sent it.
  auto receive(AgentId from, const Tag& tag) {
    struct Receive {
      Channel& channel;
      AgentId from;
      Tag tag;
      Incoming incoming;
      bool await_ready() { return channel.try_receive(from, tag, incoming.message); }
      bool await_suspend(std::coroutine_handle<> protocol) {
        return channel.wait(from, tag, incoming, protocol);
      }
      Payload await_resume() {
        if (incoming.lost) throw_gone(from, tag, *incoming.lost);
        return std::move(incoming.message);
      }
    };
    return Receive{*this, from, tag, {}};
  }

  /// A number for the next protocol execution on this channel. All agents run the same protocols in the same
  /// order, so they count alike and messages of two executions never mix.
  std::uint32_t begin_run() { return next_run_++; }

  /// What happens on a channel, for protocols that cannot know what comes next.
  struct Event {
    enum class Kind {
      message,  ///< from a neighbour
      gone,     ///< a neighbour is gone for good; reported once a run
      silence,  ///< nothing has come, and nothing more will
    };
    Kind kind = Kind::silence;
    AgentId from = 0;
    Tag tag;
    Payload message;
    std::string why = {};  ///< of gone and silence, where the driver knows
  };

  /// `Event e = co_await net.next(run)`: the earliest message about the run from any neighbour, or the news
  /// that there is none.
  auto next(std::uint32_t run) {
    struct Next {
      Channel& channel;
      std::uint32_t run;
      Event event;
      bool await_ready() { return false; }
      void await_suspend(std::coroutine_handle<> protocol) { channel.wait_any(run, event, protocol); }
      Event await_resume() { return std::move(event); }
    };
    return Next{*this, run, {}};
  }

  /// This agent's long-lived identity, and everybody's public half of theirs.
  virtual const Identity& identity() = 0;
  virtual const IdentityKey& identity_of(AgentId agent) = 0;

  /// Does this agent want to leave when this round is complete? Protocols that agents may leave ask
  /// once a round.
  virtual bool leaves_after(std::uint32_t /*run*/, std::uint32_t /*round*/) { return false; }

  /// What exchange_keys agreed on; none before the first run on this channel that needs keys. They last as
  /// long as the channel.
  std::optional<PairKeys>& pair_keys() { return pair_keys_; }

  /// The roster of the last exact sum on this channel.
  std::optional<Standing>& standing() { return standing_; }

 protected:
  /// The message that a protocol waits for, or the news that it will never come.
  struct Incoming {
    Payload message;
    std::optional<std::string> lost = {};  ///< why, where the driver knows
  };

  /// Takes the message if it is there.
  virtual bool try_receive(AgentId from, const Tag& tag, Payload& message) = 0;

  /// Arranges that `protocol` is resumed once `incoming` has been filled in. Returns false, and resumes
  /// nothing, when the message came in meanwhile.
  virtual bool wait(AgentId from, const Tag& tag, Incoming& incoming, std::coroutine_handle<> protocol) = 0;

  /// Arranges that `protocol` is resumed once `event` has been filled in.
  virtual void wait_any(std::uint32_t run, Event& event, std::coroutine_handle<> protocol) = 0;

 private:
  [[noreturn]] static void throw_gone(AgentId from, const Tag& tag, const std::string& why);

  std::uint32_t next_run_ = 0;
  std::optional<PairKeys> pair_keys_;
  std::optional<Standing> standing_;
};

}  // namespace tacit
