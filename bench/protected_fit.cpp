// Measures the protected fit against being alone and against exact sums of the same kernel, at home: RMSE in
// standard deviations of the training target, coverage of 95 % intervals, and the share of exact sums' gain
// that is kept. Ranges of columns are taken from the data, widened by a quarter of their width on either
// side.
//   bench_protected_fit SEEDS NAME@PARTIES[/region]...
// NAME is a file in data/ or ../shared/data/. With /region, each party has the rows of one region.
#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <numeric>
#include <random>
#include <sstream>
#include <string>

#include "ratio.hpp"
#include "tacit/base/error.hpp"
#include "tacit/consortium/protect/protected_fit.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/gp/fit/optimise.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"

using namespace tacit;

namespace {

constexpr Index most_training = 10'000, most_test = 1000;
const std::vector<double> all_rho{4, 0.22, 0.03};

Matrix read_table(const std::string& name) {
  for (const std::string folder : {"data/", "../shared/data/", "held/"}) {
    std::ifstream file(folder + name + ".csv");
    if (!file) continue;
    std::vector<std::vector<double>> rows;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
      std::istringstream fields(line);
      rows.emplace_back();
      for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(std::stod(field));
    }
    const std::size_t columns = name == "sarcos" ? 22 : rows.at(0).size();  // the first torque of SARCOS
    Matrix table(static_cast<Index>(rows.size()), static_cast<Index>(columns));
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t c = 0; c < columns; ++c)
        table(static_cast<Index>(r), static_cast<Index>(c)) = rows[r].at(c);
    return table;
  }
  throw InputError("there is no table " + name);
}

struct Data {
  Matrix train, test;  // the last column is the target
  std::size_t parties = 0;
  std::vector<std::size_t> homes;
  double spread = 1;  // of the training target
  std::vector<PublicColumn> columns;

  Samples part(std::size_t party, double share = 1) const {
    std::vector<Index> rows;
    const auto most = static_cast<Index>(share * static_cast<double>(train.rows()));
    for (Index r = static_cast<Index>(party); r < most; r += static_cast<Index>(parties)) rows.push_back(r);
    const Matrix chosen = train(rows, Eigen::all);
    return {chosen.leftCols(train.cols() - 1), chosen.rightCols(1)};
  }
  Samples questions() const { return {test.leftCols(test.cols() - 1), test.rightCols(1)}; }
};

double spread_of(const Vector& column) {
  return std::sqrt((column.array() - column.mean()).square().mean()) + 1e-9;
}

// Puts rows in an order in which dealing them to parties in turn gives each party a region along the first
// principal axis.
Matrix by_region(const Matrix& train, std::size_t parties) {
  const auto m = static_cast<Index>(parties), each = train.rows() / m;
  Matrix x = train.topRows(each * m).leftCols(train.cols() - 1);
  for (Index c = 0; c < x.cols(); ++c) {
    const double spread = spread_of(x.col(c));
    x.col(c) = (x.col(c).array() - x.col(c).mean()) / spread;
  }
  const Eigen::JacobiSVD<Matrix> svd(x.transpose() * x, Eigen::ComputeFullV);
  const Vector along = x * svd.matrixV().col(0);
  std::vector<Index> order(static_cast<std::size_t>(along.size())), dealt;
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](Index r) { return along(r); });
  for (Index k = 0; k < each; ++k)
    for (Index party = 0; party < m; ++party)
      dealt.push_back(order[static_cast<std::size_t>(party * each + k)]);
  return train(dealt, Eigen::all);
}

Data split(const std::string& name, std::uint64_t seed) {
  const std::string file = name.substr(0, name.find('@'));
  const std::string rest = name.substr(name.find('@') + 1);
  const bool region = rest.find("/region") != std::string::npos;
  Matrix table = read_table(file);
  std::vector<Index> order(static_cast<std::size_t>(table.rows()));
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(seed + 17);
  for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random() % k]);
  table = Matrix(table(order, Eigen::all));
  Data data;
  data.parties = std::stoul(rest);
  const auto k = static_cast<Index>(0.8 * static_cast<double>(table.rows()));
  data.train = table.topRows(std::min(k, most_training));
  data.test = table.middleRows(k, std::min(table.rows() - k, most_test));
  const std::size_t m = data.parties;
  if (region) {
    data.train = by_region(data.train, m);
    data.homes = {0, m / 4, m / 2, 3 * m / 4, m - 1};
  } else {
    for (std::size_t i = 0; i < std::min<std::size_t>(3, m); ++i) data.homes.push_back(i);
  }
  data.spread = spread_of(data.train.rightCols(1));
  for (Index c = 0; c < table.cols(); ++c) {
    const double low = data.train.col(c).minCoeff(), high = data.train.col(c).maxCoeff();
    const double wide = high > low ? (high - low) / 4 : 1;
    // The spread to one digit and the centre to half a spread count as public.
    const double spread = spread_of(data.train.col(c));
    const double digit = std::pow(10, std::floor(std::log10(spread)));
    const double known = std::round(spread / digit) * digit;
    data.columns.push_back(
        {low - wide, high + wide, std::round(data.train.col(c).mean() / (known / 2)) * known / 2, known});
  }
  return data;
}

