// What agents say to everybody, under their signature and bound to the run's transcript. Whoever passes a
// statement on cannot change it, and nobody can use it elsewhere.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "tacit/base/error.hpp"
#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/task.hpp"

namespace tacit {

/// Somebody has said what no honest agent says.
class Misbehaviour : public Error {
 public:
  Misbehaviour(AgentId who, const std::string& what) : Error(what), who_(who) {}
  AgentId who() const { return who_; }

 private:
  AgentId who_;
};

/// One for each of the roster, in its order.
using Statements = std::vector<std::vector<std::byte>>;

/// Everybody of the roster says something to everybody, all of it equally long: all get the same, or an error
/// that says whose signature does not hold, whose words are longer or shorter, or who was told something
/// else. Everybody must be at the same point of the transcript.
Task<Statements> exchange(Channel& net, Step step, std::vector<std::byte> mine);

/// The same without keeping them: `take` gets each when it comes, this agent's own first. Gives back how
/// many.
using TakeStatement = std::function<void(AgentId, std::span<const std::byte>)>;
Task<std::size_t> exchange(Channel& net, Step step, std::span<const std::byte> mine, TakeStatement take);

/// One of the roster says something to everybody; `mine` counts at that agent alone. All get it.
inline constexpr std::size_t most_published_bytes = 1u << 20;
Task<std::vector<std::byte>> publish(Channel& net, AgentId speaker, Step step, std::vector<std::byte> mine);

}  // namespace tacit
