#include "tacit/lab/rivals/shares/shares.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "tacit/base/base_testing.hpp"
#include "tacit/base/error.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/paper/evaluation/experiment.hpp"
#include "tacit/lab/rivals/shares/party.hpp"
#include "tacit/lab/rivals/shares/shares_testing.hpp"
#include "tacit/lab/rivals/time_limit.hpp"

namespace tacit {
namespace {

using shares::Shape;
using shares::Words;

Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  std::mt19937_64 draw(seed);
  Matrix m(rows, columns);
  for (Index i = 0; i < m.size(); ++i) m(i) = static_cast<double>(draw() >> 11) * 0x1p-53 * 2 - 1;
  return m;
}

// Made-up rows: parties with these numbers of rows, 3 inputs, and test points.
Parties some_parties(const std::vector<Index>& rows, Index outputs, Index points) {
  Parties parties;
  parties.columns.inputs = {"a", "b", "c"};
  const auto truth = [&](const Matrix& x) {
    Matrix y(x.rows(), outputs);
    for (Index k = 0; k < outputs; ++k) y.col(k) = 40 * (x.col(0) * 2 + x.col(1 + k % 2)).array().sin();
    return y;
  };
  std::uint64_t seed = 10;
  for (const Index n : rows) {
    const Matrix x = random_matrix(n, 3, seed++);
    parties.agents.push_back({x, truth(x) + random_matrix(n, outputs, seed++)});
  }
  const Matrix x = random_matrix(points, 3, 9);
  parties.test = {{x, truth(x)}};
  for (Index k = 0; k < outputs; ++k) parties.columns.targets.push_back("y" + std::to_string(k));
  parties.target_range.agreed = 45;
  return parties;
}

double rmse(const Matrix& a, const Matrix& b) {
  return std::sqrt((a - b).squaredNorm() / static_cast<double>(a.rows()));
}

Shape shape_for(const std::vector<Index>& rows, double signal) {
  return shares::shape_of(some_parties(rows, 1, 1), {Hyperparameters{1, signal, 1}}, {0});
}

// X and 1/d of all jobs, opened.
struct OpenInverse {
  std::vector<Words> below, pivots;
};
Task<OpenInverse> invert_and_open(shares::Server& server, const Shape& shape,
                                  const std::vector<Words>& secret) {
  std::vector<Words> below;
  for (const Words& one : secret) below.push_back(share_of_secret(server, one));
  const shares::Inverses inverses = co_await invert(server, shape, below);
  OpenInverse mine;
  for (const shares::Inverse& one : inverses.factors) {
    Words share = one.mask;
    if (server.first()) shares::add_to(share, one.open);
    mine.below.push_back(share);
  }
  for (const shares::Masked& one : inverses.pivots) mine.pivots.push_back(server.share_of(one));
  co_return mine;
}

struct Inverted {
  std::vector<Matrix> exact, found;
  SimulationCost cost;
};

// Kernel matrices of random points, inverted by Eigen and by two servers.
Inverted invert_some(const std::vector<Index>& rows, double signal) {
  const Shape shape = shape_for(rows, signal);
  Inverted result;
  std::vector<Words> secret;
  for (std::size_t k = 0; k < shape.jobs.size(); ++k) {
    const auto n = static_cast<Index>(shape.jobs[k].rows);
    const Matrix x = random_matrix(n, 3, 100 + k);
    Matrix a = shape.jobs[k].omega * covariance(x, x, se(1.0, 1.0));
    a.diagonal().setOnes();
    Words below;
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < i; ++j) below.push_back(shares::encode(a(i, j)));
    secret.push_back(below);
    result.exact.push_back(a.inverse());
  }
  const auto run = shares::on_two_servers<OpenInverse>(
      [&](shares::Dealer& dealer) { deal_inverses(dealer, shape); },
      [&](shares::Server& server) { return invert_and_open(server, shape, secret); });
  result.cost = run.cost;
  for (std::size_t k = 0; k < shape.jobs.size(); ++k) {
    const auto n = static_cast<Index>(shape.jobs[k].rows);
    const Words below = shares::sum_of({run.results[0].below[k], run.results[1].below[k]});
    Matrix x = Matrix::Identity(n, n);
    Vector pivots(n);
    for (Index i = 0; i < n; ++i) {
      const auto column = static_cast<std::size_t>(i);
      pivots(i) = shares::decode(run.results[0].pivots[column][k] + run.results[1].pivots[column][k]);
      for (Index j = 0; j < i; ++j) x(i, j) = shares::decode(below[static_cast<std::size_t>(i * n + j)]);
    }
    result.found.push_back(x.transpose() * pivots.asDiagonal() * x);
  }
  return result;
}

