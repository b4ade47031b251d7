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
#include <set>
#include <string>
#include <vector>

#include "tacit/link/node_options.hpp"
#include "tacit/protocol/channel.hpp"
#include "tacit/protocol/task.hpp"

namespace tacit {

class RunChannel final : public Channel {
 public:
  using Send = std::function<void(AgentId to, const Tag& tag, Payload payload)>;

  /// Options and pool must outlive it.
  RunChannel(const NodeOptions& options, PayloadPool& pool, Send send);

  /// Runs a protocol to its end on this thread. Throws what it throws.
  template <class T>
  T drive(Task<T> task) {
    run_to_end(task.handle());
    return task.result();
  }

  /// A message has come. One with a tag that the neighbour has used already, or more than fits, makes it
  /// count as lost. Returns the reason, once, when the neighbour counts as lost and may not know.
  std::optional<std::string> deliver(AgentId from, const Tag& tag, Payload payload);
  /// The neighbour is gone for this run. What it sent before still counts.
  void lose(AgentId neighbour, const std::string& why);
  /// Makes the protocol end with this error wherever it waits.
  void stop(const std::string& why);

  const Neighbourhood& neighbourhood() const override { return here_; }
  Prg& randomness() override { return randomness_; }
  Payload buffer(std::size_t bytes) override { return pool_.take(bytes); }
  void send(AgentId to, const Tag& tag, Payload payload) override;
  const Identity& identity() override { return *options_.identity; }
  const IdentityKey& identity_of(AgentId agent) override;

 private:
  struct Message {
    std::uint64_t arrival;  // counts messages from all
    Payload payload;
  };
  struct Neighbour {
    std::map<Tag, Message> messages;  // not asked for yet
    std::size_t bytes = 0;            // in these
    std::optional<std::string> gone;  // why
    bool told = false;                // that it is
  };
  struct Wanted {
    AgentId from = 0;
    Tag tag;
    Incoming* one = nullptr;  // that message
    Event* any = nullptr;     // or whatever comes first of the tag's run
  };

  bool try_receive(AgentId from, const Tag& tag, Payload& message) override;
  bool wait(AgentId from, const Tag& tag, Incoming& incoming, std::coroutine_handle<> protocol) override;
  void wait_any(std::uint32_t run, Event& event, std::coroutine_handle<> protocol) override;

  void run_to_end(std::coroutine_handle<> outermost);
  bool fill();
  bool fill_any();
  void time_is_up();
  bool take(Neighbour& from, std::map<Tag, Message>::iterator at, Payload& message);
  Neighbour& neighbour(AgentId id);

  const NodeOptions& options_;
  PayloadPool& pool_;
  const Send send_;
  const Neighbourhood here_;
  Prg randomness_ = Prg::from_os();

  std::mutex guard_;
  std::condition_variable changed_;
  std::map<AgentId, Neighbour> neighbours_;
  std::uint64_t arrivals_ = 0;
  std::optional<Wanted> wanted_;
  std::coroutine_handle<> waiting_;
  std::optional<std::uint32_t> any_run_;  // the run that `any` was last about
  std::set<AgentId> told_gone_;           // in that run
  std::optional<std::string> stopped_;
};

}  // namespace tacit
