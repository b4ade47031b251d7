#include "tacit/lab/simulator/simulator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <random>
#include <thread>

#include "tacit/base/error.hpp"
#include "tacit/base/stop.hpp"
#include "tacit/base/system/parallel.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Message {
  Tag tag;
  Payload payload;
  double arrival = 0;       // on the virtual clock
  std::uint64_t chain = 0;  // length of the longest chain of messages that ends with this one
};

// Messages from one neighbour that have not been read. They are mostly read in order.
class Link {
 public:
  void push(Message message) { queue_.push_back(std::move(message)); }

  const Message* find(const Tag& tag) const {
    const auto at =
        std::find_if(queue_.begin() + head_, queue_.end(), [&](const Message& m) { return m.tag == tag; });
    return at == queue_.end() ? nullptr : &*at;
  }

  template <class Visit>
  void for_each(Visit&& visit) const {
    std::for_each(queue_.begin() + head_, queue_.end(), visit);
  }

  std::optional<Message> take(const Tag& tag) {
    const Message* found = find(tag);
    if (!found) return std::nullopt;
    const auto at = queue_.begin() + (found - queue_.data());
    std::optional<Message> message = std::move(*at);
    if (at == queue_.begin() + head_)
      ++head_;
    else
      queue_.erase(at);
    if (head_ == static_cast<std::ptrdiff_t>(queue_.size())) {
      queue_.clear();
      head_ = 0;
    }
    return message;
  }

 private:
  std::vector<Message> queue_;
  std::ptrdiff_t head_ = 0;  // messages before it have been read
};

}  // namespace

// The state that all actors share. Each thread is home to a block of agents, which are mostly neighbours on
// the usual graphs. So a message is read on the core that wrote it, which also reuses its buffer. An idle
// thread takes agents from other homes.
struct Simulator::State {
  struct Home {
    PayloadPool pool;
    std::deque<Actor*> ready;
  };

  explicit State(const Graph& agents) : gathering(agents) {}

  SimulatorOptions options;
  const Gathering gathering;  // all agents, without helpers
  std::deque<Home> homes;     // before the actors, whose links hold payloads of its pools
  std::vector<std::unique_ptr<Actor>> actors;
  std::vector<std::unique_ptr<Run>> runs;  // by agent
  double computing_seconds = 0;

  std::mutex guard;
  std::condition_variable changed;
  // Both are written under the guard and read without it. Runnable agents are queued or running; without any,
  // the run has ended.
  std::atomic<std::size_t> queued{0}, runnable{0};

  // Returns the next agent to run on thread `at`, those of its home first. Requires the guard and a queued
  // agent.
  Actor* next(std::size_t at) {
    std::size_t k = at;
    while (homes[k].ready.empty()) k = (k + 1) % homes.size();
    std::deque<Actor*>& ready = homes[k].ready;
    Actor* actor = ready.front();
    ready.pop_front();
    --queued;
    return actor;
  }

  void make_ready(Actor& actor);
  void work(std::size_t at);
};

// One agent: its side of the network, its clock and its current coroutine.
struct Simulator::Actor final : Channel, Identities {
  Actor(State& shared, State::Home& where, const HelpedGraph& graph, AgentId agent, std::uint64_t seed,
        bool recorded)
      : state(shared),
        home(where),
        here(tacit::neighbourhood(graph, agent)),
        prg(Prg::from_seed(seed, "masks", agent)),
        delays(seed * 0x9E3779B97F4A7C15u + agent),
        recording(recorded),
        links(here.neighbours.size()),
        sent(here.neighbours.size()) {}

  const Neighbourhood& neighbourhood() const override { return here; }
  Prg& randomness() override { return prg; }
  Payload buffer(std::size_t size) override { return home.pool.take(size); }

  std::size_t link_to(AgentId other) const {
    const auto at = std::lower_bound(here.neighbours.begin(), here.neighbours.end(), other);
    if (at == here.neighbours.end() || *at != other)
      throw Error(fmt::format("agent {} is not a neighbour of agent {}", other, here.self));
    return static_cast<std::size_t>(at - here.neighbours.begin());
  }

