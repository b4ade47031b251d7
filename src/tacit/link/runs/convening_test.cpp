#include "tacit/link/runs/convening.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <numeric>
#include <queue>
#include <random>

#include "tacit/graph/generators.hpp"
#include "tacit/link/runs/signed_run.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;

// Agents that convene on a virtual clock. Messages take random times but stay in order.
class Council {
 public:
  Council(Graph graph, std::uint64_t seed) : graph_(std::move(graph)), random_(seed) {
    Prg prg = Prg::from_seed(seed, "identities", 0);
    for (AgentId i = 0; i < graph_.agents(); ++i) identities_.emplace_back(prg);
    for (AgentId i = 0; i < graph_.agents(); ++i) members_.push_back(std::make_unique<Member>(*this, i));
  }

  void ask(AgentId agent, std::chrono::milliseconds when) {
    std::vector<AgentId> everybody(graph_.agents());
    std::iota(everybody.begin(), everybody.end(), AgentId{0});
    ask(agent, when, everybody);
  }
  void ask(AgentId agent, std::chrono::milliseconds when, const std::vector<AgentId>& roster) {
    if (agent != victim) ++asked;
    const std::uint64_t request = ++requests;
    at(when, [=, this] {
      if (!members_[agent]->alive) return;
      members_[agent]->convening.ask(request, {"add", ""}, roster);
      tick(agent);
    });
  }

  // Kills the victim, whose own requests do not count.
  void kill(std::chrono::milliseconds when) {
    at(when, [=, this] {
      members_[*victim]->alive = false;
      for (const AgentId j : graph_.neighbours(*victim))
        at(clock_ + 50ms, [=, this] {
          members_[j]->gone.insert(*victim);
          members_[j]->convening.lost(*victim);
          tick(j);
        });
    });
  }

  // Sets the calendar of a machine wrong.
  void put_ahead(AgentId agent, std::chrono::nanoseconds time) { members_[agent]->ahead = time; }

  // Runs until all requests are settled and all agents idle. False if that takes longer.
  bool settles_within(std::chrono::milliseconds time) {
    while (!events_.empty() && clock_ < time) {
      const Event next = events_.top();
      events_.pop();
      clock_ = next.when;
      next.what();
      if (settled == asked && idle()) return true;
    }
    return false;
  }

  bool idle() const {
    for (const auto& member : members_)
      if (member->alive && !member->convening.idle()) return false;
    return true;
  }

  void at(std::chrono::nanoseconds when, std::function<void()> what) {
    events_.push({when, ++order_, std::move(what)});
  }

  std::uint64_t requests = 0, asked = 0, settled = 0, runs = 0;
  std::optional<AgentId> victim;
  std::vector<std::string> failures;
  std::map<Name, std::set<AgentId>> starts;  // by run
  std::map<Name, Digest> agreed;             // by run
  std::set<Name> open;                       // runs that have not ended at their originator

 private:
  struct Member final : Convening::Outside {
    Member(Council& all, AgentId id)
        : council(all), self(id), options(all.options_of(id)), convening(options, *this, id) {}

    Convening::Time now() override { return Convening::Time(council.clock_); }
    std::uint64_t calendar() override {
      return static_cast<std::uint64_t>((council.clock_ + 24h + ahead) / 1ms);
    }
    void send(AgentId to, wire::Header header, std::string_view payload) override {
      if (!alive) return;
      auto& arrival = council.last_arrival_[{self, to}];
      arrival = std::max(arrival + 1ns, council.clock_ + std::chrono::microseconds(council.random_() % 5000));
      council.at(arrival, [this, to, header, text = std::string(payload)] {
        Member& receiver = *council.members_[to];
        if (!receiver.alive || receiver.gone.contains(self)) return;
        if (header.has_announcement())
          receiver.convening.announced(
              self, std::make_shared<Announced>(announced_in(header, text, receiver.options)));
        else
          receiver.convening.heard(self, header);
        council.tick(to);
      });
    }
    std::vector<AgentId> neighbours() override {
      std::vector<AgentId> here;
      for (const AgentId j : council.graph_.neighbours(self))
        if (!gone.contains(j)) here.push_back(j);
      return here;
    }
    Consent consent(const RunDescription&) override { return {}; }
    std::uint64_t last_of(AgentId originator) override { return last[originator]; }
    void expect(const Announced&) override {}
    void forget(const RunDescription&, const std::string&) override {}
    void start(const RunDescription& run, const Agreed& on) override {
      const auto [first, fresh] = council.agreed.try_emplace(run.name, on.start);
      EXPECT_EQ(first->second, on.start) << "two agents start different runs";
      EXPECT_EQ(on.gathering.roster, run.roster);
      EXPECT_FALSE(running) << "agent " << self << " is in two runs at once";
      EXPECT_GT(run.number, last[run.originator]);
      last[run.originator] = run.number;
      running = true;
      council.starts[run.name].insert(self);
      council.open.insert(run.name);
      council.at(council.clock_ + std::chrono::microseconds(1000 + council.random_() % 20'000), [this, run] {
        running = false;
        if (!alive) return;
        if (run.originator == self) {
          council.open.erase(run.name);
          if (self != council.victim) ++council.settled;
          ++council.runs;
        }
        convening.ended(Convening::Ending::done);
        council.tick(self);
      });
    }
    void failed(std::uint64_t, RunOutcome outcome) override {
      if (self != council.victim) ++council.settled;
      council.failures.push_back(outcome.error);
    }
    void granted(std::uint64_t, const RunDescription&) override {}
    void log(LogLevel, AgentId, const std::string&) override {}

