// How agents agree to run something together, one run at a time for each of them.
//
// The originator announces a run with its roster, the agents that take part. Whoever hears of it for the
// first time passes it on to its other neighbours; an agent of the roster asks its owner's policy and sends
// back a reply that it has signed. Replies go up the tree over which the announcement came, as they come, and
// each agent says when nothing more will come from it and those behind it. When the whole roster is ready,
// the originator floods the start, which holds all replies; else a cancellation. Every agent checks the
// replies of the start itself: all of the roster have signed that they are ready for exactly what this agent
// was asked. So no two agents can start different things. Agents outside of the roster only pass things on.
//
// An agent that has said yes to one run, and waits for its start, tells others that it is busy. So of two
// runs announced at once at most one gets the yes of an agent that both need; the originator of any other
// withdraws it, releases everybody and tries again: soon, if its ticket is lower than that of the run in its
// way, else when that run has had time to finish. Nobody holds an agent while waiting for another, so there
// is no deadlock; older requests have lower tickets, so everybody gets a turn. An agent in the middle of a
// run answers when that is over, which does not depend on any waiting run. An originator that does not go
// through with what it announced must wait (backoff.hpp).
//
// This class only decides. It knows no threads, clocks or sockets: events are passed to it, and it calls
// Outside to get things done.
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
    virtual Consent consent(const Run& run) = 0;
    /// The highest number of the originator's runs that this agent has been in.
    virtual std::uint64_t last_of(AgentId originator) = 0;
    /// A run may start: from now on its messages are kept.
    virtual void expect(const Announced& what) = 0;
    /// It will not, or not with this agent.
    virtual void forget(const Run& run, const std::string& why) = 0;
    /// It does. Convening::ended is called when it is over.
    virtual void start(const Run& run, const Agreed& agreed) = 0;
    /// This agent's request with this number failed.
    virtual void failed(std::uint64_t request, RunOutcome outcome) = 0;
    /// This agent's request with this number is the run that starts.
    virtual void granted(std::uint64_t request, const Run& run) = 0;
    /// This agent has refused somebody else's run, and why, as in its log.
    virtual void refused(const Run& /*run*/, const std::string& /*why*/) {}
    /// Why there can be no link to this neighbour; empty when there can.
    virtual std::string refusal_of(AgentId /*neighbour*/) { return {}; }
    /// About something that this agent did.
    virtual void log(LogLevel level, AgentId about, const std::string& text) = 0;
  };

  /// Both references must outlive it. The seed is for random pauses.
  Convening(const NodeOptions& options, Outside& outside, unsigned seed);

  void ask(std::uint64_t request, Request what, std::vector<AgentId> roster);
  /// Withdraws a request of this agent's own that has not started; false when there is none.
  bool take_back(std::uint64_t request);
  /// A neighbour announces a run, or passes it on.
  void announced(AgentId from, std::shared_ptr<const Announced> what);
  /// An answer, start or cancellation has come.
  void heard(AgentId from, const wire::Header& header);
  /// A neighbour is lost or was restarted.
  void lost(AgentId neighbour);
  /// How a run was over here.
  enum class Ending {
    done,
    failed,
    left_by_originator,  ///< which quit, or fell silent, without a fault of others
  };
  void ended(Ending how);
  /// Does what is due. Call it after each of the above, and at the time it returns.
  Time tick();
  /// No further runs.
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
    std::size_t tries = 0;         // in vain
    std::size_t disturbances = 0;  // of these, as somebody was lost meanwhile
    std::string in_the_way;        // what kept it from its turn
  };
  struct Way {  // that an announcement and the replies to it take
    Name run{};
    Digest digest{};
    AgentId originator = 0;
    std::uint64_t number = 0;
    std::vector<AgentId> roster;
    std::optional<AgentId> parent;           // none for this agent's own
    std::set<AgentId> told;                  // neighbours that this agent has passed it on to
    std::set<AgentId> unanswered;            // those of them from which more may come
    std::map<AgentId, wire::Reply> replies;  // that have come, and this agent's own
    bool disturbed = false, said_complete = false, said_disturbed = false;
    bool over = false;  // its start or cancellation has been passed on
  };
  struct Pending {  // a run that may start, with this agent
    std::shared_ptr<const Announced> what;
    Way way;
    wire::Reply own;
    Time since, deadline;
  };
  struct Deferred {
    AgentId from = 0;
    std::shared_ptr<const Announced> what;
  };
  struct Cancelled {
    std::string announcement;
    AgentId author = 0;
  };

  void answer(AgentId from, const wire::Answer& answer);
  void start(AgentId from, const wire::Start& start);
  void cancel(AgentId from, const wire::Cancel& cancel);

  void announce_next();
  Way way_of(const Announced& what, std::optional<AgentId> parent) const;
  Way* find(const std::string& run);
  std::optional<AgentId> owner_of(const Name& run);
  void spread(Way& way, const Announced& what);
  void pass_on(AgentId from, const Announced& what);
  void defer(AgentId from, std::shared_ptr<const Announced> what);
  void again_announced(Way& way, AgentId from, const Announced& what);
  wire::Reply ready(const Digest& announcement);
  wire::Reply refusal(const Digest& announcement, const Reason& reason);
  void refuse(AgentId to, const Announced& what, const Reason& reason, const std::string& log);
  void reply(AgentId to, const Announced& what, const wire::Reply& reply);
  bool take_in(AgentId from, Way& way, const wire::Reply& reply);
  void report(Way& way, const Replies& fresh);
  void decide();
  void begin();
  void leave(const std::string& objection);
  void flood(const wire::Header& header, std::optional<AgentId> except);
  bool may_cancel(AgentId author, const Way& way) const;
  bool was_cancelled(const Announced& what) const;
  void disturbed(const std::string& by);
  void try_again(std::uint64_t busy);
  void wait_and_try_again(Time when);
  void withdraw();
  void remember_cancelled(const wire::Cancel& cancel);
  void give_up(RunOutcome outcome);
  void give_up(const std::string& why);
  void drop(const std::string& why);
  bool own_is_pending() const { return pending_ && !pending_->way.parent; }
  std::vector<AgentId> away() const;
  std::string missing() const;
  std::string refused_links(const std::vector<AgentId>& roster) const;
  std::string names(const std::vector<AgentId>& agents) const;
  Time next_due() const;

  const NodeOptions& options_;
  Outside& outside_;
  std::deque<Ask> asks_;           // the first may be pending
  std::uint64_t last_number_ = 0;  // of own runs that were announced
  std::optional<Pending> pending_;
  std::map<AgentId, Way> passed_;  // the last run of each originator that this agent is no part of
  bool running_ = false;
  Run running_run_;
  std::deque<Deferred> deferred_;  // announcements that came during a run
  std::deque<Cancelled> cancelled_;
  std::deque<Name> refused_;  // runs that were refused and are in the log
  Backoff backoff_;
  std::minstd_rand jitter_;
  std::optional<std::string> closed_;
};

}  // namespace tacit