  void send(AgentId to, const Tag& tag, Payload payload) override {
    leave_if_stopped();
    link_to(to);
    if (departure && vanishes_with(tag)) return;
    if (state.options.tamper)
      if (const auto instead = state.options.tamper(here.self, to, tag, payload.bytes())) {
        for (const auto& [other, content] : *instead) {
          Payload forged = buffer(content.size());
          std::ranges::copy(content, forged.bytes().begin());
          dispatch(to, other, std::move(forged));
        }
        return;
      }
    dispatch(to, tag, std::move(payload));
  }

  void dispatch(AgentId to, const Tag& tag, Payload payload) {
    ++messages;
    bytes += payload.size();
    Sent& on_link = sent[link_to(to)];
    ++on_link.messages;
    on_link.bytes += payload.size();
    const double arrival = time + delay(payload.size());
    state.actors[to]->deliver(here.self, {tag, std::move(payload), arrival, chain + 1});
  }

  double delay(std::size_t size) {
    const NetworkModel& network = state.options.network;
    double seconds = network.latency;
    if (network.bandwidth > 0) seconds += static_cast<double>(size) / network.bandwidth;
    if (network.jitter > 0) seconds += network.jitter * static_cast<double>(delays() >> 11) * 0x1p-53;
    return seconds;
  }

  const Identity& identity() override {
    std::call_once(identity_made, [&] {
      Prg source = Prg::from_seed(state.options.seed, "identity", here.self);
      own_identity.emplace(source);
    });
    return *own_identity;
  }
  const IdentityKey& identity_of(AgentId agent) override {
    return state.actors.at(agent)->identity().public_key();
  }

  // A vanished agent sends nothing. It may still compute, but this has no effect on others.
  bool vanishes_with(const Tag& tag) {
    const auto now = std::pair(tag.run, tag.round), last = std::pair(departure->run, departure->round);
    const bool before = departure->at ? time < *departure->at : now < last;
    if (before) return gone;
    if (!gone && ((!departure->at && now > last) || sent_in_last_round >= departure->vanishes_after))
      gone = true;
    ++sent_in_last_round;
    return gone;
  }

  void deliver(AgentId from, Message message) {
    bool wake = false;
    {
      std::lock_guard lock(guard);
      const std::size_t link = link_to(from);
      if (links[link].find(message.tag))
        throw Error(fmt::format("agent {} sent a message to agent {} twice: {}", from, here.self,
                                to_string(message.tag)));
      links[link].push(std::move(message));
      if (waiting && waiting->link == link && take(link, waiting->tag, waiting->into->message)) {
        waiting.reset();
        wake = parked;
        parked = false;
      }
    }
    if (wake) state.make_ready(*this);
  }

  bool try_receive(AgentId from, const Tag& tag, Payload& message) override {
    std::lock_guard lock(guard);
    return take(link_to(from), tag, message);
  }

  bool wait(AgentId from, const Tag& tag, Incoming& incoming, std::coroutine_handle<> protocol) override {
    std::lock_guard lock(guard);
    const Wanted wanted{link_to(from), tag, &incoming};
    if (take(wanted.link, tag, incoming.message)) return false;
    waiting = wanted;
    current = protocol;
    return true;
  }

  // Runs until the coroutine ends or waits for a message that has not arrived. Once it is parked, another
  // thread may run it, so all accounting is done before.
  void run() {
    const auto start = Clock::now();
    const std::uint64_t messages_before = messages;
    for (;;) {
      current.resume();
      std::lock_guard lock(guard);
      if (!waiting && !outermost.done())
        continue;  // the message arrived while the coroutine was being suspended
      busy += seconds_since(start);
      if (state.options.progress) state.options.progress->done += messages - messages_before;
      parked = waiting.has_value();
      return;
    }
  }

  struct Sent {
    std::uint64_t messages = 0, bytes = 0;
  };
  struct Wanted {
    std::size_t link;
    Tag tag;
    Incoming* into;
  };

