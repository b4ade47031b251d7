#include "tacit/protocol/bounded/bounded_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tacit/base/base_testing.hpp"
#include "tacit/base/error.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/secrecy/privacy_loss.hpp"

namespace tacit {
namespace {

using testing::error_of;

BoundedRequest request_for(std::size_t agents, std::size_t dimension, double square, double rho) {
  BoundedRequest request;
  request.agents = agents;
  request.dimension = dimension;
  request.most_terms = 100;
  request.square = square;
  request.rho = rho;
  return request;
}

std::vector<Values> summed(const BoundedPlan& plan, const Graph& graph, std::uint64_t seed,
                           const std::vector<std::vector<Values>>& terms) {
  SimulatorOptions options;
  options.threads = 1;
  options.seed = seed;
  return Simulator(graph, options).run<Values>([&](tacit::Run& net) {
    BoundedTerms mine(plan);
    for (const Values& term : terms[net.self()]) mine.add(term);
    return bounded_sum(net, plan, std::move(mine));
  });
}

TEST(BoundedSum, IsTheSumOfAllTermsPlusTheStatedNoise) {
  const std::size_t agents = 5, dimension = 400;
  const BoundedPlan plan = make_bounded_plan(request_for(agents, dimension, 1, 0.5));
  std::vector<std::vector<Values>> terms(agents);
  Values exact(dimension);
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal(0, 0.9 / std::sqrt(dimension));
  for (auto& own : terms)
    for (int row = 0; row < 10; ++row) {
      own.emplace_back(dimension);
      for (std::size_t k = 0; k < dimension; ++k) exact[k] += own.back()[k] = normal(random);
    }
  const std::vector<Values> totals = summed(plan, complete_graph(agents), 1, terms);
  double square = 0;
  for (std::size_t k = 0; k < dimension; ++k) square += std::pow((totals[0][k] - exact[k]) / plan.noise(), 2);
  EXPECT_NEAR(square / dimension, 1, 6 * std::sqrt(2. / dimension));
  for (const Values& total : totals) EXPECT_EQ(total, totals[0]);
  // Noise of the four agents that do not collude is enough: 2ρ·4τ² ≥ Δ², with Δ = 2.
  const double own = plan.noise() * plan.noise() / agents;
  EXPECT_GE(2 * 0.5 * 4 * own, 4 * (1 - 1e-3));
  EXPECT_LE(2 * 0.5 * 4 * own, 4 * (1 + 1e-3));
}

TEST(BoundedSum, EverySumHasFreshNoise) {
  const BoundedPlan plan = make_bounded_plan(request_for(3, 10, 1, 1));
  SimulatorOptions options;
  options.threads = 1;
  const auto twice =
      Simulator(complete_graph(3), options).run<std::pair<Values, Values>>([&](tacit::Run& its_net) {
        return [](tacit::Run& net, const BoundedPlan& same) -> Task<std::pair<Values, Values>> {
          Values first = co_await bounded_sum(net, same, BoundedTerms(same));
          Values second = co_await bounded_sum(net, same, BoundedTerms(same));
          co_return std::pair(first, second);
        }(its_net, plan);
      });
  for (std::size_t k = 0; k < 10; ++k) EXPECT_NE(twice[0].first[k], twice[0].second[k]);
}

TEST(BoundedSum, OwnPartsAddUpToTheTotal) {
  const BoundedPlan plan = make_bounded_plan(request_for(4, 3, 1, 2));
  SimulatorOptions options;
  options.threads = 1;
  const auto parts = Simulator(complete_graph(4), options).run<BoundedTotal>([&](tacit::Run& net) {
    BoundedTerms mine(plan);
    mine.add(Values{0.1 * net.self(), 0.5, -0.25});
    return bounded_sum_and_own(net, plan, std::move(mine));
  });
  Values sum(3);
  for (const BoundedTotal& part : parts)
    for (std::size_t k = 0; k < 3; ++k) sum[k] += part.own[k];
  for (const BoundedTotal& part : parts) EXPECT_EQ(part.total, sum);
  EXPECT_NE(parts[0].own[1], 0.5);
}

TEST(BoundedSum, WorksAsATreeSum) {
  BoundedRequest request = request_for(6, 3, 1, 4);
  request.tree = true;
  const BoundedPlan plan = make_bounded_plan(request);
  const std::vector<std::vector<Values>> terms(6, {{0.5, -0.25, 0}});
  const std::vector<Values> totals = summed(plan, ring_lattice(6, 2), 2, terms);
  EXPECT_NEAR(totals[0][0], 3, 6 * plan.noise());
  for (const Values& total : totals) EXPECT_EQ(total, totals[0]);
}

TEST(BoundedTerms, CountAsZeroIfTheyCannotBeUsed) {
  const BoundedPlan plan = make_bounded_plan(request_for(4, 3, 2.0, 1));
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   infinite = std::numeric_limits<double>::infinity();
  for (const Values& bad : {Values{nan, 0, 0}, Values{0, infinite, 0}, Values{0, 0, 1e300}, Values{1, 1, 0.1},
                            Values{-1.5, 0, 0}}) {
    BoundedTerms terms(plan);
    terms.add(bad);
    for (const std::int64_t number : terms.sum()) EXPECT_EQ(number, 0);
  }
  BoundedTerms terms(plan);
  terms.add(Values{1, 1, 0});  // exactly on the bound
  EXPECT_EQ(static_cast<double>(terms.sum()[0]) * plan.grid, 1);
}

TEST(BoundedTerms, CountAsZeroBeyondTheAgreedNumber) {
  const BoundedPlan plan = make_bounded_plan(request_for(4, 1, 1.0, 1));
  BoundedTerms terms(plan);
  for (int k = 0; k < 103; ++k) terms.add(Values{plan.grid});
  EXPECT_EQ(terms.sum()[0], 100);
}

TEST(BoundedTerms, AreTruncatedTowardsZeroRowByRow) {
  const BoundedPlan plan = make_bounded_plan(request_for(4, 1, 1.0, 1));
  BoundedTerms terms(plan);
  for (int k = 0; k < 3; ++k) terms.add(Values{0.9 * plan.grid});
  for (int k = 0; k < 3; ++k) terms.add(Values{-1.9 * plan.grid});
  EXPECT_EQ(terms.sum()[0], -3);
}

// Two histories that differ in one key: the squared change in units is at most that of the plan.
TEST(BoundedTerms, OneKeyChangesASumByNoMoreThanThePlanStates) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  for (std::size_t trial = 0; trial < testing::repeats(2000, 20'000); ++trial) {
    const std::size_t dimension = 1 + random() % 6;
    BoundedRequest request = request_for(4, dimension, std::exp2(normal(random)), 1);
    const BoundedPlan plan = make_bounded_plan(request);
    const auto term = [&] {
      Values values(dimension);
      double square = 0;
      for (double& value : values) square += std::pow(value = normal(random), 2);
      const double length = std::sqrt(request.square / square) * (random() % 2 ? 1 : 1.0001);
      for (double& value : values) value *= length;
      return values;
    };
    BoundedTerms with(plan), instead(plan);
    const Values common = term();
    with.add(common);
    instead.add(common);
    with.add(term());
    if (random() % 4) instead.add(term());
    double square = 0;
    for (std::size_t k = 0; k < dimension; ++k)
      square += std::pow(static_cast<double>(with.sum()[k] - instead.sum()[k]), 2);
    EXPECT_LE(square, plan.change * plan.change);
  }
}

TEST(BoundedPlan, CostsNoMoreThanRequested) {
  for (const double rho : {1e-3, 0.05, 0.3, 4.0, 10.0})
    for (const std::size_t agents : {3u, 10u, 50u, 1000u})
      for (const std::size_t dimension : {1u, 600u}) {
        BoundedRequest request = request_for(agents, dimension, 1, rho);
        request.colluding = std::max<std::size_t>(1, agents / 3);
        const BoundedPlan plan = make_bounded_plan(request);
        EXPECT_LE(plan.rho, rho);
        EXPECT_GE(plan.rho, 0.999 * rho - 1e-9) << rho << " " << agents << " " << dimension;
        EXPECT_GE(plan.variance, 16u);
        EXPECT_EQ(plan.rho, rho_of_sum({agents - request.colluding, static_cast<double>(plan.variance)},
                                       plan.change, dimension));
      }
}

TEST(BoundedPlan, CountsOneUnitOfTruncationForEachNumberOfBothTerms) {
  BoundedRequest request = request_for(4, 100, 16, 1);
  request.change_square = 32;
  const BoundedPlan plan = make_bounded_plan(request);
  EXPECT_DOUBLE_EQ(plan.change, std::sqrt(32) / plan.grid + 20);
}

TEST(BoundedPlan, RefusesWhatItCannotProtect) {
  EXPECT_NE(error_of([] { make_bounded_plan(request_for(2, 1, 1, 1)); }).find("at least 3 agents"),
            std::string::npos);
  EXPECT_THROW(make_bounded_plan(request_for(4, 1, 1, 0)), InputError);
  EXPECT_THROW(make_bounded_plan(request_for(4, 1, 0, 1)), InputError);
  BoundedRequest request = request_for(4, 1, 1, 1);
  request.colluding = 3;
  EXPECT_NE(error_of([&] { make_bounded_plan(request); }).find("1 to 2"), std::string::npos);
  request.colluding = 0;
  EXPECT_THROW(make_bounded_plan(request), InputError);
  request = request_for(4, 1, 1, 1);
  request.change_square = 0.5;
  EXPECT_THROW(make_bounded_plan(request), InputError);
  EXPECT_NE(error_of([] { make_bounded_plan(request_for(4, 1, 1, 1e-13)); }).find("too small"),
            std::string::npos);
}

}  // namespace
}  // namespace tacit
