#include "tacit/link/node/node.hpp"

#include <fmt/format.h>

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "tacit/base/error.hpp"
#include "tacit/link/node/event_loop.hpp"
#include "tacit/link/runs/convening.hpp"
#include "tacit/link/runs/journal.hpp"
#include "tacit/link/runs/run_channel.hpp"
#include "tacit/link/transport/budget.hpp"
#include "tacit/link/transport/hello.hpp"
#include "tacit/link/transport/links.hpp"
#include "tacit/protocol/run/statement.hpp"

namespace tacit {
namespace {

constexpr std::size_t remembered_runs = 64;  // finished runs, whose late messages get no answer
constexpr std::size_t least_budget = 1u << 20;
constexpr std::size_t most_unread_objections = 1000;  // a neighbour that does not read them gets no more
constexpr const char* stopping_text = "this agent is stopping";

// The identities of the agreement.
class Members final : public Identities {
 public:
  explicit Members(const NodeOptions& options) : options_(options) {}

  const Identity& identity() override { return *options_.identity; }
  const IdentityKey& identity_of(AgentId agent) override {
    if (agent >= options_.everybody.size()) throw Error(fmt::format("there is no agent {}", agent));
    return options_.everybody[agent].identity;
  }

 private:
  const NodeOptions& options_;
};

}  // namespace

// Three kinds of threads: gRPC's threads deliver frames, `loop` makes decisions and runs timers, and `runner`
// runs protocols.
struct Node::State final : LinkListener, Convening::Outside {
  State(NodeOptions given, NodeProgram what)
      : options(std::move(given)),
        program(std::move(what)),
        log_(options.log),
        journal_(options.journal.empty() ? nullptr
                                         : std::make_unique<Journal>(options.journal, options.journal_bytes)),
        convening(options, *this, std::random_device{}()),
        links(std::make_unique<Links>(options, *this, log_, pool)) {
    loop.start([this] { return run_timers(); });
    runner = std::thread([this] { run_protocols(); });
  }

  ~State() override {
    {
      const std::lock_guard lock(guard);
      stopping = true;
      for (const auto& [name, channel] : channels) channel->stop(stopping_text, {ReasonCode::stopping});
    }
    changed.notify_all();
    runner.join();
    loop.stop();
    links.reset();
    for (const auto& [request, answer] : answers) answer(not_done(stopping_text));
  }

  static RunOutcome not_done(const std::string& why, bool bad_input = false) {
    return {.bad_input = bad_input, .error = why};
  }

  // ---- events of links, on gRPC's threads ----

  // An exception closes the stream and is logged with the neighbour's name, such as "agent 2 (bonn): ...".
  void heard(AgentId from, Frame frame) override {
    const wire::Header& header = frame.header;
    if (header.has_message()) return deliver(from, header.message(), std::move(frame.payload));
    if (header.has_announcement()) return announced(from, frame);
    if (header.has_start() && !may_be_start(from, header.start())) return;
    const Charge charge = budgets.at(from).take(header.ByteSizeLong());
    if (!charge) throw Error("sent more than this agent can handle");
    post_or_close([this, from, what = header, charge] {
      if (what.has_quit())
        has_quit(from, what.quit());
      else
        convening.heard(from, what);
    });
  }

  // Size, rules and signature are checked before anything is kept.
  void announced(AgentId from, const Frame& frame) {
    const wire::Announcement& received = frame.header.announcement();
    const auto body = frame.payload.bytes();
    if (body.size() > options.most_request_bytes || received.kind().size() > most_kind_bytes)
      throw Error(fmt::format("announced a request of {} bytes; the limit is {}", body.size(),
                              options.most_request_bytes));
    Charge charge = budgets.at(from).take(body.size() + frame.header.ByteSizeLong());
    if (!charge) {
      if (received.originator() == from) throw Error("announced more than this agent can handle");
      // The neighbour that passes it on may not be at fault.
      return log_.write_once(LogLevel::warning, fmt::format("too many announcements {}", from),
                             fmt::format("{} passed on more announcements than this agent can handle; some "
                                         "were dropped",
                                         who(options, from)));
    }
    std::shared_ptr<Announced> what;
    try {
      what = std::make_shared<Announced>(
          announced_in(frame.header, {reinterpret_cast<const char*>(body.data()), body.size()}, options));
    } catch (const Error& e) {
      return log_.write_once_of(
          fmt::format("announcement {}", from), LogLevel::error,
          fmt::format("announcement {} {}", from, e.what()),
          fmt::format("refused an announcement that {} sent: {}", who(options, from), e.what()));
    }
    what->charge = std::move(charge);
    post_or_close([this, from, what] { convening.announced(from, what); });
  }