  // Reads the message if it has arrived, which advances the receiver's clock. Requires the guard.
  bool take(std::size_t link, const Tag& tag, Payload& into) {
    std::optional<Message> message = links[link].take(tag);
    if (!message) return false;
    time = std::max(time, message->arrival);
    chain = std::max(chain, message->chain);
    if (recording) {
      const auto content = message->payload.bytes();
      record.push_back({here.self, here.neighbours[link], tag, {content.begin(), content.end()}});
    }
    into = std::move(message->payload);
    return true;
  }

  State& state;
  State::Home& home;
  const Neighbourhood here;
  Prg prg;
  std::mt19937_64 delays;  // for random delays of sent messages
  const bool recording;

  std::mutex guard;  // for the links, the clock and `waiting`
  std::vector<Link> links;
  std::vector<Sent> sent;  // by neighbour; accessed by the thread that runs this agent
  std::optional<Wanted> waiting;
  bool parked = false;  // waiting, and no thread is inside the coroutine
  double time = 0;
  std::uint64_t chain = 0;
  std::vector<Received> record;

  std::coroutine_handle<> outermost, current;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  double busy = 0;

  std::once_flag identity_made;
  std::optional<Identity> own_identity;

  std::optional<Departure> departure;
  std::uint64_t sent_in_last_round = 0;
  bool gone = false;
};

void Simulator::State::make_ready(Actor& actor) {
  {
    std::lock_guard lock(guard);
    actor.home.ready.push_back(&actor);
    ++runnable;
    ++queued;
  }
  changed.notify_one();
}

void Simulator::State::work(std::size_t at) {
  std::unique_lock lock(guard);
  while (runnable > 0) {
    if (queued == 0) {
      // The missing message is usually being computed on another core. Sleeping takes longer than most waits,
      // and a woken thread may be moved to the core of the thread that woke it. So poll for a while first.
      lock.unlock();
      const auto patience = Clock::now() + std::chrono::milliseconds(2);
      while (queued == 0 && runnable > 0 && Clock::now() < patience) std::this_thread::yield();
      lock.lock();
      changed.wait(lock, [&] { return queued > 0 || runnable == 0; });
      continue;
    }
    Actor* actor = next(at);
    lock.unlock();
    actor->run();
    lock.lock();
    if (--runnable == 0) changed.notify_all();
  }
}

Simulator::Simulator(const HelpedGraph& graph, SimulatorOptions options)
    : state_(std::make_unique<State>(graph.agents)) {
  if (options.threads == 0) options.threads = default_threads();
  const std::size_t all_agents = graph.everybody.agents();
  std::vector<bool> recorded(all_agents);
  for (AgentId member : options.coalition) {
    if (member >= all_agents)
      throw InputError(fmt::format("agent {} of the coalition is not in the graph, whose agents are 0 to {}",
                                   member, all_agents - 1));
    recorded[member] = true;
  }
  const std::size_t threads = std::min<std::size_t>(options.threads, all_agents);
  for (std::size_t k = 0; k < threads; ++k) state_->homes.emplace_back();
  for (AgentId i = 0; i < all_agents; ++i)
    state_->actors.push_back(std::make_unique<Actor>(*state_, state_->homes[i * threads / all_agents], graph,
                                                     i, options.seed, recorded[i]));
  const Transcript start(digest_of({bytes_of("tacit simulation"), bytes_of(options.seed)}));
  for (const auto& actor : state_->actors)
    state_->runs.push_back(std::make_unique<Run>(*actor, state_->gathering, *actor, start));
  for (const Departure& departure : options.departures) {
    if (departure.agent >= all_agents)
      throw InputError(fmt::format("agent {} of the departures is not in the graph, whose agents are 0 to {}",
                                   departure.agent, all_agents - 1));
    state_->actors[departure.agent]->departure = departure;
  }
  state_->options = std::move(options);
}

Simulator::~Simulator() = default;

