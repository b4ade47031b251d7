#include "tacit/link/node.hpp"

#include <fmt/format.h>

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "tacit/base/error.hpp"
#include "tacit/link/convening.hpp"
#include "tacit/link/hello.hpp"
#include "tacit/link/journal.hpp"
#include "tacit/link/links.hpp"
#include "tacit/link/run_channel.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;
constexpr auto tick_every = 20ms;
constexpr std::size_t most_jobs = 10'000;    // that may wait at the desk
constexpr std::size_t remembered_runs = 64;  // that are over; what still comes of them is not answered

}  // namespace

// Three kinds of threads: gRPC's hand in frames; one decides and looks at the clock (`desk`); one runs
// protocols.
struct Node::State final : LinkListener, Convening::Outside {
  State(NodeOptions given, NodeProgram what)
      : options(std::move(given)),
        program(std::move(what)),
        log_(options.log),
        journal(options.journal, options.journal_bytes),
        convening(options, *this, std::random_device{}()),
        links(std::make_unique<Links>(options, *this, log_)),
        desk([this] { work_at_desk(); }),
        stage([this] { work_on_stage(); }) {}

  ~State() override {
    {
      const std::lock_guard lock(guard);
      stopping = true;
      for (const auto& [name, channel] : channels) channel->stop("this agent was told to stop");
    }
    changed.notify_all();
    stage.join();
    desk.join();
    links.reset();
    for (auto& [request, promise] : promises) promise.set_value(not_done("this agent was told to stop"));
  }

  static RunOutcome not_done(const std::string& why, bool bad_input = false) {
    return {.done = false, .bad_input = bad_input, .error = why, .result = {}, .present = {}};
  }

  // ---- what links say, on gRPC's threads ----

  void heard(AgentId from, Frame frame) override {
    const wire::Header& header = frame.header;
    if (header.has_message()) return deliver(from, header.message(), std::move(frame.payload));
    if (header.has_quit()) {
      if (const auto channel = channel_of(name_from(header.quit().run())))
        channel->lose(from, fmt::format("it said: {}", header.quit().reason()));
      return;
    }
    post([this, from, what = std::make_shared<Frame>(std::move(frame))] {
      const auto bytes = what->payload.bytes();
      convening.heard(from, what->header, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    });
  }

  void deliver(AgentId from, const wire::Message& message, Payload payload) {
    const Name run = name_from(message.run());
    if (const auto channel = channel_of(run)) {
      if (!channel->deliver(from, tag_from(message), std::move(payload)))
        post([this, from, run] { quit(from, run, "it sent what was not asked for"); });
    } else if (!is_over(run, from)) {
      post([this, from, run] { quit(from, run, "this agent takes no part in the run"); });
    }
  }

  void restarted(AgentId neighbour) override {
    gone(neighbour, "it was started anew, or had given this agent up for lost");
  }
  void lost(AgentId neighbour) override {
    gone(neighbour,
         fmt::format("there was no link to it for timeouts.loss = {} ms", options.timeouts.loss.count()));
  }

  // For all runs under way.
  void gone(AgentId neighbour, const std::string& why) {
    const std::lock_guard lock(guard);
    for (const auto& [name, channel] : channels) channel->lose(neighbour, why);
    queue.push_back([this, neighbour] { convening.lost(neighbour); });
    changed.notify_all();
  }

  std::shared_ptr<RunChannel> channel_of(const Name& run) {
    const std::lock_guard lock(guard);
    const auto at = channels.find(run);
    return at == channels.end() ? nullptr : at->second;
  }
  // Has this agent been in the run, or told the neighbour that it is not? The neighbour is told once.
  bool is_over(const Name& run, AgentId neighbour) {
    const std::lock_guard lock(guard);
    if (std::ranges::count(over, run) > 0 || std::ranges::count(told, std::pair(run, neighbour)) > 0)
      return true;
    told.emplace_back(run, neighbour);
    if (told.size() > remembered_runs) told.pop_front();
    return false;
  }

  // ---- the desk ----

  void post(std::function<void()> job) {
    {
      const std::lock_guard lock(guard);
      if (queue.size() >= most_jobs) throw Error("sends more than can be dealt with");  // closes the stream
      queue.push_back(std::move(job));
    }
    changed.notify_all();
  }

  void work_at_desk() {
    auto next_tick = std::chrono::steady_clock::now();
    std::unique_lock lock(guard);
    while (!stopping || running_channel) {
      changed.wait_until(lock, next_tick, [&] { return !queue.empty() || (stopping && !running_channel); });
      while (!queue.empty()) {
        const std::function<void()> job = std::move(queue.front());
        queue.pop_front();
        lock.unlock();
        attempt(job);
        lock.lock();
      }
      if (std::chrono::steady_clock::now() < next_tick) continue;
      next_tick = std::chrono::steady_clock::now() + tick_every;
      lock.unlock();
      links->tick();
      attempt([this] { convening.tick(); });
      lock.lock();
    }
  }

  // What one neighbour sent must not keep this agent from serving others.
  void attempt(const std::function<void()>& job) {
    try {
      job();
    } catch (const Error& e) {
      log_.say_once(LogLevel::error, e.what(), e.what());
    }
  }

  void quit(AgentId to, const Name& run, const std::string& why) {
    wire::Header header;
    header.mutable_quit()->set_run(to_field(run));
    header.mutable_quit()->set_reason(why);
    links->send(to, std::move(header));
  }

  Convening::Time now() override { return std::chrono::steady_clock::now(); }
  std::uint64_t calendar() override {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<Milliseconds>(since).count());
  }
  void send(AgentId to, wire::Header header, std::string_view text) override {
    Payload payload = links->pool().take(text.size());
    std::ranges::copy(std::as_bytes(std::span(text)), payload.bytes().begin());
    links->send(to, std::move(header), std::move(payload));
  }
  std::vector<AgentId> neighbours() override {
    std::vector<AgentId> here;
    for (const AgentId j : links->neighbours())
      if (!links->status(j).lost) here.push_back(j);
    return here;
  }
  Consent consent(const Run& run) override { return program.consent(run); }
  std::uint64_t last_of(AgentId originator) override { return journal.last_of(originator); }
  void log(LogLevel level, const std::string& text) override { log_.say(level, text); }

