#include "tacit/lab/study/helper_side.hpp"

#include <gtest/gtest.h>

#include "tacit/base/error.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/mask_helpers/helped_plan.hpp"
#include "tacit/lab/simulator/simulator.hpp"

namespace tacit {
namespace {

Terms paper_terms(const Graph& graph) {
  Terms terms;
  terms.graph = graph;
  terms.inputs = {{"x", -10, 10, {}}};
  terms.targets = {{"y", -100, 100, {}}};
  terms.model.start = {se(1., 1.), 0.5};
  terms.model.standardise = true;
  terms.protocol.sums = SumProtocol::consensus;
  terms.limits.rows = 4;
  return terms;
}

TEST(StudyHelping, AHelperTakesPartInEverySumOfAFit) {
  const HelpedGraph graph = with_helpers(ring_lattice(5, 2), 1);
  Terms terms = paper_terms(graph.agents);
  const PaperTuning paper{.steps = {.iterations = 3, .step = 0.01}};
  terms.protocol.consensus = request_without_helpers(graph, terms.protocol.consensus);
  terms.tuning.own_signals = {paper.steps.box_low, paper.steps.box_high};
  ASSERT_NO_THROW(check(terms));
  ASSERT_NO_THROW(check(terms, paper));
  const auto sums = make_sums(terms, {});
  const FitPlans plans = plan_fit(*sums, terms, &paper);
  std::vector<Samples> rows(5);
  std::vector<std::shared_ptr<const Crew>> crews;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double shift = static_cast<double>(i);
    rows[i] = {Matrix(4, 1), Matrix(4, 1)};
    rows[i].inputs << shift, shift + 1, shift + 2.5, -shift;
    rows[i].outputs << shift, 3, -shift, 1;
    crews.push_back(crew_of(rows[i], terms.model.committee, 1));
  }
  std::vector<TuneTrace> traces(5);
  std::size_t helped = 0;
  const auto side = [&](tacit::Run& net) -> Task<double> {
    if (net.neighbourhood().helps()) {
      helped += co_await help_fit(net, plans);
      co_return 0;
    }
    const AgentId self = net.self();
    FitWatch unwatched;
    const Fit found = co_await fit_by_paper(net, *sums, terms, paper, *plans.tuning, crews[self], rows[self],
                                            traces[self], unwatched);
    co_return found.fitted.priors[0].noise;
  };
  Simulator(graph).run<double>(side);
  EXPECT_EQ(helped, 2u + 3u);  // two sums to standardise, three steps
  for (const TuneTrace& trace : traces) EXPECT_EQ(trace.size(), 1u + 3u);
}

TEST(StudyHelping, TheSumIsThatOfTheAgents) {
  const HelpedGraph graph = with_helpers(ring_lattice(6, 4), 1);
  const ConsensusSum sums(graph.agents, {});
  const SumRange range{1, 1e-6};
  const ConsensusPlan plan = std::get<ConsensusPlan>(sums.plan({1, range}));
  const auto play = [&](tacit::Run& net) -> Task<Values> {
    Values mine(1, 0.5);
    if (!net.neighbourhood().helps()) co_return co_await sums.sum(net, std::move(mine), range);
    co_await help(net, plan, 1);
    co_return Values{};
  };
  const auto totals = Simulator(graph).run<Values>(play);
  for (AgentId i = 0; i < 6; ++i) EXPECT_NEAR(totals[i][0], 3, 1e-5);
}

TEST(StudyHelping, TheTwoWaysOfTuningDoNotGoTogether) {
  Terms terms = paper_terms(complete_graph(4));
  EXPECT_NO_THROW(check(terms, PaperTuning{}));
  terms.tuning.search.emplace();
  EXPECT_THROW(check(terms, PaperTuning{}), InputError);
  terms.tuning.search.reset();
  terms.protocol.sums = SumProtocol::exact;
  EXPECT_THROW(check(terms, PaperTuning{}), InputError);
}

}  // namespace
}  // namespace tacit
