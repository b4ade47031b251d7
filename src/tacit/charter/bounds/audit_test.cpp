#include "tacit/charter/bounds/audit.hpp"

#include <gtest/gtest.h>

#include "tacit/charter/bounds/advice.hpp"
#include "tacit/graph/connectivity.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/graph/graph_testing.hpp"
#include "tacit/protocol/protocol_testing.hpp"

namespace tacit {
namespace {

AuditSettings settings(double lz = 0x1p-20, std::size_t iterations = 20) {
  AuditSettings s;
  s.lz = lz;
  s.iterations = iterations;
  s.value_bound = 10;
  s.lambda = 0.8;
  return s;
}

std::string words(const Graph& graph, const AuditSettings& s) {
  const AuditReport report = audit(graph, s);
  std::string all;
  for (const auto& sentences : {findings_in_words(report, s), advice_in_words(report, s)})
    for (const std::string& sentence : sentences) all += sentence + "\n";
  return all;
}

TEST(Audit, BowTie) {
  const AuditReport report = audit(bow_tie(), settings());
  EXPECT_EQ(report.privacy.collusion_paper, 1u);
  EXPECT_EQ(report.privacy.collusion, 0u);
  ASSERT_TRUE(report.witness);
  EXPECT_EQ(report.witness->agent, 0u);
  EXPECT_EQ(report.witness->coalition, Coalition{0});
  EXPECT_EQ(report.witness->parts, (std::vector<MaskPart>{{1, 2}, {3, 4}}));
  ASSERT_TRUE(report.edges);
  auto edges = bow_tie().edge_list();
  edges.insert(edges.end(), report.edges->begin(), report.edges->end());
  EXPECT_GE(collusion_bound(Graph(5, edges)), 1u);
  EXPECT_TRUE(
      mentions(words(bow_tie(), settings()), {"Agent 0 alone can split", "agents 1 and 2", "agents 3 and 4",
                                              "gives h = 1", "Add the edge", "`masks=seeded`"}));
}

TEST(Audit, StripReportsTheErrorsOfItsEndAgent) {
  AuditSettings s = settings();
  s.coalition = Coalition{0};
  const AuditReport report = audit(strip(), s);
  EXPECT_EQ(report.worst.trajectory.rank, 5u);
  EXPECT_EQ(report.worst.trajectory.singled_out, (std::vector<AgentId>{1, 2, 3, 4}));
  EXPECT_FALSE(report.worst.errors.agents[0]);
  for (AgentId i = 1; i < 5; ++i) {
    ASSERT_TRUE(report.worst.errors.agents[i]);
    EXPECT_LT(*report.worst.errors.agents[i], 2e-4);
  }
  EXPECT_TRUE(mentions(words(strip(), s),
                       {"Agent 0 alone can estimate the values of agents 1, 2, 3 and 4", "`blinding=40`"}));
}

TEST(Audit, CompleteGraphAndBlindedRingGiveTheSumOnly) {
  AuditSettings s = settings();
  s.size = 3;
  EXPECT_TRUE(
      mentions(words(complete_graph(6), s), {"No coalition of up to 3 agents learns more than the sum"}));
  EXPECT_EQ(audit(complete_graph(6), s).examined, 41u);
  s.size = 1;
  s.hardening.blinding = 40;
  const AuditReport ring = audit(ring_lattice(12, 4), s);
  EXPECT_EQ(ring.leaking, 0u);
  EXPECT_TRUE(ring.privacy.trajectory_safe);
  EXPECT_TRUE(mentions(words(ring_lattice(12, 4), s), {"No single agent learns more than the sum"}));
}

// Two neighbours on a ring can split sums of one round. With blinding, the parts reveal nothing about values.
TEST(Audit, BlindingMakesBrokenSumsHarmless) {
  AuditSettings s = settings();
  s.coalition = Coalition{0, 1};
  EXPECT_GT(audit(ring_lattice(12, 4), s).worst.trajectory.singled_out.size(), 0u);
  s.hardening.blinding = 40;
  const AuditReport report = audit(ring_lattice(12, 4), s);
  EXPECT_EQ(report.worst.round_beyond, 2u);
  EXPECT_EQ(report.leaking, 0u);
  for (AgentId i = 2; i < 12; ++i)
    EXPECT_GT(report.worst.errors.agents[i].value(), 0.99 * report.worst.errors.guess);
  EXPECT_TRUE(
      mentions(words(ring_lattice(12, 4), s), {"Agents 0 and 1 together cannot learn more than the sum"}));
}

TEST(Audit, RingRevealsSumsOfMirrorPairs) {
  AuditSettings s = settings(0x1p-40, 60);
  s.coalition = Coalition{3};
  EXPECT_TRUE(
      mentions(words(ring_lattice(11, 4), s), {"agents 2 and 4 (RMS error", "not the single values"}));
}

TEST(Audit, RequirementIsAboutSumsAndValues) {
  AuditSettings s = settings();
  s.required = 2;
  EXPECT_FALSE(audit(ring_lattice(9, 4), s).requirement_met);  // messages allow sums to be split
  s.hardening.masks = MaskSource::seeded;
  EXPECT_FALSE(audit(ring_lattice(9, 4), s).requirement_met);  // states reveal values over all rounds
  s.hardening.blinding = 40;
  const AuditReport seeded = audit(ring_lattice(9, 4), s);
  EXPECT_TRUE(seeded.requirement_met);
  EXPECT_EQ(seeded.privacy.collusion, 3u);  // min |N_i| - 1
  EXPECT_EQ(seeded.witness->parts, (std::vector<MaskPart>{{seeded.witness->parts[0][0]}}));
}

// Findings 8: h = 5, but two agents suffice. The findings name them and their victim.
TEST(Audit, RequirementNamesWhoLearnsWhat) {
  auto edges = complete_graph(8).edge_list();
  std::erase(edges, Edge{0, 1});
  const Graph graph(8, edges);
  AuditSettings s = settings();
  s.required = 5;
  const AuditReport report = audit(graph, s);
  EXPECT_EQ(report.privacy.collusion, 5u);
  EXPECT_FALSE(report.requirement_met);
  EXPECT_TRUE(mentions(shortfall(report.privacy, 5),
                       {"agents 0 and 2 together", "the value of agent 1 from the messages"}));
  EXPECT_TRUE(mentions(
      words(graph, s),
      {"Not met: agents 0 and 2 together can compute the value of agent 1",
       "No single agent can compute the value of another agent from the messages", "`protocol=exact`"}));
  EXPECT_EQ(shortfall(consensus_privacy(complete_graph(8)), 6), "");
}

TEST(Audit, ReportsWhenOnlySomeCoalitionsWereExamined) {
  AuditSettings s = settings(1e-3, 3);
  s.size = 4;
  s.most_coalitions = 30;
  const AuditReport report = audit(complete_graph(10), s);
  EXPECT_EQ(report.examined, 30u);
  EXPECT_EQ(report.coalitions, 10 + 45 + 120 + 210);
  EXPECT_TRUE(mentions(words(complete_graph(10), s),
                       {"the first 30 of 385 coalitions", "None of the coalitions examined"}));
}

TEST(Audit, RefusesWhatMakesNoSense) {
  AuditSettings s = settings();
  EXPECT_TRUE(mentions(error_of([&] { audit(Graph(4, {{0, 1}, {2, 3}}), s); }), {"not connected"}));
  EXPECT_TRUE(mentions(error_of([&] { audit(Graph(1, {}), s); }), {"at least 2"}));
  s.size = 5;
  EXPECT_TRUE(mentions(error_of([&] { audit(strip(), s); }), {"`size`"}));
  s.size = 1;
  s.iterations = 0;
  EXPECT_TRUE(mentions(error_of([&] { audit(strip(), s); }), {"`iterations`"}));
}

// Follows the advice on graphs that satisfy asm:graph and on graphs that do not.
TEST(Advice, EdgesRaiseTheBound) {
  std::mt19937_64 random(12);
  std::size_t raised = 0;
  for (int turn = 0; turn < 150; ++turn) {
    const Graph graph = testing::random_triangle_graph(5 + random() % 8, random() % 6, random);
    const std::size_t wanted = collusion_bound(graph) + 1;
    const auto found = edges_that_raise(graph, wanted);
    if (!found) continue;
    auto edges = graph.edge_list();
    edges.insert(edges.end(), found->begin(), found->end());
    ASSERT_EQ(Graph(graph.agents(), edges).edges(), graph.edges() + found->size())
        << "the advice contains an existing edge";
    ASSERT_GE(collusion_bound(Graph(graph.agents(), edges)), wanted) << "case " << turn;
    ++raised;
  }
  EXPECT_GT(raised, 120u);
  EXPECT_TRUE(edges_that_raise(path(4), 1));
  EXPECT_EQ(edges_that_raise(complete_graph(5), 3), std::vector<Edge>{});
  EXPECT_FALSE(edges_that_raise(complete_graph(5), 4));
}

TEST(Privacy, OfWellKnownGraphs) {
  const Privacy ring = consensus_privacy(ring_lattice(20, 4));
  EXPECT_EQ(ring.collusion, 1u);
  EXPECT_FALSE(ring.trajectory_safe);
  const Privacy complete = consensus_privacy(complete_graph(6));
  EXPECT_EQ(complete.collusion, 4u);
  EXPECT_FALSE(complete.trajectory_safe);  // rounding leaves traces
  EXPECT_TRUE(consensus_privacy(complete_graph(6), {{.blinding = 40}}).trajectory_safe);
  EXPECT_FALSE(consensus_privacy(complete_graph(6), {{.blinding = 10}}).trajectory_safe);  // odds of 1/57
  const Privacy tie = consensus_privacy(bow_tie());
  EXPECT_EQ(tie.collusion_paper, 1u);
  EXPECT_EQ(tie.collusion, 0u);
}

// Compares trajectory safety by the short rule with the full examination of all single agents.
TEST(Privacy, ShortRuleAgreesWithTheExamination) {
  std::mt19937_64 random(13);
  std::size_t safe = 0;
  for (int turn = 0; turn < 200; ++turn) {
    const Graph graph = turn % 10 == 0
                            ? complete_graph(3 + random() % 4)
                            : testing::random_triangle_graph(4 + random() % 5, random() % 10, random);
    for (unsigned bits : {0u, 40u}) {
      const Hardening hardening{MaskSource::shares, Acceleration::none, bits};
      const bool promised = consensus_privacy(graph, {hardening}).trajectory_safe;
      std::size_t leaking = 0;
      for (AgentId i = 0; i < graph.agents(); ++i)
        leaking +=
            trajectory_findings(observe(MetropolisWeights(graph), MaskSource::shares, {i}), bits > 0, 30)
                .beyond > 0;
      EXPECT_EQ(promised, leaking == 0 && bits > 0) << "case " << turn;
      safe += promised;
    }
  }
  EXPECT_GT(safe, 20u);
}

}  // namespace
}  // namespace tacit