TEST(SharedInverse, AgreesWithEigenForABatchOfDifferentSizes) {
  for (const double signal : {1.0, 3.0, 10.0}) {
    const Inverted inverted = invert_some({12, 20, 7, 1}, signal);
    const double condition = 1 + signal * signal;
    for (std::size_t k = 0; k < inverted.exact.size(); ++k)
      EXPECT_LT((inverted.exact[k] - inverted.found[k]).cwiseAbs().maxCoeff(),
                20 * condition * condition * 0x1p-26)
          << signal << " " << k;
  }
}

// By hand for N = 5. Each pivot takes 8 steps of two numbers. From column j to the next, 4 − j numbers are
// opened, divided and opened, and 4 − j computed for the next column; j + 1 numbers of a row of X are
// computed and opened. These are 5·16 + 4·(4+3+2+1) + 2·(1+2+3+4) = 140 numbers of 8 bytes in each direction,
// in 5·16 + 4·6 = 104 rounds.
TEST(SharedInverse, Takes104RoundsAnd2240BytesForFiveRows) {
  const SimulationCost cost = invert_some({5}, 3).cost;
  EXPECT_EQ(cost.rounds, 104U);
  EXPECT_EQ(cost.messages, 208U);
  EXPECT_EQ(cost.bytes, 2U * 140 * 8);
  EXPECT_DOUBLE_EQ(cost.network_seconds, 104);  // this network has a latency of one second
}

TEST(SharedInverse, TakesThePublished22NMinus6RoundsForABatch) {
  for (const Index rows : {1, 2, 3, 10, 17}) {
    const SimulationCost cost = invert_some({rows, 1, rows}, 3).cost;
    EXPECT_EQ(cost.rounds, static_cast<std::uint64_t>(22 * rows - 6));
    EXPECT_EQ(cost.messages, 2 * cost.rounds);
  }
}

TEST(SharedInverse, TakesMoreStepsWhereNoiseIsSmall) {
  EXPECT_EQ(invert_some({5}, 25).cost.rounds, (2U * 9 + 6) * 5 - 6);
  EXPECT_EQ(run_shares(some_parties({5, 3}, 1, 1), {{1, 25, 1}}).rounds_of_inversions,
            (2U * 9 + 6) * (5 + 3) - 2 * 6);
}

TEST(Shares, PredictAsPlainDistributedGprDoes) {
  // Length-scales for which distances need squarings. Outputs are in one group, or each in its own.
  const Parties parties = some_parties({9, 12, 9}, 2, 7);
  const OutputHyperparameters shared{{0.8, 12, 4}, {1.5, 9, 2}};
  const PlainResult plain = plain_gpr(parties, shared, {});
  for (const std::size_t most : {std::size_t{1} << 30, std::size_t{1}}) {
    SharesOptions options;
    options.most_preparation = most;
    const SharesRun run = run_shares(parties, shared, options);
    ASSERT_FALSE(run.stopped_after);
    EXPECT_LT(rmse(run.prediction.mean, plain.fused.mean), 1e-4);
    EXPECT_LT(rmse(run.prediction.latent_variance, plain.fused.latent_variance), 1e-4);
    const std::uint64_t groups = most == 1 ? 2 : 1;
    EXPECT_EQ(run.inversion.rounds, groups * (22 * 12 - 6));
    EXPECT_EQ(run.inversions, 6U);
    EXPECT_EQ(run.rounds_of_inversions, 2U * (22 * 12 - 6 + 2 * (22 * 9 - 6)));
  }
}

