// Statements that an agent sends to all agents, signed and bound to the run's transcript. An agent that
// passes a statement on cannot change it, and it cannot be used in another run.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "tacit/base/error.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/run/run.hpp"

namespace tacit {

/// An agent violated the protocol.
class Misbehaviour : public Error {
 public:
  Misbehaviour(AgentId who, const std::string& what) : Error(what), who_(who) {}
  AgentId who() const { return who_; }

 private:
  AgentId who_;
};

/// One statement for each agent of the roster, in its order.
using Statements = std::vector<std::vector<std::byte>>;

/// Every agent of the roster sends a statement of the same length to all. All agents receive the same
/// statements, or an error that names the agent with an invalid signature, a wrong length or another
/// transcript. All agents must be at the same point of the transcript.
Task<Statements> exchange(Run& net, Step step, std::vector<std::byte> mine);

/// The same without keeping the statements: calls `take` with each as it arrives, with this agent's own
/// first. Returns the number of statements.
using TakeStatement = std::function<void(AgentId, std::span<const std::byte>)>;
Task<std::size_t> exchange(Run& net, Step step, std::span<const std::byte> mine, TakeStatement take);

/// One agent of the roster, `speaker`, sends a statement to all. Returns it at every agent. `mine` is used
/// only at the speaker.
inline constexpr std::size_t most_published_bytes = 1u << 20;
Task<std::vector<std::byte>> publish(Run& net, AgentId speaker, Step step, std::vector<std::byte> mine);

}  // namespace tacit
