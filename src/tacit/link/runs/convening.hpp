// Agrees with the other agents on runs, one run at a time for each agent. It only decides: it knows no
// threads, clocks or sockets. The caller passes events to it, and it acts through Outside.
//
// The originator announces a run with its roster, the agents that take part. Each agent that receives the
// announcement for the first time passes it on to its other neighbours. An agent of the roster asks its
// owner's policy and returns a signed reply. Replies travel up the tree over which the announcement came.
// Each agent reports when no more replies will come from it and the agents behind it. If the whole roster is
// ready, the originator floods the start, which contains all replies. Otherwise it floods a cancellation.
// Every agent checks the replies in the start itself: all agents of the roster must have signed that they are
// ready for exactly the announcement that this agent received. So two agents cannot start different runs.
// Agents outside the roster only relay.
//
// An agent that is ready for one run, and waits for its start, replies to others that it is busy. So of two
// runs announced at once, at most one gets the consent of an agent that both need. The originator of the
// other run withdraws it, which releases all agents, and tries again. It tries again soon if its ticket is
// lower than that of the conflicting run, and otherwise when that run has had time to finish. No originator
// holds an agent while it waits for another, so there is no deadlock. Older requests have lower tickets, so
// every request gets its turn. An agent in a run replies when the run has ended, which does not depend on any
// waiting run. An originator that does not complete what it announced must wait (backoff.hpp).
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tacit/link/runs/signed_run.hpp"
#include "tacit/link/transport/backoff.hpp"

namespace tacit {

class Convening {
 public:
  using Time = std::chrono::steady_clock::time_point;

  class Outside {
   public:
    virtual ~Outside() = default;
    virtual Time now() = 0;
    virtual std::uint64_t calendar() = 0;  ///< milliseconds since 1970
    virtual void send(AgentId to, wire::Header header, std::string_view payload) = 0;
    /// Neighbours that are not lost.
    virtual std::vector<AgentId> neighbours() = 0;
    virtual Consent consent(const RunDescription& run) = 0;
    /// The highest number of the originator's runs that this agent has begun.
    virtual std::uint64_t last_of(AgentId originator) = 0;
    /// A run may start: its messages must be kept.
    virtual void expect(const Announced& what) = 0;
    /// An expected run does not start, or not with this agent.
    virtual void forget(const RunDescription& run, const std::string& why) = 0;
    /// An expected run starts. The caller calls Convening::ended when it is over.
    virtual void start(const RunDescription& run, const Agreed& agreed) = 0;
    /// This agent's request with this number failed.
    virtual void failed(std::uint64_t request, RunOutcome outcome) = 0;
    /// This agent's request with this number is the run that starts.
    virtual void granted(std::uint64_t request, const RunDescription& run) = 0;
    /// This agent has refused another agent's run, with the reason as in its log.
    virtual void refused(const RunDescription& /*run*/, const std::string& /*why*/) {}
    /// Why a link to this neighbour is refused; empty if it is not.
    virtual std::string refusal_of(AgentId /*neighbour*/) { return {}; }
    /// A line about the agent `about`.
    virtual void log(LogLevel level, AgentId about, const std::string& text) = 0;
  };

  /// Both references must outlive it. The seed determines random pauses.
  Convening(const NodeOptions& options, Outside& outside, unsigned seed);

  void ask(std::uint64_t request, Request what, std::vector<AgentId> roster);
  /// Withdraws an own request that has not started; false if there is none.
  bool take_back(std::uint64_t request);
  /// A neighbour announces a run, or passes it on.
  void announced(AgentId from, std::shared_ptr<const Announced> what);
  /// An answer, start or cancellation has arrived.
  void heard(AgentId from, const wire::Header& header);
  /// A neighbour is lost or was restarted.
  void lost(AgentId neighbour);
  /// How a run ended here.
  enum class Ending {
    done,
    failed,
    left_by_originator,  ///< it quit, or sent nothing, and no other agent caused that
  };
  void ended(Ending how);
  /// Does what is due. Call it after each of the functions above, and at the time that it returns.
  Time tick();
  /// Starts no further runs.
  void close(const std::string& why);