// V_i includes σ_ε², so the weights differ. Both outputs differ from the latent ones by far more than
// rounding.
TEST(Shares, PredictWithTheNoiseInTheVariance) {
  const Parties parties = some_parties({9, 12, 9}, 2, 7);
  const OutputHyperparameters shared{{0.8, 12, 4}, {1.5, 9, 2}};
  ReproduceSettings observed;
  observed.noise_in_variance = true;
  const Prediction plain = plain_gpr(parties, shared, observed).fused,
                   latent = plain_gpr(parties, shared, {}).fused;
  SharesOptions options;
  options.noise_in_variance = true;
  const SharesRun run = run_shares(parties, shared, options);
  EXPECT_LT(rmse(run.prediction.mean, plain.mean), 1e-4);
  EXPECT_LT(rmse(run.prediction.latent_variance, plain.latent_variance), 1e-4);
  EXPECT_GT(rmse(latent.mean, plain.mean), 0.1);
  EXPECT_GT(rmse(latent.latent_variance, plain.latent_variance), 0.1);
  // Far from all rows, V_i is that of the prior, the largest that fixed point must hold.
  Parties far = parties;
  far.test.inputs.array() += 20;
  EXPECT_LT(rmse(run_shares(far, shared, options).prediction.latent_variance,
                 plain_gpr(far, shared, observed).fused.latent_variance),
            1e-4);
}

// No two of the three parties fit into one chunk, so the kernel and the posteriors take three chunks.
TEST(Shares, GoThroughLongKernelsInChunks) {
  const Parties parties = some_parties({14, 16, 15}, 1, 10000);
  const OutputHyperparameters shared{{3, 6, 2}};
  const Shape shape = shares::shape_of(parties, shared, {0});
  const auto chunks = shares::chunks_of(shape);
  ASSERT_EQ(chunks.size(), 3U);
  EXPECT_EQ(chunks[2].first, 2U);
  EXPECT_EQ(chunks[2].jobs[0].rows, 14U);
  const SharesRun run = run_shares(parties, shared);
  const Prediction plain = plain_gpr(parties, shared, {}).fused;
  EXPECT_LT(rmse(run.prediction.mean, plain.mean), 1e-4);
  EXPECT_LT(rmse(run.prediction.latent_variance, plain.latent_variance), 1e-4);
  EXPECT_EQ(run.kernel.rounds, 3U * (3 + shape.squarings));
  EXPECT_EQ(run.prediction_phase.rounds,
            3U * 5 + 4 + 2 * (shape.variance.factors.size() + shape.fused.factors.size()));
}

// 20 parties with 200 rows, 7 outputs and 200 points, and as many squarings as for SARCOS.
TEST(Shares, TakeAllOutputsOfSarcosAsOneBatch) {
  const Parties parties = some_parties(std::vector<Index>(20, 200), 7, 200);
  const Shape shape =
      shares::shape_of(parties, OutputHyperparameters(7, {0.174, 10, 1}), {0, 1, 2, 3, 4, 5, 6});
  EXPECT_EQ(shape.squarings, 8U);
  double bytes = 0;
  for (const shares::Job& job : shape.jobs) bytes += shares::preparation_bytes(shape, job);
  EXPECT_NEAR(bytes, 3.24e9, 0.05e9);  // as for SARCOS
  EXPECT_LT(bytes, static_cast<double>(SharesOptions{}.most_preparation));
}

// Points ±e_k: a box of diagonal √12, but no two points are more than 2 apart.
TEST(Shares, BoundDistancesByTheRadius) {
  Parties parties = some_parties({6}, 1, 1);
  parties.agents[0].inputs << Matrix::Identity(3, 3), -Matrix::Identity(3, 3);
  parties.test.inputs.setZero();
  EXPECT_EQ(shares::shape_of(parties, {{1, 3, 1}}, {0}).squarings,
            2U);  // 2²/2 is below 0.99 · 2², but not 0.99 · 2
  const OutputHyperparameters shared{{1, 3, 1}};
  EXPECT_LT(rmse(run_shares(parties, shared).prediction.mean, plain_gpr(parties, shared, {}).fused.mean),
            1e-4);
}

