// How agents agree to run something together, one run at a time in the whole consortium.
//
// The originator announces a run. Whoever hears of it for the first time asks its owner's policy, passes it
// on to its other neighbours, and answers when all of them have answered: so the answers of all who can be
// reached come back over a spanning tree. If all is well the originator floods the start, else a
// cancellation, with a reason.
//
// An agent that has said yes to one run, and waits for its start, tells others that it is busy. So of two
// runs announced at once at most one gets everybody's yes; the originator of any other withdraws it, releases
// everybody and tries again: soon, if its ticket is lower than that of the run in its way, else when that run
// has had time to finish. Nobody holds an agent while waiting for another, so there is no deadlock; older
// requests have lower tickets, so everybody gets a turn. An agent in the middle of a run answers when that is
// over, which does not depend on any waiting run.
//
// This class only decides. It knows no threads, clocks or sockets: events are passed to it, and it calls
// Outside to get things done.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tacit/link/frame.hpp"
#include "tacit/link/node_options.hpp"
#include "tacit/link/run.hpp"

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
    virtual void expect(const Run& run) = 0;
    /// It will not, or not with this agent.
    virtual void forget(const Run& run, const std::string& why) = 0;
    /// It does. Convening::ended is called when it is over.
    virtual void start(const Run& run) = 0;
    /// This agent's request with this number failed.
    virtual void failed(std::uint64_t request, const std::string& why) = 0;
    /// This agent's request with this number is the run that starts.
    virtual void granted(std::uint64_t request, const Run& run) = 0;
    virtual void log(LogLevel level, const std::string& text) = 0;
  };

  /// Both references must outlive it. The seed is for random pauses.
  Convening(const NodeOptions& options, Outside& outside, unsigned seed);

  void ask(std::uint64_t request, Request what, Quorum quorum);
  /// An announcement, answer, start or cancellation has come.
  void heard(AgentId from, const wire::Header& header, std::string_view payload);
  /// A neighbour is lost or was restarted.
  void lost(AgentId neighbour);
  /// The run that was started is over here.
  void ended();
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
    Quorum quorum;
    std::uint64_t ticket = 0;
    Time deadline, not_before;
  };
  struct Pending {  // a run that may start
    Run run;
    std::optional<AgentId> parent;  // none for this agent's own
    bool takes_part = true;
    std::set<AgentId> told;        // neighbours that this agent has passed the announcement on to
    std::set<AgentId> unanswered;  // those of them that have not answered
    wire::Answer answer;           // of this agent and those who answered to it
    bool answered = false;
    Time deadline;
  };
  struct Deferred {
    AgentId from = 0;
    wire::Header header;
    std::string payload;
  };

  void announcement(AgentId from, const wire::Header& header, std::string_view payload);
  void answer(AgentId from, const wire::Answer& answer);
  void start(AgentId from, const wire::Start& start);
  void cancel(AgentId from, const wire::Cancel& cancel);

  void announce_next();
  void spread(const wire::Header& header, std::string_view payload, std::optional<AgentId> except);
  void again_announced(AgentId from);
  void refuse(AgentId to, const Run& run, const std::string& reason);
  void answer_when_complete();
  void decide();
  void try_again(std::uint64_t busy);
  void withdraw();
  void remember_cancelled(const Name& run);
  void tell_cancelled(const std::string& run, std::optional<AgentId> except);
  void give_up(const std::string& why);
  void drop(const std::string& why);
  bool own_is_pending() const { return pending_ && !pending_->parent; }
  Time next_due() const;
  std::string names(const std::vector<AgentId>& agents) const;
  std::vector<AgentId> absent(const std::vector<AgentId>& ready) const;

  const NodeOptions& options_;
  Outside& outside_;
  std::deque<Ask> asks_;  // the first may be pending
  std::optional<Pending> pending_;
  bool running_ = false;
  Name running_name_{};
  std::deque<Deferred> deferred_;  // announcements that came during a run
  std::deque<Name> cancelled_;
  std::minstd_rand jitter_;
  std::optional<std::string> closed_;
};

}  // namespace tacit
