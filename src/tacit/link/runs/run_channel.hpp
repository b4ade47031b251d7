// One agent's side of one run over real links: the second driver of Channel, besides the simulator.
//
// The links' threads deliver messages in the order in which each neighbour sent them. The messages wait until
// the protocol asks for them. The protocol itself runs on one thread, in drive().
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
  std::string why;                      ///< for this agent's own log and users
  Reason reason;                        ///< for the other agents, if the run ends because of it
  std::optional<wire::Quit> quit = {};  ///< if an agent left the run: its signed statement
};

class RunChannel final : public Channel {
 public:
  using Send = std::function<void(AgentId to, const Tag& tag, Payload payload)>;

  /// For a run that may start. Options and pool must outlive the channel.
  RunChannel(const NodeOptions& options, const Announced& what, PayloadPool& pool, Send send);

  /// The run starts. Messages that have arrived for it become valid.
  void begin(Agreed agreed);
  /// What the agents of the run have signed. Only after begin().
  const Agreed& agreed() const { return *agreed_; }

  /// Runs a protocol to its end on this thread. Rethrows its exceptions.
  template <class T>
  T drive(Task<T> task) {
    run_to_end(task.handle());
    return task.result();
  }

  /// True if messages of this neighbour must be charged to its budget: until the run has begun here, or the
  /// neighbour has shown that it has begun.
  bool charges(AgentId from);
  void has_begun(AgentId from);

  /// Takes a message. A neighbour that repeats a tag, or sends more than fits, counts as gone. Returns the
  /// reason, once, if the neighbour counts as gone and may not know it.
  std::optional<Reason> deliver(AgentId from, const Tag& tag, Payload payload, Charge charge = {});
  /// The budget had no room for a message of this neighbour.
  std::optional<Reason> overflow(AgentId from);
  /// The neighbour is gone for this run. Messages that it sent before remain valid.
  void lose(AgentId neighbour, Gone gone);
  /// True if the statement concerns this run, and its author has signed it.
  bool is_about_this(const wire::Quit& quit, AgentId from) const;
  /// Ends the protocol with this error at its next wait. Only the first call counts.
  void stop(const std::string& why, Reason reason);

  /// The neighbour that was gone when the protocol last waited for a message that will not arrive.
  struct Cause {
    AgentId neighbour = 0;
    Gone gone;
  };
  std::optional<Cause> cause() const;
  /// The reason given to stop(), if it was called.
  std::optional<Reason> stopped() const;

  const Digest& announcement() const { return announcement_; }
  /// The digest to which this agent binds its quit.
  Digest bound() const;
  AgentId originator() const { return originator_; }
  /// Neighbours whose messages are waiting.
  std::vector<AgentId> heard_from() const;
  /// Neighbours in the roster.
  const std::vector<AgentId>& partners() const { return partners_; }

  const Neighbourhood& neighbourhood() const override { return here_; }
  Prg& randomness() override { return randomness_; }
  Payload buffer(std::size_t bytes) override { return pool_.take(bytes); }
  void send(AgentId to, const Tag& tag, Payload payload) override;

 private:
  struct Message {
    Payload payload;
    Charge charge;
  };
  struct Neighbour {
    std::map<Tag, Message> messages;  // not yet asked for
    std::size_t bytes = 0;            // of these messages
    std::optional<Gone> gone;
    bool informed = false;   // that it counts as gone
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
  const Gathering announced_;  // the roster and the charter's links
  Prg randomness_ = Prg::from_os();

  mutable std::mutex guard_;
  std::condition_variable changed_;
  std::optional<Agreed> agreed_;  // set at the start and never changed
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
