// A protocol's only interface to its surroundings: the neighbourhood, randomness, and messages to and from
// neighbours. The simulator and the networked agent implement it and run the same protocol code. Transport
// alone: it does not know who takes part in a run, nor what its agents agreed on (run/run.hpp).
//
// Threads: one thread at a time runs the protocol of a channel. A driver may move it to another thread at
// a wait, and must synchronise the two. How messages from other threads arrive is the driver's concern.
// Errors: a wait throws Error if its message will never arrive.
// Stopping: a wait throws Stopped when the StoppableWork of its thread (base/stop.hpp) is stopped. A
// driver ends a protocol by reporting the message that it waits for as lost, or by destroying its task at
// a wait.
#pragma once

#include <coroutine>
#include <cstddef>
#include <optional>
#include <string>

#include "tacit/base/stop.hpp"
#include "tacit/graph/graph.hpp"
#include "tacit/protocol/channel/payload.hpp"
#include "tacit/protocol/channel/tag.hpp"
#include "tacit/secrecy/prg.hpp"

namespace tacit {

class Channel {
 public:
  virtual ~Channel() = default;

  AgentId self() const { return neighbourhood().self; }

  /// Returns what this agent knows of the graph: two hops (asm:metro).
  virtual const Neighbourhood& neighbourhood() const = 0;

  /// Returns this agent's stream of random bytes. Masks are drawn from it.
  virtual Prg& randomness() = 0;

  /// Returns a buffer to fill and send.
  virtual Payload buffer(std::size_t bytes) = 0;

  /// Passes a message to the network and returns at once. `to` must be a neighbour.
  virtual void send(AgentId to, const Tag& tag, Payload payload) = 0;

  /// `Payload p = co_await net.receive(from, tag)` waits for exactly that message. Throws Error, naming agent
  /// and message, if the sender is gone without having sent it. Throws Stopped if the work of this thread has
  /// been stopped.
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
    bool await_ready() {
      leave_if_stopped();
      return channel.try_receive(from, tag, incoming.message);
    }
    bool await_suspend(std::coroutine_handle<> protocol) {
      return channel.wait(from, tag, incoming, protocol);
    }
  };

  [[noreturn]] static void throw_gone(AgentId from, const Tag& tag, const std::string& why);
};

}  // namespace tacit