  void expect(const Run& run) override {
    auto channel = std::make_shared<RunChannel>(
        options, links->pool(), [this, name = run.name](AgentId to, const Tag& tag, Payload payload) {
          journal.sending(to, tag, payload.bytes());
          wire::Header header;
          *header.mutable_message() = to_wire(name, tag);
          links->send(to, std::move(header), std::move(payload));
        });
    for (const AgentId j : links->neighbours())
      if (links->status(j).lost) channel->lose(j, "there is no link to it");
    const std::lock_guard lock(guard);
    channels[run.name] = std::move(channel);
  }
  void forget(const Run& run, const std::string& why) override {
    log_.say(LogLevel::debug, fmt::format("run {} does not start here: {}", short_name(run.name), why));
    const std::lock_guard lock(guard);
    channels.erase(run.name);
  }
  void granted(std::uint64_t request, const Run& run) override {
    const std::lock_guard lock(guard);
    granted_[run.name] = request;
  }
  void failed(std::uint64_t request, const std::string& why) override { settle(request, not_done(why)); }
  void start(const Run& run) override {
    const std::lock_guard lock(guard);
    running = run;
    running_channel = channels.at(run.name);
    if (stopping) running_channel->stop("this agent was told to stop");
    changed.notify_all();
  }

  void settle(std::uint64_t request, RunOutcome outcome) {
    std::promise<RunOutcome> promise;
    {
      const std::lock_guard lock(guard);
      const auto at = promises.find(request);
      if (at == promises.end()) return;
      promise = std::move(at->second);
      promises.erase(at);
    }
    promise.set_value(std::move(outcome));
  }

  // ---- the stage ----

  void work_on_stage() {
    std::unique_lock lock(guard);
    for (;;) {
      changed.wait(lock, [&] { return running_channel || stopping; });
      if (!running_channel) return;
      const auto channel = running_channel;
      const Run run = running;
      lock.unlock();
      RunOutcome outcome = perform(*channel, run);
      program.ended(run, outcome);
      lock.lock();
      ++(outcome.done ? done : not_done_count);
      channels.erase(run.name);
      over.push_back(run.name);
      if (over.size() > remembered_runs) over.pop_front();
      running_channel.reset();
      std::optional<std::uint64_t> request;
      if (const auto at = granted_.find(run.name); at != granted_.end()) {
        request = at->second;
        granted_.erase(at);
      }
      queue.push_back([this] { convening.ended(); });
      changed.notify_all();
      lock.unlock();
      if (request) settle(*request, std::move(outcome));
      lock.lock();
    }
  }

