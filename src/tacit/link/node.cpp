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
#include "tacit/link/desk.hpp"
#include "tacit/link/hello.hpp"
#include "tacit/link/journal.hpp"
#include "tacit/link/links.hpp"
#include "tacit/link/run_channel.hpp"

namespace tacit {
namespace {

constexpr std::size_t remembered_runs = 64;  // finished runs; late messages of theirs get no answer
constexpr const char* told_to_stop = "this agent was told to stop";

}  // namespace

// Three kinds of threads: gRPC's hand in frames; one decides and looks at the clock (`desk`); one runs
// protocols (`stage`).
struct Node::State final : LinkListener, Convening::Outside {
  State(NodeOptions given, NodeProgram what)
      : options(std::move(given)),
        program(std::move(what)),
        log_(options.log),
        journal(options.journal, options.journal_bytes),
        convening(options, *this, std::random_device{}()),
        links(std::make_unique<Links>(options, *this, log_, pool)) {
    desk.start([this] { return look_at_clock(); });
    stage = std::thread([this] { work_on_stage(); });
  }

  ~State() override {
    {
      const std::lock_guard lock(guard);
      stopping = true;
      for (const auto& [name, channel] : channels) channel->stop(told_to_stop);
    }
    changed.notify_all();
    stage.join();
    desk.stop();
    links.reset();
    for (const auto& [request, answer] : answers) answer(not_done(told_to_stop));
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
    post_or_close([this, from, what = std::make_shared<Frame>(std::move(frame))] {
      const auto bytes = what->payload.bytes();
      convening.heard(from, what->header, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    });
  }

  void deliver(AgentId from, const wire::Message& message, Payload payload) {
    const Name run = name_from(message.run());
    if (const auto channel = channel_of(run)) {
      if (const auto why = channel->deliver(from, tag_from(message), std::move(payload)))
        post_or_close([this, from, run, why] {
          quit(from, run, fmt::format("{} counts as lost: {}", who(options, from), *why));
        });
    } else if (!is_over(run, from)) {
      post_or_close([this, from, run] { quit(from, run, "this agent takes no part in the run"); });
    }
  }

  void restarted(AgentId neighbour) override {
    gone(neighbour, "it was restarted, or had given this agent up as lost");
  }
  void lost(AgentId neighbour) override {
    gone(neighbour,
         fmt::format("there was no link to it for timeouts.loss = {} ms", options.timeouts.loss.count()));
  }

  // For all runs under way.
  void gone(AgentId neighbour, const std::string& why) {
    {
      const std::lock_guard lock(guard);
      for (const auto& [name, channel] : channels) channel->lose(neighbour, why);
    }
    desk.post_in_any_case(guarded([this, neighbour] { convening.lost(neighbour); }));
  }
  void due_earlier() override { desk.wake(); }

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

  // On behalf of a neighbour.
  void post_or_close(Desk::Job job) {
    if (!desk.post(guarded(std::move(job))))
      throw Error("sends more than this agent can handle");  // closes the stream
  }

  Desk::Time look_at_clock() {
    Desk::Time due = links->tick();
    attempt([&] { due = std::min(due, convening.tick()); });
    return due;
  }

  // Whatever goes wrong with one job must not keep this agent from the others.
  template <class Job>
  void attempt(Job&& job) {
    try {
      job();
    } catch (const std::exception& e) {
      log_.say_once(LogLevel::error, e.what(), e.what());
    }
  }
  template <class Job>
  Desk::Job guarded(Job job) {
    return [this, job = std::move(job)] { attempt(job); };
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
    Payload payload = pool->take(text.size());
    std::ranges::copy(std::as_bytes(std::span(text)), payload.bytes().begin());
    links->send(to, std::move(header), std::move(payload));
  }
  std::vector<AgentId> neighbours() override {
    std::vector<AgentId> here;
    for (const AgentId j : links->neighbours())
      if (!links->status(j).lost) here.push_back(j);
    return here;
  }
  Consent consent(const Run& run) override {
    try {
      return program.consent(run);
    } catch (const std::exception& e) {
      log_.say(LogLevel::error, fmt::format("cannot decide about {} requested by {}: {}", run.request.kind,
                                            who(options, run.originator), e.what()));
      return {Consent::Word::no, "it cannot decide; its log says why"};
    }
  }
  std::uint64_t last_of(AgentId originator) override { return journal.last_of(originator); }
  void log(LogLevel level, const std::string& text) override { log_.say(level, text); }

  void expect(const Run& run) override {
    auto channel = std::make_shared<RunChannel>(
        options, *pool, [this, name = run.name](AgentId to, const Tag& tag, Payload payload) {
          journal.sending(to, tag, payload.bytes());
          wire::Header header;
          *header.mutable_message() = to_wire(name, tag);
          links->send(to, std::move(header), std::move(payload));
        });
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
    std::vector<AgentId> lost;  // now: when the run was announced, a link may have been about to come up
    for (const AgentId j : links->neighbours())
      if (links->status(j).lost) lost.push_back(j);
    const std::lock_guard lock(guard);
    if (stopping) return;  // the stage may have ended already
    running = run;
    running_channel = channels.at(run.name);
    for (const AgentId j : lost) running_channel->lose(j, "there is no link to it");
    changed.notify_all();
  }

  void settle(std::uint64_t request, RunOutcome outcome) {
    std::function<void(RunOutcome)> answer;
    {
      const std::lock_guard lock(guard);
      const auto at = answers.find(request);
      if (at == answers.end()) return;
      answer = std::move(at->second);
      answers.erase(at);
    }
    answer(std::move(outcome));
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
      attempt([&] { program.ended(run, outcome); });
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
      changed.notify_all();
      lock.unlock();
      desk.post_in_any_case(guarded([this] { convening.ended(); }));
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
      log_.say(LogLevel::error, fmt::format("{} requested by {} failed: {}", run.request.kind,
                                            who(options, run.originator), outcome.error));
      for (const AgentId j : links->neighbours()) attempt([&] { quit(j, run.name, outcome.error); });
    }
    return outcome;
  }