OwnRows own_rows_of(const Samples& rows, std::size_t party) {
  std::vector<std::uint64_t> slots(static_cast<std::size_t>(rows.inputs.rows()));
  std::iota(slots.begin(), slots.end(), 0u);
  std::byte secret[32] = {std::byte(party)};
  return OwnRows(rows, slots, secret, 1'000'000);
}

struct Score {
  double rmse = 0, coverage = 0;
};
Score score(const HomeModel::Answer& answer, const Scales& scales, const Data& data) {
  const Vector truth = (data.test.rightCols(1).array() - scales.target().centre) / scales.target().spread;
  const Vector error = answer.mean - truth;
  return {std::sqrt(error.squaredNorm() / static_cast<double>(error.size())) * scales.target().spread /
              data.spread,
          (error.array().abs() < 1.96 * answer.variance.array().sqrt()).cast<double>().mean()};
}

class Scores {
 public:
  void add(const std::string& name, const Score& one) {
    auto& [sum, count] = all_[name];
    sum.rmse += one.rmse;
    sum.coverage += one.coverage;
    ++count;
  }
  Score mean(const std::string& name) const {
    const auto& [sum, count] = all_.at(name);
    return {sum.rmse / count, sum.coverage / count};
  }
  bool has(const std::string& name) const { return all_.contains(name); }
  double kept(const std::string& name) const {
    return 100 * (mean("alone").rmse - mean(name).rmse) / (mean("alone").rmse - mean("exact").rmse);
  }

 private:
  std::map<std::string, std::pair<Score, double>> all_;
};

// All rows in one place, without noise: for the reference.
class ExactTotals final : public ProtectedRun {
 public:
  using ProtectedRun::ProtectedRun;
  double noise_of(const Opening&) const override { return 0; }
  Task<OpenedSum> sum(const Opening& opening, const KeyTerms& mine) override {
    Values total(opening.dimension), term(opening.dimension);
    for (std::size_t key = 0; key < mine.count; ++key) {
      std::ranges::fill(term, 0.0);
      mine.write(key, term);
      for (std::size_t k = 0; k < total.size(); ++k) total[k] += term[k];
    }
    co_return OpenedSum{total, total, 0};
  }
};

template <class T>
T finished(Task<T> task) {
  task.handle().resume();
  return task.result();
}

// The exact joint search over blocks of about 150 rows, as in recipes/rows/recipe.py.
Prior exact_prior(const std::vector<BasisRows>& parties, Index inputs) {
  std::vector<OwnEvidence> blocks;
  const OwnEvidenceForm form{inputs, false, 0};
  double rows = 0;
  std::vector<std::pair<Matrix, Vector>> small;
  for (const BasisRows& one : parties) {
    const Index n = one.targets.size(), many = std::max<Index>(1, (n + 75) / 150);
    for (Index b = 0; b < many; ++b) {
      const Index first = n * b / many, end = n * (b + 1) / many;
      small.emplace_back(one.inputs.middleCols(first, end - first), one.targets.segment(first, end - first));
    }
  }
  const std::size_t step = std::max<std::size_t>(1, small.size() / 24);
  for (std::size_t k = 0; k < small.size(); k += step) {
    blocks.emplace_back(form, small[k].first, small[k].second, std::vector<Matrix>{});
    rows += static_cast<double>(small[k].second.size());
  }
  const auto d = static_cast<std::size_t>(inputs);
  std::vector<double> mean(d, std::log(1.5 * std::sqrt(static_cast<double>(inputs))));
  mean.push_back(0);
  mean.push_back(std::log(0.4));
  std::vector<double> start(d, 0.5 * std::log(static_cast<double>(inputs)));
  start.push_back(0);
  start.push_back(std::log(0.5));
  std::vector<double> low(d + 2, std::log(0.01)), high(d + 2, std::log(100.0));
  low.back() = std::log(0.05);
  MaximiserLimits limits;
  limits.most_evaluations = 40;
  Maximiser climb(start, low, high, limits);
  std::vector<double> best = start;
  double best_value = -1e300;
  while (const auto point = climb.next()) {
    double value = 0, cap = 0;
    std::vector<double> slopes(d + 2);
    for (const OwnEvidence& block : blocks) {
      const auto found = block.at(*point);
      if (!found) throw Error("a block cannot be factorised");
      value += found->value;
      for (std::size_t k = 0; k < slopes.size(); ++k) slopes[k] += found->slopes[k];
    }
    for (std::size_t k = 0; k < d; ++k) cap += std::exp(-2 * (*point)[k]);
    if (cap > 16) {
      const double excess = std::log(cap / 16);
      value -= rows * 2 * excess * excess;
      for (std::size_t k = 0; k < d; ++k) slopes[k] += rows * 8 * excess * std::exp(-2 * (*point)[k]) / cap;
    }
    for (std::size_t k = 0; k < slopes.size(); ++k) {
      value -= 0.5 * std::pow((*point)[k] - mean[k], 2);
      slopes[k] -= (*point)[k] - mean[k];
    }
    if (value > best_value) {
      best_value = value;
      best = *point;
    }
    for (double& slope : slopes) slope /= rows;
    climb.tell(value / rows, std::move(slopes));
  }
  for (std::size_t k = 0; k < d; ++k) best[k] = std::clamp(best[k], std::log(0.25), 3.2);
  best[d] = std::clamp(best[d], -0.6, 0.8);
  best[d + 1] = std::clamp(best[d + 1], std::log(0.05), 0.0);
  return public_prior(inputs, true).at(best);
}