  // After a start that the originator has signed, messages of the neighbour may follow.
  bool may_be_start(AgentId from, const wire::Start& start) {
    const auto channel = channel_of(name_from(start.run()));
    if (!channel) return true;  // this agent may have to pass it on
    if (is_signed(start, channel->announcement(), channel->originator(), options)) {
      channel->has_begun(from);
      return true;
    }
    log_.write_once(LogLevel::error, fmt::format("start {}", from),
                    fmt::format("{} passed on a start that {} has not signed: it is ignored",
                                who(options, from), who(options, channel->originator())));
    return false;
  }

  void deliver(AgentId from, const wire::Message& message, Payload payload) {
    const Name run = name_from(message.run());
    std::optional<Reason> objection;
    Digest bound = bound_to_name(run);
    if (const auto channel = channel_of(run)) {
      bound = channel->bound();
      Charge charge;
      const bool charged = channel->charges(from);
      if (charged) charge = budgets.at(from).take(payload.size());
      objection = charged && !charge
                      ? channel->overflow(from)
                      : channel->deliver(from, tag_from(message), std::move(payload), std::move(charge));
    } else if (!is_over(run, from)) {
      objection = {ReasonCode::no_part};
    }
    if (!objection) return;
    const Charge charge = budgets.at(from).take(run.size());
    if (!charge) throw Error("sent more than this agent can handle");
    post_or_close([this, from, run, bound, why = *objection, charge] {
      if (links->status(from).unacknowledged < most_unread_objections)
        quit(from, quit_of(run, bound, why, options));
    });
  }

  void restarted(AgentId neighbour) override {
    gone(neighbour, "it was restarted, or had lost its link to this agent");
  }
  void lost(AgentId neighbour) override {
    gone(neighbour,
         fmt::format("there was no link to it for timeouts.loss = {} ms", options.timeouts.loss.count()));
  }

  // Affects all current runs.
  void gone(AgentId neighbour, const std::string& why) {
    {
      const std::lock_guard lock(guard);
      for (const auto& [name, channel] : channels)
        channel->lose(neighbour, {why, {ReasonCode::lost_agent, neighbour}});
    }
    loop.post_in_any_case(guarded([this, neighbour] { convening.lost(neighbour); }));
  }
  void due_earlier() override { loop.wake(); }

  std::shared_ptr<RunChannel> channel_of(const Name& run) {
    const std::lock_guard lock(guard);
    const auto at = channels.find(run);
    return at == channels.end() ? nullptr : at->second;
  }
  // True if this agent was in the run, or has informed the neighbour that it is not. The neighbour is
  // informed once.
  bool is_over(const Name& run, AgentId neighbour) {
    const std::lock_guard lock(guard);
    if (std::ranges::count(over, run) > 0 || std::ranges::count(informed, std::pair(run, neighbour)) > 0)
      return true;
    informed.emplace_back(run, neighbour);
    if (informed.size() > remembered_runs) informed.pop_front();
    return false;
  }

  // ---- the event loop ----

  // For a frame of a neighbour.
  void post_or_close(EventLoop::Job job) {
    if (!loop.post(guarded(std::move(job))))
      throw Error("sent more than this agent can handle");  // closes the stream
  }

  EventLoop::Time run_timers() {
    report_standstill();
    EventLoop::Time due = links->tick();
    attempt([&] { due = std::min(due, convening.tick()); });
    return due;
  }

  void report_standstill() {
    const AwakeClock::Span now = options.clock->stood_still();
    if (now == reported_standstill) return;
    log_.write(
        LogLevel::warning,
        fmt::format(
            "this machine did not run for {} s: it was suspended, paused or overloaded. Timeouts do not "
            "count this time",
            in_seconds(now - reported_standstill)));
    reported_standstill = now;
  }
  static long in_seconds(AwakeClock::Span span) {
    return std::chrono::round<std::chrono::seconds>(span).count();
  }

