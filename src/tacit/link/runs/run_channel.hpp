// One agent's side of one run over real links: the second driver of Channel, beside the simulator.
//
// Messages are handed in by the links' threads, in the order in which each neighbour sent them, and wait
// until the protocol asks for them. The protocol itself runs on one thread, in drive().
#pragma once

#include <condition_variable>
#include <coroutine>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tacit/link/node/node_options.hpp"
#include "tacit/link/runs/signed_run.hpp"
#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/task.hpp"

namespace tacit {

/// Why a neighbour is gone from a run.
struct Gone {
  std::string why;                      ///< for this agent's own people
  Reason reason;                        ///< for the others, when the run ends for it
  std::optional<wire::Quit> quit = {};  ///< what its author has signed, where somebody left the run
};

class RunChannel final : public Channel {
 public:
  using Send = std::function<void(AgentId to, const Tag& tag, Payload payload)>;

  /// For a run that may start. Options and pool must outlive it.
  RunChannel(const NodeOptions& options, const Announced& what, PayloadPool& pool, Send send);

  /// It starts. What has come for it counts from now on.
  void begin(const Agreed& agreed);

  /// Runs a protocol to its end on this thread. Throws what it throws.
  template <class T>
  T drive(Task<T> task) {
    run_to_end(task.handle());
    return task.result();
  }

  /// Must messages of this neighbour be charged to its budget? Not once the run has begun here, or the
  /// neighbour has shown that it has.
  bool charges(AgentId from);
  void has_begun(AgentId from);

  /// A message has come. One with a tag that the neighbour has used already, or more than fits, makes it
  /// count as gone. Returns the reason, once, when the neighbour counts as gone and may not know.
  std::optional<Reason> deliver(AgentId from, const Tag& tag, Payload payload, Charge charge = {});
  /// There was no room for a message.
  std::optional<Reason> overflow(AgentId from);
  /// The neighbour is gone for this run. What it sent before still counts.
  void lose(AgentId neighbour, Gone gone);
  /// Has that agent, or has its neighbour for it, signed this about the run?
  bool is_about_this(const wire::Quit& quit, AgentId from) const;
  /// Makes the protocol end with this error wherever it waits. Of several, the first counts.
  void stop(const std::string& why, Reason reason);

  /// Who was gone, and why, when the protocol was last told that a message will never come.
  struct Cause {
    AgentId neighbour = 0;
    Gone gone;
  };
  std::optional<Cause> cause() const;
  /// Why it was stopped, if it was.
  std::optional<Reason> stopped() const;

  const Digest& announcement() const { return announcement_; }
  /// This agent's last word on the run is bound to it.
  Digest bound() const;
  AgentId originator() const { return originator_; }
  /// Neighbours whose messages wait.
  std::vector<AgentId> heard_from() const;
  /// Neighbours of the roster.
  const std::vector<AgentId>& partners() const { return partners_; }

  const Neighbourhood& neighbourhood() const override { return here_; }
  const Gathering& gathering() override { return gathering_; }
  Prg& randomness() override { return randomness_; }
  Payload buffer(std::size_t bytes) override { return pool_.take(bytes); }
  void send(AgentId to, const Tag& tag, Payload payload) override;
  const Identity& identity() override { return *options_.identity; }
  const IdentityKey& identity_of(AgentId agent) override;

 private:
  struct Message {
    Payload payload;
    Charge charge;
  };
  struct Neighbour {
    std::map<Tag, Message> messages;  // not asked for yet
    std::size_t bytes = 0;            // in these
    std::optional<Gone> gone;
    bool told = false;       // that it is
    bool has_begun = false;  // it has shown a start that the originator signed
  };
  struct Wanted {
    AgentId from = 0;
    Tag tag;
    Incoming* incoming = nullptr;
  };

  bool try_receive(AgentId from, const Tag& tag, Payload& message) override;
  bool wait(AgentId from, const Tag& tag, Incoming& incoming, std::coroutine_handle<> protocol) override;

  void run_to_end(std::coroutine_handle<> outermost);
  bool fill();
  void report(AgentId neighbour, Gone gone);
  std::optional<Reason> misbehaves(AgentId from, Neighbour& sender, const std::string& how);
  void take(Neighbour& from, std::map<Tag, Message>::iterator at, Payload& message);
  Neighbour& neighbour(AgentId id);

  const NodeOptions& options_;
  const Name name_;
  const Digest announcement_;
  const AgentId originator_;
  std::vector<AgentId> partners_;
  PayloadPool& pool_;
  const Send send_;
  const Neighbourhood here_;
  Gathering gathering_;  // until it starts, the roster and the charter's links
  Prg randomness_ = Prg::from_os();

  mutable std::mutex guard_;
  std::condition_variable changed_;
  std::optional<Digest> start_;
  std::map<AgentId, Neighbour> neighbours_;
  std::optional<Wanted> wanted_;
  std::coroutine_handle<> waiting_;
  std::optional<Cause> cause_;
  struct Stopped {
    std::string why;
    Reason reason;
  };
  std::optional<Stopped> stopped_;
};

}  // namespace tacit
