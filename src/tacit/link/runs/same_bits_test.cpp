// The same inputs and charter give the same bits in the simulator and over real links.
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "tacit/charter/terms.hpp"
#include "tacit/consortium/predict/fitted_experts.hpp"
#include "tacit/consortium/programme.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/link/node/node_testing.hpp"

namespace tacit {
namespace {

using namespace testing;

Samples made_up_rows(AgentId agent, Index rows) {
  std::mt19937_64 random(agent + 1);
  std::uniform_real_distribution<double> age(20, 80);
  Samples samples{Matrix::Zero(rows, 3), Matrix::Zero(rows, 1)};
  for (Index k = 0; k < rows; ++k) {
    samples.inputs(k, 0) = age(random);
    samples.inputs(k, 1 + static_cast<Index>(random() % 2)) = 1;
    samples.outputs(k, 0) = 150 + 60 * std::sin(samples.inputs(k, 0) / 12) + 10 * samples.inputs(k, 1) +
                            static_cast<double>(random() % 100) / 10;
  }
  return samples;
}

std::string bits(const Matrix& matrix) { return hex(std::as_bytes(std::span(matrix.data(), matrix.size()))); }

// A fit and a prediction with it, as hexadecimal digits of all bits.
Task<std::string> fit_and_predict(tacit::Run& net, const Terms& terms, AgentId originator,
                                  const Samples& mine, const Matrix& points) {
  const Asked asked{originator, 3};
  const Fit found = co_await fit_privately(net, terms, asked, mine);
  const LocalEvidence evidence = FittedExperts(terms, found.fitted, mine).evidence(points);
  const Prediction predicted = co_await predict(net, terms, asked, found.fitted, evidence);
  std::vector<double> numbers = found.fitted.priors[0].logarithms();
  numbers.push_back(found.fitted.likelihood);
  co_return hex(std::as_bytes(std::span(numbers))) + bits(predicted.mean) + bits(predicted.latent_variance);
}

struct Way {
  std::string name;
  SumProtocol sums;
  MaskSource masks;
  Acceleration acceleration;
};
class SameBits : public ::testing::TestWithParam<Way> {};

TEST_P(SameBits, StandardisedTunedAndPredictedAsInTheSimulator) {
  const BlasThreads one_each(1);  // as in simulations; BLAS may round differently with several threads
  PaperConsortium paper(4);
  paper.charter.protocol.sums = GetParam().sums;
  // Without blinding, whose noise every agent draws itself: it changes roundings.
  paper.charter.protocol.consensus = {GetParam().masks, GetParam().acceleration, 0};
  paper.charter.protocol.rows = 100;
  paper.charter.tuning.evaluations = 8;
  std::vector<Samples> data;
  for (AgentId i = 0; i < 4; ++i) data.push_back(made_up_rows(i, 15 + i));
  const Matrix points = made_up_rows(99, 20).inputs;
  constexpr AgentId originator = 2;

  const Terms terms = terms_of(paper.charter);
  Simulator simulator(terms.graph);
  const auto simulated = simulator.run<std::string>(
      [&](tacit::Run& net) { return fit_and_predict(net, terms, originator, data[net.self()], points); });

  TestNetwork network(paper.charter.graph());
  std::vector<std::promise<std::string>> results(4);
  NodeProgram program;
  program.program = [&](tacit::Run& net, const RunDescription& run) {
    return fit_and_predict(net, terms, run.originator, data[net.self()], points);
  };
  for (AgentId i = 0; i < 4; ++i) {
    program.ended = [&results, i](const RunDescription&, const RunOutcome& outcome) {
      results[i].set_value(outcome.done ? outcome.result : outcome.error);
    };
    network.start(i, program);
  }
  network.wait_for_links();
  ASSERT_TRUE(network[originator].ask({"fit", ""}, network.everybody()).get().done)
      << network.log_of(originator);
  for (AgentId i = 0; i < 4; ++i) EXPECT_EQ(results[i].get_future().get(), simulated[i]) << "agent " << i;
}

INSTANTIATE_TEST_SUITE_P(
    Protocols, SameBits,
    ::testing::Values(Way{"exact", SumProtocol::exact, MaskSource::seeded, Acceleration::none},
                      Way{"consensus", SumProtocol::consensus, MaskSource::shares, Acceleration::none},
                      Way{"consensusHardened", SumProtocol::consensus, MaskSource::seeded,
                          Acceleration::chebyshev}),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace tacit
