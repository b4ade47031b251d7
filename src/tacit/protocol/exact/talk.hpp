// One agent's conversation in a run of protocol exact: who is on its tree, which epoch it is in, whom it has
// lost, and how it learns that an epoch or the run is over. For protocol exact's own files.
#pragma once

#include <cstring>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "tacit/base/error.hpp"
#include "tacit/protocol/channel.hpp"
#include "tacit/protocol/exact/exact.hpp"
#include "tacit/protocol/task.hpp"

namespace tacit {

class ExactTalk {
 public:
  using Event = Channel::Event;
  using Bytes = std::span<const std::byte>;

  ExactTalk(Channel& net, const ExactPlan& plan);

  Channel& net() { return net_; }
  const ExactPlan& plan() const { return plan_; }
  AgentId self() const { return self_; }
  bool originator() const { return self_ == plan_.originator; }
  std::uint32_t run() const { return run_; }
  std::uint32_t epoch() const { return epoch_; }

  /// The agent's place on the spanning tree. From now on only the loss of a neighbour on the tree matters.
  void sit(std::optional<AgentId> parent, std::vector<AgentId> children);
  const std::optional<AgentId>& parent() const { return parent_; }
  const std::vector<AgentId>& children() const { return children_; }
  /// Neighbours that are not lost.
  std::vector<AgentId> reachable() const;

  void send(AgentId to, Step step, Bytes bytes);
  void send(AgentId to, Step step, Payload payload);
  void send_down(Step step, Bytes bytes);

  /// The call that starts an epoch for this agent, who is not the originator.
  Task<Event> hear_call();

  /// The next message of this epoch; none when the epoch is over. News of losses and ends is passed on on the
  /// way. Throws Error when the run is over.
  Task<std::optional<Event>> hear();

  /// From now on there is no other epoch: a loss ends the run.
  void open() { stage_ = Stage::opened; }
  /// This child has sent all that is needed: from now on its loss does not matter.
  void served(AgentId child) { served_.insert(child); }
  /// The next message after that.
  Task<Event> hear_opened();

  /// Tells everybody that this agent cannot go on, so that nobody waits for it.
  void end_for_all(const InputError& why) { end_for_all('i', why.what()); }
  void end_for_all(const Error& why) { end_for_all('e', why.what()); }

  [[noreturn]] static void malformed(const Event& event);

 private:
  enum class Stage {
    idle,    // not called yet
    called,  // gathering: any neighbour may be needed
    seated,  // on the tree
    opened,
  };

  Tag tag(Step step) const { return {run_, epoch_, self_, step}; }
  void flood(Step step, std::uint32_t epoch, AgentId about, Bytes why);
  void end_for_all(char whose_fault, const std::string& why);
  [[noreturn]] void ended(const Event& event);
  void over(std::uint32_t epoch);
  bool lose(AgentId neighbour);
  std::string loss(AgentId agent) const;

  Channel& net_;
  const ExactPlan& plan_;
  const std::uint32_t run_;
  const AgentId self_;

  std::uint32_t epoch_ = 0;
  Stage stage_;
  bool ended_ = false;
  std::optional<Event> called_;  // the call of a new epoch that came in the middle of an old one
  std::optional<AgentId> parent_;
  std::vector<AgentId> children_;
  std::set<AgentId> lost_;    // neighbours
  std::set<AgentId> served_;  // children that have sent all they had to, in the opening
  std::set<std::tuple<std::uint32_t, AgentId, Step>> said_;
};

/// What all agents of a sum must agree on.
Digest digest_of(const ExactPlan& plan);

/// Step 1: a call floods the graph and makes a tree; consents climb it, the roster comes down into `group`.
/// False when the epoch ended on the way.
Task<bool> gather(ExactTalk& talk, std::optional<Standing>& group);

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

/// A number at the start of a message that is known to be long enough.
inline std::uint32_t number_at(std::span<const std::byte> bytes) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

}  // namespace tacit