  // An error in one job must not affect the others.
  template <class Job>
  void attempt(Job&& job) {
    try {
      job();
    } catch (const std::exception& e) {
      log_.write_once_of("errors", LogLevel::error, e.what(), e.what());
    }
  }
  template <class Job>
  EventLoop::Job guarded(Job job) {
    return [this, job = std::move(job)] { attempt(job); };
  }

  void quit(AgentId to, const wire::Quit& what) {
    wire::Header header;
    *header.mutable_quit() = what;
    links->send(to, std::move(header));
  }

  // A neighbour has left a run, or passes on that another agent did.
  void has_quit(AgentId from, const wire::Quit& received) {
    const auto channel = channel_of(name_from(received.run()));
    if (!channel) return;
    if (!channel->is_about_this(received, from))
      return log_.write_once(
          LogLevel::error, fmt::format("quit {}", from),
          fmt::format(
              "{} reported that {} left a run, without a valid signature of that agent: it is ignored",
              who(options, from), who(options, received.author())));
    const Reason reason = reason_of(received);
    channel->lose(
        from, {fmt::format("{} ended the run: {}", who(options, received.author()), in_words(reason)), reason,
               received});
  }

  Convening::Time now() override { return options.clock->now(); }
  std::uint64_t calendar() override { return options.calendar(); }
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
  Consent consent(const RunDescription& run) override {
    try {
      return program.consent(run);
    } catch (const std::exception& e) {
      return {.refusal = Reason{ReasonCode::undecided},
              .log = fmt::format("this agent could not decide: {}", e.what())};
    }
  }
  std::uint64_t last_of(AgentId originator) override { return journal_ ? journal_->last_of(originator) : 0; }
  void log(LogLevel level, AgentId about, const std::string& text) override {
    log_.write_at_most(QuietLog::most_of_group, level, fmt::format("convening {}", about), text);
  }

  void expect(const Announced& what) override {
    auto channel = std::make_shared<RunChannel>(
        options, what, *pool, [this, name = what.run.name](AgentId to, const Tag& tag, Payload payload) {
          journal().sending(to, tag, payload.bytes());
          wire::Header header;
          *header.mutable_message() = to_wire(name, tag);
          links->send(to, std::move(header), std::move(payload));
        });
    const std::lock_guard lock(guard);
    channels[what.run.name] = std::move(channel);
  }
  void forget(const RunDescription& run, const std::string& why) override {
    log_.write(LogLevel::debug, fmt::format("run {} does not start here: {}", short_name(run.name), why));
    std::shared_ptr<RunChannel> channel;
    {
      const std::lock_guard lock(guard);
      const auto at = channels.find(run.name);
      if (at == channels.end()) return;
      channel = std::move(at->second);
      channels.erase(at);
    }
    // Agents that have sent messages have started, and must not wait for this agent.
    const wire::Quit last = quit_of(run.name, channel->bound(), {ReasonCode::no_part}, options);
    for (const AgentId j : channel->heard_from()) attempt([&] { quit(j, last); });
  }
  void granted(std::uint64_t request, const RunDescription& run) override {
    const std::lock_guard lock(guard);
    granted_[run.name] = request;
  }
  void refused(const RunDescription& run, const std::string& why) override {
    attempt([&] { program.refused(run, why); });
  }
  std::string refusal_of(AgentId agent) override {
    return std::ranges::count(links->neighbours(), agent) > 0 ? links->status(agent).refusal : std::string();
  }

  void withdraw(std::uint64_t request) {
    if (convening.take_back(request)) return;
    const std::lock_guard lock(guard);
    for (const auto& [run, asked] : granted_)
      if (asked == request) channels.at(run)->stop("the request was withdrawn", {ReasonCode::withdrawn});
  }

