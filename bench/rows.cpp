// Measures how the time of one party's committee grows from a thousand rows to a million: 30 evaluations of
// the likelihood with its gradient for an se-ard kernel, then 1,000 predictions. Also measures time and
// accuracy for several sizes of experts. Rows come from Friedman's function of five inputs, with three more
// inputs without effect and noise of 1.
//   bench_rows FILE.csv [MOST_ROWS]
#include <sys/resource.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numbers>

#include "ratio.hpp"
#include "tacit/base/system/parallel.hpp"
#include "tacit/gp/committee/committee.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/gp/fit/initial_prior.hpp"
#include "tacit/gp/fit/optimise.hpp"
#include "tacit/gp/normal.hpp"

using namespace tacit;

namespace {

constexpr Index inputs = 8, points = 1000;
constexpr std::size_t evaluations = 30;

struct Rows {
  Matrix x, y;
  Vector truth;
};

Rows draw(Index rows, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Normal normal(seed + 1);
  Rows r{Matrix(rows, inputs), Matrix(rows, 1), Vector(rows)};
  for (double& v : r.x.reshaped()) v = uniform(random);
  for (Index i = 0; i < rows; ++i) {
    const auto x = r.x.row(i);
    r.truth(i) = 10 * std::sin(std::numbers::pi * x(0) * x(1)) + 20 * (x(2) - 0.5) * (x(2) - 0.5) +
                 10 * x(3) + 5 * x(4) - 14.4;
    r.y(i, 0) = r.truth(i) + normal();
  }
  return r;
}

struct Result {
  double fit = 0, predict = 0, rmse = 0, density = 0;
  std::size_t experts = 0;
};

Result run(const Rows& train, const Rows& test, const CommitteeOptions& options, Fusion rule = Fusion::rbcm) {
  const BlasThreads one(1);
  Result result;
  Prior prior;
  const Committee committee(train.x, train.y, options, default_threads());
  result.experts = committee.experts();
  result.fit = bench::seconds_of([&] {
    const Prior start = initial_prior(se(ard), data_scale_of(train.x, train.y));
    const std::vector<double> logs = start.logarithms();
    std::vector<double> low = logs, high = logs;
    for (std::size_t k = 0; k < logs.size(); ++k) low[k] -= 7, high[k] += 7;
    const double n = static_cast<double>(train.x.rows());
    // Neither tolerance ends it before the thirtieth evaluation.
    Maximiser climb(logs, low, high,
                    {.most_evaluations = evaluations, .value_tolerance = 0, .point_tolerance = 0});
    double best = -INFINITY;
    std::size_t done = 0;
    const auto evaluate = [&](const Prior& at) {
      ++done;
      return committee.likelihood(at, 0, 1);
    };
    while (const auto point = climb.next()) {
      Likelihood l = evaluate(start.at(*point));
      if (l.value > best) best = l.value, prior = start.at(*point);
      for (double& slope : l.slopes) slope /= n;
      climb.tell(l.value / n, std::move(l.slopes));
    }
    while (done < evaluations) evaluate(prior);  // so that all sizes do the same work
  });
  Prediction fused;
  result.predict = bench::seconds_of([&] {
    const auto found = committee.evidence(prior, 0, 1, test.x, std::span(&rule, 1));
    fused = fuse(rule, found.evidence[0], prior.kernel.prior_variance(test.x));
  });
  const Eigen::ArrayXd squares = (fused.mean - test.truth).array().square();
  const Eigen::ArrayXd variance = fused.latent_variance.array() + prior.noise * prior.noise;
  result.rmse = std::sqrt(squares.mean());
  result.density =
      -0.5 *
      ((test.y - fused.mean).array().square() / variance + (2 * std::numbers::pi * variance).log()).mean();
  return result;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::puts("usage: bench_rows FILE.csv [MOST_ROWS]");
    return 2;
  }
  const Index most = count > 2 ? std::atol(arguments[2]) : 1'000'000;
  std::ofstream file(arguments[1]);
  file << "experiment,rows,expert_rows,experts,fit_seconds,predict_seconds,rmse,log_density,peak_megabytes\n";
  const Rows test = draw(points, 99);
  const auto report = [&](const char* name, Index rows, const CommitteeOptions& options) {
    const Result r = run(draw(rows, 1), test, options);
    std::printf(
        "%-22s %9td rows, experts of %4zu (%5zu): %7.2f s for %zu evaluations, %6.2f s for %td points, "
        "RMSE %.3f, log density %.3f, peak %.0f MB\n",
        name, rows, options.expert_rows, r.experts, r.fit, evaluations, r.predict, points, r.rmse, r.density,
        peak_megabytes());
    std::fflush(stdout);
    file << name << ',' << rows << ',' << options.expert_rows << ',' << r.experts << ',' << r.fit << ','
         << r.predict << ',' << r.rmse << ',' << r.density << ',' << peak_megabytes() << std::endl;
    return r.fit + r.predict;
  };
  for (RowSplit split : {RowSplit::random, RowSplit::clusters})
    for (std::size_t size : {100, 200, 300, 500, 1000})
      report(split == RowSplit::random ? "size random" : "size clusters", std::min<Index>(most, 20'000),
             {.expert_rows = size, .split = split});
  std::vector<double> x, y;
  for (Index rows = 1000; rows <= most; rows *= 10) {
    x.push_back(std::log(static_cast<double>(rows)));
    y.push_back(std::log(report("rows", rows, {})));
  }
  if (x.size() > 1)
    std::printf("time grows as rows^%.2f from 10^3 rows, and as rows^%.2f over the last factor of 10\n",
                (y.back() - y.front()) / (x.back() - x.front()),
                (y.back() - y[y.size() - 2]) / (x.back() - x[x.size() - 2]));
}