// Alone, and exact sums of the same kernel.
void reference(const Data& data, std::uint64_t seed, Scores& scores) {
  ExactTotals run({.agents = 3});
  const Samples all{data.train.leftCols(data.train.cols() - 1), data.train.rightCols(1)};
  const OwnRows together = own_rows_of(all, 0);
  const auto n = static_cast<double>(all.inputs.rows());
  Scales scales = finished(open_scales(run, data.columns, together, n, 1));
  for (Index c = 0; c < data.train.cols(); ++c) {
    scales.columns[static_cast<std::size_t>(c)].centre = data.train.col(c).mean();
    scales.columns[static_cast<std::size_t>(c)].spread = spread_of(data.train.col(c));
  }
  const Copula copula = finished(open_copula(run, scales, together, n, 1));
  BasisOptions options;
  options.landmarks = usual_landmarks(n);
  options.seed = seed;
  std::vector<BasisRows> parties;
  const Index d = scales.inputs();
  const Basis first(public_prior(d, true), copula, n, {2, 100, 1, seed});
  for (std::size_t i = 0; i < data.parties; ++i)
    parties.emplace_back(first, scales, own_rows_of(data.part(i), i));
  const Basis basis(exact_prior(parties, d), copula, n, options);
  const Index m = basis.size();
  Matrix precision = Matrix::Identity(m, m);
  Vector weighted = Vector::Zero(m);
  std::vector<Matrix> own_precision;
  std::vector<Vector> own_weighted;
  for (std::size_t i = 0; i < data.parties; ++i) {
    parties[i] = BasisRows(basis, scales, own_rows_of(data.part(i), i));
    const Matrix scaled = parties[i].features * parties[i].lambda.cwiseInverse().asDiagonal();
    own_precision.push_back(scaled * parties[i].features.transpose());
    own_weighted.push_back(scaled * parties[i].targets);
    precision += own_precision.back();
    weighted += own_weighted.back();
  }
  const Matrix questions = scales.standard_inputs(data.questions().inputs.transpose());
  for (const std::size_t i : data.homes) {
    const Eigen::LLT<Matrix> factor(precision - own_precision[i]);
    const Matrix covariance = factor.solve(Matrix::Identity(m, m));
    const HomeModel home(basis, parties[i],
                         OthersPosterior(covariance * (weighted - own_weighted[i]), covariance));
    scores.add("alone", score(home.answer(questions, HomeCandidate::alone, false), scales, data));
    scores.add("exact", score(home.answer(questions, HomeCandidate::shared, false), scales, data));
    scores.add("exact chosen", score(home.answer(questions), scales, data));
  }
}

struct Fits {
  ProtectedFit first;
  std::optional<ProtectedFit> again;
};

Task<Fits> fit(Run& net, ProtectedFacts facts, ProtectedSettings settings, ProtectedHooks hooks,
               const OwnRows& mine, const OwnRows* later) {
  BoundedRun run(net, facts);
  Fits fits;
  fits.first = co_await protected_fit(run, settings, mine, hooks);
  if (later) fits.again = co_await protected_refit(run, fits.first, 1.5, *later);
  co_return fits;
}

// Agents in this process share what is public.
ProtectedHooks shared_basis() {
  struct Shared {
    std::mutex guard;
    double rows = 0;
    Prior prior;
    std::shared_ptr<const Basis> basis;
  };
  ProtectedHooks hooks;
  hooks.make = [shared = std::make_shared<Shared>()](const Prior& prior, const Copula& copula, double rows,
                                                     const BasisOptions& options) {
    const std::lock_guard lock(shared->guard);
    if (!shared->basis || shared->rows != rows || shared->prior != prior) {
      shared->basis = make_basis(prior, copula, rows, options);
      shared->rows = rows;
      shared->prior = prior;
    }
    return shared->basis;
  };
  return hooks;
}