  std::size_t waiting() const { return asks_.size(); }
  bool idle() const { return !pending_ && !running_; }

 private:
  struct Ask {
    std::uint64_t request = 0;
    Request what;
    std::vector<AgentId> roster;
    std::uint64_t ticket = 0;
    Time deadline, not_before;
    std::size_t tries = 0;         // failed ones
    std::size_t disturbances = 0;  // failed tries during which an agent was lost
    std::string obstacle;          // why the last try failed
  };
  struct Route {  // of an announcement and the replies to it
    Name run{};
    Digest digest{};
    AgentId originator = 0;
    std::uint64_t number = 0;
    std::vector<AgentId> roster;
    std::optional<AgentId> parent;           // none for an own announcement
    std::set<AgentId> sent_to;               // neighbours that received it from this agent
    std::set<AgentId> unanswered;            // those that may still send replies
    std::map<AgentId, wire::Reply> replies;  // received ones, and this agent's own
    bool disturbed = false, reported_complete = false, reported_disturbed = false;
    bool over = false;  // its start or cancellation was passed on
  };
  struct Pending {  // a run with this agent that may start
    std::shared_ptr<const Announced> what;
    Route route;
    wire::Reply own;
    std::shared_ptr<const DecodedRequest> decoded;  // from this agent's consent
    Time since, deadline;
  };
  struct Deferred {
    AgentId from = 0;
    std::shared_ptr<const Announced> what;
  };
  struct Refused {  // an announcement; the refusal is in the log
    Digest announcement{};
    Reason reason;
  };
  struct Cancelled {
    std::string announcement;
    AgentId author = 0;
  };

  void answer(AgentId from, const wire::Answer& answer);
  void start(AgentId from, const wire::Start& start);
  void cancel(AgentId from, const wire::Cancel& cancel);

  void announce_next();
  Route route_of(const Announced& what, std::optional<AgentId> parent) const;
  Route* find(const std::string& run);
  std::optional<AgentId> owner_of(const Name& run);
  void spread(Route& route, const Announced& what);
  void relay(AgentId from, const Announced& what);
  void defer(AgentId from, std::shared_ptr<const Announced> what);
  void announced_again(Route& route, AgentId from, const Announced& what);
  wire::Reply ready(const Digest& announcement);
  wire::Reply refusal(const Digest& announcement, const Reason& reason);
  void refuse(AgentId to, const Announced& what, const Reason& reason, const std::string& log);
  void reply(AgentId to, const Announced& what, const wire::Reply& reply);
  bool accept(AgentId from, Route& route, const wire::Reply& reply);
  void report(Route& route, const Replies& fresh);
  void decide();
  void begin();
  void start_pending(const Agreed& agreed);
  void leave(const std::string& objection);
  void flood(const wire::Header& header, std::optional<AgentId> except);
  bool may_cancel(AgentId author, const Route& route) const;
  bool was_cancelled(const Announced& what) const;
  void disturbed(const std::string& agents);
  void try_again(std::uint64_t busy);
  void wait_and_try_again(Time when);
  void withdraw();
  void remember_cancelled(const wire::Cancel& cancel);
  void give_up(RunOutcome outcome);
  void give_up(const std::string& why);
  void drop(const std::string& why);
  bool own_is_pending() const { return pending_ && !pending_->route.parent; }
  std::vector<AgentId> away() const;
  std::string missing() const;
  std::string refused_links(const std::vector<AgentId>& roster) const;
  std::string names(const std::vector<AgentId>& agents) const;
  Time next_due() const;

  const NodeOptions& options_;
  Outside& outside_;
  std::deque<Ask> asks_;           // own requests; the first may be pending
  std::uint64_t last_number_ = 0;  // of own announced runs
  std::optional<Pending> pending_;
  std::map<AgentId, Route> relayed_;  // of each originator, the last run without this agent
  bool running_ = false;
  RunDescription running_run_;     // without its request
  std::deque<Deferred> deferred_;  // announcements received during a run
  std::deque<Cancelled> cancelled_;
  std::deque<Refused> refused_;
  Backoff backoff_;
  std::minstd_rand jitter_;
  std::optional<std::string> closed_;
};

}  // namespace tacit