std::size_t Simulator::agents() const { return state_->actors.size(); }

Run& Simulator::run_of(AgentId agent) { return *state_->runs[agent]; }

void Simulator::drive(std::span<const std::coroutine_handle<>> handles) {
  const auto start = Clock::now();
  for (std::size_t i = 0; i < handles.size(); ++i) {
    Actor& actor = *state_->actors[i];
    actor.outermost = actor.current = handles[i];
    actor.parked = false;
    actor.waiting.reset();
    actor.home.ready.push_back(&actor);
  }
  state_->runnable = state_->queued = handles.size();
  const std::size_t threads = state_->homes.size();
  do {
    parallel_for(static_cast<unsigned>(threads), threads, [&](std::size_t at) { state_->work(at); });
  } while (fail_receivers_of_vanished());
  state_->computing_seconds += seconds_since(start);
}

// Called only when no agent can run, so that it does not depend on the speed of threads which agent fails.
bool Simulator::fail_receivers_of_vanished() {
  for (const auto& actor : state_->actors) {
    if (actor->gone || !actor->waiting) continue;
    const Actor& other = *state_->actors[actor->here.neighbours[actor->waiting->link]];
    if (!other.gone && !(actor->waiting->into->may_miss && other.outermost.done())) continue;
    actor->waiting->into->lost.emplace();
    actor->waiting.reset();
    actor->parked = false;
    state_->make_ready(*actor);
  }
  return state_->runnable > 0;
}

bool Simulator::vanished(AgentId agent) const { return state_->actors[agent]->gone; }

void Simulator::with_agent(AgentId agent, const std::function<void()>& get) {
  try {
    get();
  } catch (const Stopped&) {
    throw;
  } catch (const InputError& e) {
    throw InputError(fmt::format("agent {}: {}", agent, e.what()));
  } catch (const Error& e) {
    throw Error(fmt::format("agent {}: {}", agent, e.what()));
  }
}

void Simulator::throw_stalled() const {
  for (const auto& actor : state_->actors)
    if (actor->waiting)
      throw Error(fmt::format("agent {} waits for a message from agent {} that was never sent: {}",
                              actor->here.self, actor->here.neighbours[actor->waiting->link],
                              to_string(actor->waiting->tag)));
  throw Error("the simulation ended before its agents did");
}

SimulationCost Simulator::cost() const {
  SimulationCost cost;
  for (const auto& actor : state_->actors) {
    cost.rounds = std::max(cost.rounds, actor->chain);
    cost.messages += actor->messages;
    cost.bytes += actor->bytes;
    cost.network_seconds = std::max(cost.network_seconds, actor->time);
    cost.work_seconds += actor->busy;
    cost.busiest_seconds = std::max(cost.busiest_seconds, actor->busy);
  }
  cost.computing_seconds = state_->computing_seconds;
  return cost;
}

std::vector<LinkTraffic> Simulator::traffic() const {
  std::vector<LinkTraffic> all;
  for (const auto& one : state_->actors) {
    const AgentId self = one->here.self;
    for (std::size_t k = 0; k < one->here.neighbours.size(); ++k) {
      const AgentId other = one->here.neighbours[k];
      if (other < self) continue;
      const Actor& back = *state_->actors[other];
      const Actor::Sent &there = one->sent[k], &here = back.sent[back.link_to(self)];
      all.push_back({self, other, there.messages + here.messages, there.bytes + here.bytes});
    }
  }
  return all;
}

std::vector<Received> Simulator::view() const {
  std::vector<Received> all;
  for (const auto& actor : state_->actors) {
    all.insert(all.end(), actor->record.begin(), actor->record.end());
    if (!actor->recording) continue;
    for (std::size_t k = 0; k < actor->links.size(); ++k)
      actor->links[k].for_each([&](const Message& message) {
        const auto content = message.payload.bytes();
        all.push_back(
            {actor->here.self, actor->here.neighbours[k], message.tag, {content.begin(), content.end()}});
      });
  }
  return all;
}

}  // namespace tacit