void add_home(const std::string& name, const ProtectedFit& fit, const OwnRows& mine, const Data& data,
              Scores& scores) {
  const Scales& scales = fit.model.copula.scales;
  const HomeModel home = at_home(fit, mine, data.parties);
  const Matrix questions = scales.standard_inputs(data.questions().inputs.transpose());
  scores.add(name, score(home.answer(questions), scales, data));
  scores.add(name + " shared", score(home.answer(questions, HomeCandidate::shared), scales, data));
  scores.add(name + " retuned", score(home.answer(questions, HomeCandidate::retuned), scales, data));
  scores.add(name + " own", score(home.answer(questions, HomeCandidate::own), scales, data));
  scores.add(name + " everywhere", score(home.answer(questions, home.chosen()), scales, data));
  scores.add(name + " pooled", score({fit.basis->features(questions).transpose() * fit.model.rounds.mean,
                                      Vector::Ones(questions.cols()), Vector::Ones(questions.cols())},
                                     scales, data));
}

void measure(const std::string& name, std::uint64_t seed, Scores& scores) {
  const Data data = split(name, seed);
  reference(data, seed, scores);
  ProtectedFacts facts;
  facts.agents = data.parties;
  facts.colluding = std::max<std::size_t>(1, data.parties / 3);
  facts.most_rows = 1'000'000;
  std::vector<OwnRows> mine, early;
  for (std::size_t i = 0; i < data.parties; ++i) {
    mine.push_back(own_rows_of(data.part(i), i));
    early.push_back(own_rows_of(data.part(i, 0.7), i));
  }
  SimulatorOptions options;
  options.seed = 1000 * seed + 3;
  const auto run = [&](double rho, bool refit) {
    ProtectedSettings settings;
    settings.columns = data.columns;
    settings.rho = rho;
    settings.seed = seed + 1;
    const ProtectedHooks hooks = shared_basis();
    return Simulator(complete_graph(data.parties), options).run<Fits>([&](Run& net) {
      const std::size_t i = net.self();
      return fit(net, facts, settings, hooks, refit ? early[i] : mine[i], refit ? &mine[i] : nullptr);
    });
  };
  for (const double rho : all_rho) {
    const auto fits = run(rho, false);
    char label[32];
    std::snprintf(label, sizeof label, "rho %g", rho);
    for (const std::size_t i : data.homes) add_home(label, fits[i].first, mine[i], data, scores);
    const ProtectedModel& model = fits[0].first.model;
    std::printf(
        "  %s seed %llu rho %g: %zu sums, spent %.4f, %s, %zu bins, basis %td, directions %zu, mismatch %g, "
        "noise %.2f\n",
        name.c_str(), static_cast<unsigned long long>(seed), rho, model.charges.size(), model.spent(),
        model.tuned ? "tuned" : "public numbers", model.copula.scales.bins, fits[0].first.basis->size(),
        model.rounds.directions.size(), model.rounds.mismatch, model.prior.noise);
  }
  const auto fits = run(4, true);
  for (const std::size_t i : data.homes) {
    add_home("first 70 %", fits[i].first, early[i], data, scores);
    add_home("refit", *fits[i].again, mine[i], data, scores);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::puts("usage: bench_protected_fit SEEDS NAME@PARTIES[/region]...");
    return 2;
  }
  const BlasThreads one(1);
  for (int k = 2; k < count; ++k) {
    Scores scores;
    const double seconds = bench::seconds_of([&] {
      for (std::uint64_t seed = 0; seed < std::strtoul(arguments[1], nullptr, 10); ++seed)
        measure(arguments[k], seed, scores);
    });
    const auto show = [&](const char* name) {
      const Score s = scores.mean(name);
      std::printf("  %-14s %.4f (%.2f)", name, s.rmse, s.coverage);
    };
    std::printf("%s, %.0f s\n", arguments[k], seconds);
    for (const char* name : {"alone", "exact", "exact chosen"}) show(name);
    std::puts("");
    for (const std::string name : {"rho 4", "refit", "first 70 %", "rho 0.22", "rho 0.03"}) {
      show(name.c_str());
      std::printf(
          " keeps %3.0f %%; shared %.4f, retuned %.4f, own %.4f, chosen everywhere %.4f, without own rows "
          "%.4f\n",
          scores.kept(name), scores.mean(name + " shared").rmse, scores.mean(name + " retuned").rmse,
          scores.mean(name + " own").rmse, scores.mean(name + " everywhere").rmse,
          scores.mean(name + " pooled").rmse);
    }
    std::fflush(stdout);
  }
}