// By hand: a party with 5 rows of 3 inputs, 2 points and one output, and no squaring. It sends
// 2·(3 + 1) + 5·(3 + 1 + 1) numbers to each server and receives 2·2 from each. The kernel opens 7·3 inputs,
// and 5·4/2 + 5·2 numbers twice. The prediction opens 5·2 + 5 numbers and truncates as many, truncates 5·2,
// opens 5·2 + 5·2 + 5 and truncates 2·2. Each of the other rounds takes 2 numbers: 4 rounds for weights,
// their sums and the mean, and two for each step of 1/V and of 1/Σ. V is between 1/(1/0.9 + 5·10) and 0.9.
// Newton's largest error is then 0.957, 0.85, 0.56, 0.20, 0.024, 6e-4, 3e-7 after 0, 1, ... 6 steps, and
// below 2^-27 after the seventh.
TEST(Shares, CountRoundsAndBytesAsByHandForFiveRows) {
  const Parties parties = some_parties({5}, 1, 2);
  const SharesRun run = run_shares(parties, {{10, 3, 1}});
  EXPECT_EQ(run.sharing.bytes, 2U * 33 * 8);
  EXPECT_EQ(run.sharing.messages, 2U);
  EXPECT_EQ(run.kernel.rounds, 3U);
  EXPECT_EQ(run.kernel.bytes, 2U * (21 + 20 + 20) * 8);
  EXPECT_EQ(run.inversion.rounds, 104U);
  EXPECT_EQ(run.inversion.bytes, 2240U);
  const std::uint64_t steps = 7;  // of each reciprocal
  EXPECT_EQ(run.prediction_phase.rounds, 9 + 2 * (steps + steps));
  EXPECT_EQ(run.prediction_phase.bytes, 2U * (15 + 15 + 10 + 25 + 4 + 2 * (4 + 4 * steps)) * 8);
  EXPECT_EQ(run.opening.bytes, 2U * 4 * 8);
  EXPECT_EQ(run.opening.messages, 2U);
  const SharesPhase all = run.online();
  EXPECT_NEAR(all.network_seconds, 0.2e-3 * static_cast<double>(all.rounds), 1e-12);
  EXPECT_GT(run.preparation.bytes, 0U);
}

TEST(Shares, PredictDiabetesToTheTenThousandth) {
  const Parties parties = deal(diabetes(), 10, 1);
  const OutputHyperparameters shared{{9.05, 11.9, 6}};
  const SharesRun run = run_shares(parties, shared);
  const PlainResult plain = plain_gpr(parties, shared, {});
  ASSERT_FALSE(run.stopped_after);
  EXPECT_LT(rmse(run.prediction.mean, plain.fused.mean), 1e-4);
  EXPECT_LT(rmse(run.prediction.latent_variance, plain.fused.latent_variance), 1e-6);
  EXPECT_EQ(run.inversion.rounds, 22U * 36 - 6);
}

TEST(Shares, AreTheSameForASeedOnAnyNumberOfThreads) {
  const Parties parties = some_parties({6, 5}, 1, 3);
  SharesOptions one, two;
  one.threads = 1;
  two.threads = 2;
  const Prediction a = run_shares(parties, {{1, 3, 1}}, one).prediction,
                   b = run_shares(parties, {{1, 3, 1}}, two).prediction;
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.latent_variance, b.latent_variance);
}

TEST(Shares, StopWhereTheLimitWouldBeExceeded) {
  const Parties parties = some_parties({10}, 1, 2);
  SharesOptions slow;
  slow.latency = 1;  // the inversion takes 214 seconds of the virtual clock
  slow.limit_seconds = 100;
  const SharesRun run = run_shares(parties, {{1, 3, 1}}, slow);
  ASSERT_TRUE(run.stopped_after);
  EXPECT_LT(*run.stopped_after, 100);  // known after the first column
  EXPECT_EQ(run.stopped_in, "inversion");
  EXPECT_EQ(run.prediction.mean.size(), 0);

  slow.limit_seconds = 1000;
  EXPECT_FALSE(run_shares(parties, {{1, 3, 1}}, slow).stopped_after);
  slow.limit_seconds = 0;
  EXPECT_EQ(run_shares(parties, {{1, 3, 1}}, slow).stopped_in, "preparation");
}