  RunOutcome perform(RunChannel& channel, const Run& run) {
    RunOutcome outcome;
    try {
      journal.begin(run.name, run.originator, run.number);
      outcome.result = channel.drive(program.program(channel, run));
      outcome.done = true;
    } catch (const InputError& e) {
      outcome = not_done(e.what(), true);
    } catch (const std::exception& e) {
      outcome = not_done(e.what());
    }
    outcome.present = run.present;
    if (!outcome.done) {
      log_.say(LogLevel::error, fmt::format("{} asked by {} failed: {}", run.request.kind,
                                            who(options, run.originator), outcome.error));
      for (const AgentId j : links->neighbours()) attempt([&] { quit(j, run.name, outcome.error); });
    }
    return outcome;
  }

  const NodeOptions options;
  const NodeProgram program;
  QuietLog log_;
  Journal journal;
  Convening convening;  // used at the desk alone

  std::mutex guard;
  std::condition_variable changed;
  bool stopping = false;
  std::deque<std::function<void()>> queue;               // for the desk
  std::map<Name, std::shared_ptr<RunChannel>> channels;  // of runs that may start or have
  std::deque<Name> over;
  std::deque<std::pair<Name, AgentId>> told;
  Run running;
  std::shared_ptr<RunChannel> running_channel;
  std::map<Name, std::uint64_t> granted_;  // own requests by their runs
  std::map<std::uint64_t, std::promise<RunOutcome>> promises;
  std::uint64_t requests = 0, done = 0, not_done_count = 0;

  std::unique_ptr<Links> links;
  std::thread desk, stage;
};

Node::Node(NodeOptions options, NodeProgram program)
    : state_(std::make_unique<State>(std::move(options), std::move(program))) {}

Node::~Node() = default;

std::string Node::address() const { return state_->links->address(); }

std::future<RunOutcome> Node::ask(Request request, Quorum quorum) {
  std::future<RunOutcome> future;
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(state_->guard);
    number = ++state_->requests;
    future = state_->promises[number].get_future();
  }
  state_->post([this, number, request = std::move(request), quorum] {
    state_->convening.ask(number, request, quorum);
  });
  return future;
}

bool Node::wait_for_links(Milliseconds time) const {
  const auto deadline = std::chrono::steady_clock::now() + time;
  const Links& links = *state_->links;
  const auto up = [&] {
    return std::ranges::all_of(links.neighbours(), [&](AgentId j) { return links.status(j).up; });
  };
  while (!up()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(5ms);
  }
  return true;
}

NodeStatus Node::status() const {
  NodeStatus status;
  for (const AgentId j : state_->links->neighbours()) {
    const LinkStatus link = state_->links->status(j);
    status.neighbours.push_back({.agent = j,
                                 .name = state_->options.everybody[j].name,
                                 .up = link.up,
                                 .refusal = link.refusal,
                                 .round_trip = link.round_trip,
                                 .bytes_sent = link.bytes_sent,
                                 .bytes_received = link.bytes_received,
                                 .frames_sent = link.frames_sent,
                                 .frames_received = link.frames_received,
                                 .streams = link.streams});
  }
  const std::lock_guard lock(state_->guard);
  status.waiting = state_->promises.size() - state_->granted_.size();
  status.done = state_->done;
  status.failed = state_->not_done_count;
  if (state_->running_channel) status.running = state_->running.request.kind;
  return status;
}

void Node::finish(Milliseconds time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  state_->post([this] { state_->convening.close("this agent is about to stop"); });
  const auto finished = [&] {
    {
      const std::lock_guard lock(state_->guard);
      if (state_->running_channel || !state_->queue.empty()) return false;
    }
    const Links& links = *state_->links;
    return std::ranges::none_of(links.neighbours(), [&](AgentId j) {
      const LinkStatus link = links.status(j);
      return link.up && link.unacknowledged > 0;
    });
  };
  while (!finished() && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(5ms);
}

}  // namespace tacit