  void failed(std::uint64_t request, RunOutcome outcome) override { settle(request, std::move(outcome)); }
  void start(const RunDescription& run, const Agreed& agreed) override {
    std::vector<AgentId> lost;  // by now; a link that was down at the announcement may be up
    for (const AgentId j : links->neighbours())
      if (links->status(j).lost) lost.push_back(j);
    const std::lock_guard lock(guard);
    if (stopping) return;  // the runner may have ended
    running = run;
    running_channel = channels.at(run.name);
    running_channel->begin(agreed);
    for (const AgentId j : lost)
      running_channel->lose(j, {"there is no link to it", {ReasonCode::lost_agent, j}});
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

  // ---- the runner ----

  void run_protocols() {
    std::unique_lock lock(guard);
    for (;;) {
      changed.wait(lock, [&] { return running_channel || stopping; });
      if (!running_channel) return;
      const auto channel = running_channel;
      const RunDescription run = running;
      lock.unlock();
      auto how = Convening::Ending::done;
      const auto since = std::chrono::steady_clock::now();
      Run net(*channel, channel->agreed().gathering, members, Transcript(channel->agreed().start));
      RunOutcome outcome = perform(*channel, net, run, how);
      outcome.began = true;
      outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
      outcome.opened = net.opened();
      attempt([&] { program.ended(run, outcome); });
      lock.lock();
      ++(outcome.done ? done : outcome.withdrawn ? withdrawn : not_done_count);
      channels.erase(run.name);
      over.push_back(run.name);
      if (over.size() > remembered_runs) over.pop_front();
      running_channel.reset();
      running = {};  // its request can be large
      std::optional<std::uint64_t> request;
      if (const auto at = granted_.find(run.name); at != granted_.end()) {
        request = at->second;
        granted_.erase(at);
      }
      changed.notify_all();
      lock.unlock();
      loop.post_in_any_case(guarded([this, how] { convening.ended(how); }));
      if (request) settle(*request, std::move(outcome));
      lock.lock();
    }
  }

  RunOutcome perform(RunChannel& channel, Run& net, const RunDescription& run, Convening::Ending& how) {
    RunOutcome outcome;
    Reason reason{ReasonCode::failed};
    std::optional<RunChannel::Cause> cause;
    const AwakeClock::Span stood_still = options.clock->stood_still();
    try {
      journal().begin(run.name, run.originator, run.number);
      outcome.result = channel.drive(program.program(net, run));
      outcome.done = true;
      return outcome;
    } catch (const Misbehaviour& e) {
      outcome = not_done(e.what());
      reason = {ReasonCode::misbehaved, e.who()};
    } catch (const Leaves& e) {
      outcome = not_done(e.what(), true);
      reason = e.reason();
    } catch (const InputError& e) {
      outcome = not_done(e.what(), true);
      reason = {ReasonCode::own_input};
    } catch (const std::exception& e) {
      outcome = not_done(e.what());
      if (const auto stopped = channel.stopped()) {
        reason = *stopped;
      } else if ((cause = channel.cause())) {
        reason = cause->gone.reason;
        outcome.error = fmt::format(
            "{} was lost before the run ended: {}. Check that agent and its link, and ask again "
            "when it is back.",
            who(options, cause->neighbour), cause->gone.why);
      }
    }
    const bool left = cause && cause->gone.quit;  // another agent has ended it
    if (left) outcome.error = cause->gone.why;
    outcome.withdrawn = reason.code == ReasonCode::withdrawn &&
                        (left ? cause->gone.quit->author() : options.self) == run.originator;
    // The others continued without this agent. They, and the links to them, are not at fault.
    if (const auto span = options.clock->stood_still() - stood_still;
        cause && !outcome.withdrawn && span > span.zero())
      outcome.error = fmt::format(
          "this machine did not run for {} s during the run: it was suspended, paused or overloaded, and the "
          "other agents no longer wait for it. Ask again.",
          in_seconds(span));
    const wire::Quit last = left ? *cause->gone.quit : quit_of(run.name, channel.bound(), reason, options);
    for (const AgentId j : channel.partners()) attempt([&] { quit(j, last); });
    how = ending_of(run, cause, reason);
    return outcome;
  }

  Journal& journal() const {
    if (!journal_) throw Error("this agent has no journal and takes part in no run");
    return *journal_;
  }

  // Whether the originator itself ended the run, and not because of another agent. This agent believes only
  // itself that the originator violated the protocol: another agent could accuse it to delay its runs.
  static Convening::Ending ending_of(const RunDescription& run, const std::optional<RunChannel::Cause>& cause,
                                     const Reason& reason) {
    if (!cause && reason.code == ReasonCode::misbehaved && reason.detail == run.originator)
      return Convening::Ending::left_by_originator;
    const bool quit = cause && cause->gone.quit;
    const AgentId author = quit ? cause->gone.quit->author() : cause ? cause->neighbour : 0;
    if (!cause || author != run.originator) return Convening::Ending::failed;
    const ReasonCode code = cause->gone.reason.code;
    const bool others = quit && (code == ReasonCode::misbehaved || code == ReasonCode::lost_agent ||
                                 code == ReasonCode::overflowed);
    return others ? Convening::Ending::failed : Convening::Ending::left_by_originator;
  }

  static std::map<AgentId, Budget> budgets_of(const NodeOptions& options) {
    std::map<AgentId, Budget> all;
    for (const AgentId j : tacit::neighbourhood(options.graph, options.self).neighbours)
      all.emplace(j, Budget(std::max<std::size_t>(least_budget, 4 * options.most_request_bytes),
                            256 + 4 * options.everybody.size()));
    return all;
  }

  const std::shared_ptr<PayloadPool> pool =
      std::make_shared<PayloadPool>();  // the first member, so that it outlives all payloads
  const NodeOptions options;
  const NodeProgram program;
  Members members{options};
  QuietLog log_;
  const std::unique_ptr<Journal> journal_;
  Convening convening;                                                  // used only on the loop's thread
  AwakeClock::Span reported_standstill = options.clock->stood_still();  // used only on the loop's thread
  const std::map<AgentId, Budget> budgets = budgets_of(options);        // for waiting frames, by neighbour

  std::mutex guard;
  std::condition_variable changed;
  bool stopping = false, closed = false;
  std::map<Name, std::shared_ptr<RunChannel>> channels;  // of runs that may start or have started
  std::deque<Name> over;
  std::deque<std::pair<Name, AgentId>> informed;
  RunDescription running;
  std::shared_ptr<RunChannel> running_channel;
  std::map<Name, std::uint64_t> granted_;                            // own requests, by run
  std::map<std::uint64_t, std::function<void(RunOutcome)>> answers;  // to own requests
  std::uint64_t requests = 0, done = 0, not_done_count = 0, withdrawn = 0;

  EventLoop loop{options.clock};
  std::unique_ptr<Links> links;
  std::thread runner;
};

Node::Node(NodeOptions options, NodeProgram program)
    : state_(std::make_unique<State>(std::move(options), std::move(program))) {}

Node::~Node() = default;

std::string Node::address() const { return state_->links->address(); }

std::future<RunOutcome> Node::ask(Request request, std::vector<AgentId> roster) {
  const auto promise = std::make_shared<std::promise<RunOutcome>>();
  ask(std::move(request), std::move(roster),
      [promise](RunOutcome outcome) { promise->set_value(std::move(outcome)); });
  return promise->get_future();
}

std::uint64_t Node::ask(Request request, std::vector<AgentId> roster,
                        std::function<void(RunOutcome)> answer) {
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(state_->guard);
    number = ++state_->requests;
    state_->answers[number] = std::move(answer);
  }
  const bool posted = state_->loop.post(
      state_->guarded([this, number, request = std::move(request), roster = std::move(roster)] {
        state_->convening.ask(number, request, roster);
      }));
  if (!posted)
    state_->settle(number, State::not_done("this agent has too many waiting requests; ask again later"));
  return number;
}

void Node::withdraw(std::uint64_t request) {
  state_->loop.post_in_any_case(state_->guarded([this, request] { state_->withdraw(request); }));
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
                                 .release = link.release,
                                 .round_trip = link.round_trip,
                                 .bytes_sent = link.bytes_sent,
                                 .bytes_received = link.bytes_received,
                                 .frames_sent = link.frames_sent,
                                 .frames_received = link.frames_received,
                                 .streams = link.streams,
                                 .kept_bytes = state_->budgets.at(j).bytes()});
  }
  const std::lock_guard lock(state_->guard);
  status.waiting = state_->answers.size() - state_->granted_.size();
  status.done = state_->done;
  status.failed = state_->not_done_count;
  status.withdrawn = state_->withdrawn;
  if (state_->running_channel) status.running = state_->running.request.kind;
  return status;
}

void Node::finish(Milliseconds time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  state_->loop.post_in_any_case(state_->guarded([this] {
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