    Council& council;
    const AgentId self;
    const NodeOptions options;
    bool alive = true, running = false;
    std::chrono::nanoseconds ahead{0};  // of its calendar
    std::set<AgentId> gone;
    std::map<AgentId, std::uint64_t> last;
    Convening convening;
    Convening::Time due = Convening::Time::max();
  };

  NodeOptions options_of(AgentId agent) {
    NodeOptions options;
    options.self = agent;
    for (AgentId i = 0; i < graph_.agents(); ++i)
      options.everybody.push_back({"agent-" + std::to_string(i), "", "", identities_[i].public_key()});
    options.graph = graph_;
    options.identity = &identities_[agent];
    return options;
  }

  // Calls tick() now, and at each time that it returns.
  void tick(AgentId agent) {
    Member& member = *members_[agent];
    if (!member.alive) return;
    const Convening::Time due = member.convening.tick();
    if (due == member.due) return;
    member.due = due;
    if (due == Convening::Time::max()) return;
    at(std::max(clock_, due.time_since_epoch()), [this, &member, due] {
      if (member.due != due) return;  // tick() was called since
      member.due = Convening::Time::max();
      tick(member.self);
    });
  }

  struct Event {
    std::chrono::nanoseconds when;
    std::uint64_t order;
    std::function<void()> what;
    bool operator<(const Event& other) const {
      return std::tie(when, order) > std::tie(other.when, other.order);
    }
  };
  const Graph graph_;
  std::mt19937_64 random_;
  std::deque<Identity> identities_;
  std::chrono::nanoseconds clock_{0};
  std::uint64_t order_ = 0;
  std::map<std::pair<AgentId, AgentId>, std::chrono::nanoseconds> last_arrival_;
  std::priority_queue<Event> events_;
  std::vector<std::unique_ptr<Member>> members_;
};

Graph some_graph(std::uint64_t seed) {
  const std::size_t agents = 3 + seed % 6;
  return seed % 3 == 0 ? complete_graph(agents) : ring_lattice(agents, seed % 2 && agents > 4 ? 4 : 2);
}

TEST(Convening, AnyNumberOfOriginatorsAreServedOneAfterTheOther) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Graph graph = some_graph(seed);
    Council council(graph, seed);
    std::mt19937_64 random(seed);
    for (int k = 0; k < 12; ++k)
      council.ask(static_cast<AgentId>(random() % graph.agents()), std::chrono::milliseconds(random() % 30));
    // Far below the 25 s after which an agent drops a run: no agent may be left in a run that has ended.
    ASSERT_TRUE(council.settles_within(15s)) << "seed " << seed;
    EXPECT_EQ(council.runs, 12u) << "seed " << seed << ": " << council.failures.front();
    for (const auto& [name, agents] : council.starts)
      EXPECT_EQ(agents.size(), graph.agents()) << "seed " << seed;
  }
}

TEST(Convening, RostersThatShareSomeAgentsGetTheirTurnsToo) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Graph graph = complete_graph(3 + seed % 5);
    Council council(graph, seed);
    std::mt19937_64 random(seed);
    std::size_t members = 0;
    for (int k = 0; k < 12; ++k) {
      const auto asker = static_cast<AgentId>(random() % graph.agents());
      std::vector<AgentId> roster;
      for (AgentId i = 0; i < graph.agents(); ++i)
        if (i == asker || i == (asker + 1) % graph.agents() || random() % 2) roster.push_back(i);
      members += roster.size();
      council.ask(asker, std::chrono::milliseconds(random() % 30), roster);
    }
    ASSERT_TRUE(council.settles_within(15s)) << "seed " << seed;
    EXPECT_EQ(council.runs, 12u) << "seed " << seed << ": " << council.failures.front();
    for (const auto& [name, agents] : council.starts) members -= agents.size();
    EXPECT_EQ(members, 0u) << "seed " << seed;
  }
}

TEST(Convening, KilledAgentsDelayOthersAtMostByTheNamedTimeouts) {
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    const Graph graph = some_graph(seed);
    Council council(graph, seed);
    std::mt19937_64 random(seed);
    council.victim = static_cast<AgentId>(random() % graph.agents());
    for (int k = 0; k < 8; ++k)
      council.ask(static_cast<AgentId>(random() % graph.agents()), std::chrono::milliseconds(random() % 60));
    council.kill(std::chrono::milliseconds(random() % 80));
    // gather + start, for an announcement whose originator is lost several links away, and some turns.
    EXPECT_TRUE(council.settles_within(100s))
        << "seed " << seed << ", " << council.settled << " of " << council.asked;
    const std::string away = fmt::format("agent-{0} (agent {0}) did not answer", *council.victim);
    for (const std::string& why : council.failures)
      EXPECT_NE(why.find(away), std::string::npos) << "seed " << seed << ": " << why;
  }
}

TEST(Convening, CalendarsThatDifferByAnHourDelayNoRequest) {
  for (const std::size_t agents : {3, 4, 7, 20})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE(fmt::format("{} agents, seed {}", agents, seed));
      Council council(agents > 4 ? ring_lattice(agents, 4) : complete_graph(agents), seed);
      council.put_ahead(0, 1h);
      council.put_ahead(1, -1h);
      std::mt19937_64 random(seed);
      for (AgentId agent = 0; agent < 3; ++agent)
        for (int k = 0; k < 3; ++k) council.ask(agent, std::chrono::milliseconds(random() % 30));
      // The calendar is set right while requests wait.
      council.at(20ms, [&] { council.put_ahead(0, 0h); });
      ASSERT_TRUE(council.settles_within(15s));
      EXPECT_EQ(council.runs, 9u) << council.failures.front();
    }
}

}  // namespace
}  // namespace tacit