// A long phase before the watched one must not be counted in the prediction for the watched one.
TEST(Shares, AreNotStoppedForWhatCameBefore) {
  const RivalWatch watch(0.5, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_THROW(watch.check(0.06, 0, 0), TimeUp);
  const RivalWatch next = watch.next();
  EXPECT_GE(next.spent(), 0.05);
  EXPECT_NO_THROW(next.check(0.06, 0, 0));
  EXPECT_THROW(next.check(1, 0.5, 0), TimeUp);
}

TEST(Shares, RefuseWhatFixedPointCannotHold) {
  const Parties parties = some_parties({5}, 1, 2);
  EXPECT_THROW(run_shares(parties, {{1, 40, 1}}), InputError);    // pivots down to 1/1600
  EXPECT_THROW(run_shares(parties, {{1e-3, 1, 1}}), InputError);  // distances of thousands of length-scales
  EXPECT_THROW(run_shares(parties, {}), InputError);
  const std::string why = testing::error_of([&] { run_shares(parties, {{1, 40, 1}}); });
  EXPECT_NE(why.find("the signal is 40 times the noise"), std::string::npos) << why;
  EXPECT_NE(why.find("with 5 rows allow 32 times"), std::string::npos) << why;
}

Task<bool> receive_and_drop(Channel& net, const Shape& shape) {
  shares::Server server(net, net.self(), shares::Preparation(0, Prg::from_seed(1, "none", 0)));
  co_await receive_rows(server, shape);
  co_return true;
}

// The shares that parties send to either server are uniform. The control is their sum.
TEST(Shares, OfRowsLookUniformToEitherServer) {
  const Parties parties = some_parties({300, 300}, 1, 300);
  const OutputHyperparameters shared{{1, 3, 1}};
  const Shape shape = shares::shape_of(parties, shared, {0});
  const shares::Question question{parties, shared, shape, shares::input_centre(parties)};
  Simulator simulator(complete_graph(4),
                      {.threads = 1, .seed = 3, .network = {}, .coalition = {0, 1}, .progress = nullptr});
  simulator.run<bool>([&](Channel& net) {
    return net.self() < shares::first_party ? receive_and_drop(net, shape) : send_rows(net, question);
  });
  std::array<Words, 2> got;
  for (const Received& message : simulator.view()) {
    const Words words = shares::words_of_bytes(message.bytes);
    got[message.to].insert(got[message.to].end(), words.begin(), words.end());
  }
  ASSERT_EQ(got[0].size(), 300U * 4 + 600 * 5);
  for (const unsigned shift : {0U, 30U, 60U}) {
    EXPECT_LT(shares::chi_squared(got[0], shift), 60);
    EXPECT_LT(shares::chi_squared(got[1], shift), 60);
  }
  EXPECT_GT(shares::chi_squared(shares::sum_of({got[0], got[1]}), 60), 60);
}

Task<bool> answer_with(Channel& net, const Shape& shape, double mean, double variance) {
  shares::Server server(net, net.self(), shares::Preparation(0, Prg::from_seed(1, "none", 0)));
  const shares::Word half = 2;  // both servers answer
  const shares::FusedShares fused{Words(1, shares::encode(mean) / half),
                                  Words(1, shares::encode(variance, 34) / half)};
  co_return co_await send_answer(server, shape, fused);
}

Task<bool> read_and_drop(Channel& net, const shares::Question& question) {
  co_await receive_answer(net, question);
  co_return true;
}

TEST(Shares, RefuseAnAnswerOutsideOfItsPublicBounds) {
  const Parties parties = some_parties({5}, 1, 1);
  const OutputHyperparameters shared{{1, 3, 1}};
  const Shape shape = shares::shape_of(parties, shared, {0});
  const shares::Question question{parties, shared, shape, shares::input_centre(parties)};
  const auto ask = [&](double mean, double variance) {
    Simulator simulator(complete_graph(3));
    simulator.run<bool>([&](Channel& net) {
      return net.self() < shares::first_party ? answer_with(net, shape, mean, variance)
                                              : read_and_drop(net, question);
    });
  };
  EXPECT_NO_THROW(ask(0.5, 0.1));
  EXPECT_THROW(ask(1000, 0.1), Error);
  EXPECT_THROW(ask(0.5, 1.5), Error);
  EXPECT_THROW(ask(0.5, 0), Error);
}

}  // namespace
}  // namespace tacit