  const std::shared_ptr<PayloadPool> pool =
      std::make_shared<PayloadPool>();  // first: it outlives all payloads
  const NodeOptions options;
  const NodeProgram program;
  QuietLog log_;
  Journal journal;
  Convening convening;  // used at the desk alone

  std::mutex guard;
  std::condition_variable changed;
  bool stopping = false, closed = false;
  std::map<Name, std::shared_ptr<RunChannel>> channels;  // of runs that may start or have
  std::deque<Name> over;
  std::deque<std::pair<Name, AgentId>> told;
  Run running;
  std::shared_ptr<RunChannel> running_channel;
  std::map<Name, std::uint64_t> granted_;                            // own requests by their runs
  std::map<std::uint64_t, std::function<void(RunOutcome)>> answers;  // to own requests
  std::uint64_t requests = 0, done = 0, not_done_count = 0;

  Desk desk;
  std::unique_ptr<Links> links;
  std::thread stage;
};

Node::Node(NodeOptions options, NodeProgram program)
    : state_(std::make_unique<State>(std::move(options), std::move(program))) {}

Node::~Node() = default;

std::string Node::address() const { return state_->links->address(); }

std::future<RunOutcome> Node::ask(Request request, Quorum quorum) {
  const auto promise = std::make_shared<std::promise<RunOutcome>>();
  ask(std::move(request), quorum, [promise](RunOutcome outcome) { promise->set_value(std::move(outcome)); });
  return promise->get_future();
}

void Node::ask(Request request, Quorum quorum, std::function<void(RunOutcome)> answer) {
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(state_->guard);
    number = ++state_->requests;
    state_->answers[number] = std::move(answer);
  }
  const bool posted = state_->desk.post(state_->guarded([this, number, request = std::move(request), quorum] {
    state_->convening.ask(number, request, quorum);
  }));
  if (!posted)
    state_->settle(number, State::not_done("this agent has too much to do already; ask again later"));
}

bool Node::wait_for_links(Milliseconds time) const {
  return state_->links->wait_until_up(std::chrono::steady_clock::now() + time);
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
  status.waiting = state_->answers.size() - state_->granted_.size();
  status.done = state_->done;
  status.failed = state_->not_done_count;
  if (state_->running_channel) status.running = state_->running.request.kind;
  return status;
}

void Node::finish(Milliseconds time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  state_->desk.post_in_any_case(state_->guarded([this] {
    state_->convening.close("this agent is about to stop");
    const std::lock_guard lock(state_->guard);
    state_->closed = true;
    state_->changed.notify_all();
  }));
  {
    std::unique_lock lock(state_->guard);
    state_->changed.wait_until(lock, deadline, [&] { return state_->closed && !state_->running_channel; });
  }
  state_->links->wait_until_acknowledged(deadline);
}

}  // namespace tacit
