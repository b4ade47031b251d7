// Members that cheat in the sums, over real links. The transcript stops each of these attacks.
#include <gtest/gtest.h>

#include "tacit/graph/generators.hpp"
#include "tacit/link/node/node_testing.hpp"
#include "tacit/protocol/tampering_testing.hpp"

namespace tacit::testing {
namespace {

using Bytes = TamperingChannel::Bytes;
using Instead = TamperingChannel::Instead;

/// Agent 3 runs the same program as the others, but its messages pass through this function.
using Lie =
    std::function<std::optional<Instead>(TamperingChannel& net, AgentId to, const Tag&, const Bytes&)>;

NodeProgram lying(NodeProgram honest, Lie lie) {
  const auto program = honest.program;
  honest.program = [program, lie](tacit::Run& net, const RunDescription& run) -> Task<std::string> {
    TamperingChannel* self = nullptr;
    TamperingChannel mine(
        net, [&](AgentId to, const Tag& tag, const Bytes& bytes) { return lie(*self, to, tag, bytes); });
    self = &mine;
    tacit::Run lying_run = mine.run();
    co_return co_await program(lying_run, run);
  };
  return honest;
}

class Lies : public ::testing::Test {
 protected:
  explicit Lies(const Graph& graph) : network(graph) {}

  std::mutex guard;
  std::condition_variable recorded;
  std::map<AgentId, std::string> failures;  // errors of runs
  TestNetwork network;                      // the last member: agents must not outlive `failures`

  AgentId liar = 3;

  void start(const Lie& lie) {
    for (AgentId i = 0; i < 4; ++i) {
      NodeProgram honest = adding(4);
      honest.ended = [this, i](const RunDescription&, const RunOutcome& outcome) {
        const std::lock_guard lock(guard);
        if (!outcome.done) failures[i] = outcome.error;
        recorded.notify_all();
      };
      network.start(i, i == liar ? lying(honest, lie) : honest);
    }
    network.wait_for_links();
  }
  // No honest agent has a result. True if the error of at least one of them contains the words.
  bool everybody_fails(AgentId asker, const std::string& words) {
    const RunOutcome outcome = network[asker].ask({"add", ""}, {0, 1, 2, 3}).get();
    EXPECT_FALSE(outcome.done);
    bool named = false;
    for (AgentId i = 0; i < 4; ++i) {
      if (i == liar) continue;
      std::unique_lock lock(guard);
      EXPECT_TRUE(recorded.wait_for(lock, 20s, [&] { return failures.contains(i); })) << i;
      named = named || says(failures[i], words);
    }
    return named;
  }
};

class Liar : public Lies, public ::testing::WithParamInterface<bool> {
 protected:
  static Graph graph() { return GetParam() ? complete_graph(4) : ring_lattice(4, 2); }
  Liar() : Lies(graph()) {}
};

class LiarBetweenOthers : public Lies {
 protected:
  LiarBetweenOthers() : Lies(ring_lattice(4, 2)) {}
};

Instead instead(const Tag& tag, Bytes bytes) { return {{tag, std::move(bytes)}}; }
void flip_last(Bytes& content) { content.back() ^= std::byte{1}; }

// Two masked vectors, one for each side, so that two agents would compute different totals.
TEST_P(Liar, TwoMaskedVectors) {
  start([first = std::optional<AgentId>()](TamperingChannel& net, AgentId to, const Tag& tag,
                                           const Bytes& bytes) mutable -> std::optional<Instead> {
    if (tag.step != Step::vector || tag.about != 3) return std::nullopt;
    if (!first) first = to;
    if (*first != to) return std::nullopt;
    return instead(tag, net.signed_again(tag, bytes, flip_last));
  });
  EXPECT_TRUE(everybody_fails(0, "masked vector of agent 3 than the one that agent 3 signed"))
      << network.log_of(0) << network.log_of(1) << network.log_of(2);
}

// A relay changes another agent's statement.
TEST_F(LiarBetweenOthers, ChangesWhatItPassesOn) {
  liar = 0;  // between 1 and 3
  start([](TamperingChannel&, AgentId, const Tag& tag, const Bytes& bytes) -> std::optional<Instead> {
    if (tag.about == 0 || tag.step != Step::vector) return std::nullopt;
    Bytes changed = bytes;
    changed[40] ^= std::byte{1};
    return instead(tag, std::move(changed));
  });
  EXPECT_TRUE(everybody_fails(1, "agent 0 passed on a masked vector that agent")) << network.log_of(0);
}

TEST_P(Liar, AnotherSelfMask) {
  start([](TamperingChannel& net, AgentId, const Tag& tag, const Bytes& bytes) -> std::optional<Instead> {
    if (tag.step != Step::self_mask || tag.about != 3) return std::nullopt;
    return instead(tag, net.signed_again(tag, bytes, flip_last));
  });
  EXPECT_TRUE(everybody_fails(2, "agent 3 released another self-mask than the one it promised"));
}

// The liar tries to get the others' self-masks before they have confirmed the same vectors.
TEST_P(Liar, AConfirmationOfItsOwn) {
  start([](TamperingChannel& net, AgentId to, const Tag& tag, const Bytes& bytes) -> std::optional<Instead> {
    if (tag.step != Step::confirm || tag.about != 3) return std::nullopt;
    (void)to;
    return instead(tag, net.signed_again(tag, bytes, flip_last));
  });
  EXPECT_TRUE(everybody_fails(0, "agent 3 confirms another masked vector"));
}

// The liar repeats a statement of an earlier run.
TEST_P(Liar, AnOldStatement) {
  start([old = std::map<std::pair<Tag, AgentId>, Bytes>()](
            TamperingChannel&, AgentId to, const Tag& tag,
            const Bytes& bytes) mutable -> std::optional<Instead> {
    if (tag.about != 3) return std::nullopt;
    const auto [before, fresh] = old.try_emplace({tag, to}, bytes);
    if (fresh || tag.step != Step::consent) return std::nullopt;
    return instead(tag, before->second);
  });
  const RunOutcome first = network[0].ask({"add", ""}, {0, 1, 2, 3}).get();
  EXPECT_EQ(sum_in(first), 1111);
  EXPECT_TRUE(everybody_fails(0, "agent 3 has another transcript of this run")) << network.log_of(0);
}

// A million invalid bytes replace every message of a step.
TEST_P(Liar, Rubbish) {
  for (const Step step : {Step::consent, Step::vector, Step::confirm, Step::self_mask}) {
    TestNetwork other{graph()};
    const NodeProgram honest = adding(4);
    for (AgentId i = 0; i < 3; ++i) other.start(i, honest);
    other.start(
        3, lying(honest,
                 [step](TamperingChannel&, AgentId, const Tag& tag, const Bytes&) -> std::optional<Instead> {
                   if (tag.step != step) return std::nullopt;
                   return instead(tag, Bytes(1'000'000, std::byte{0x5a}));
                 }));
    other.wait_for_links();
    EXPECT_FALSE(other[0].ask({"add", ""}, {0, 1, 2, 3}).get().done);
    EXPECT_EQ(sum_in(other[0].ask({"add", ""}, {0, 1, 2}).get()), 111) << "the other agents still work";
  }
}

INSTANTIATE_TEST_SUITE_P(On, Liar, ::testing::Bool(), [](const auto& on) {
  return on.param ? std::string("complete") : std::string("ring");
});

}  // namespace
}  // namespace tacit::testing
