#include "tacit/lab/audit/landmark_attack.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <tuple>
#include <unsupported/Eigen/LevenbergMarquardt>

#include "tacit/base/system/parallel.hpp"
#include "tacit/gp/normal.hpp"

namespace tacit {
namespace {

// A lower bound on the error of sums of doubles of the order of 1.
constexpr double finest = 1e-10;

double rounding_deviation(const OpenedNumbers& numbers, double unit) {
  return std::max(finest, unit * std::sqrt(static_cast<double>(numbers.blocks()) / 12));
}

// Convert rows to one vector, row after row, and back.
Vector flat(const Matrix& rows) { return rows.transpose().reshaped(); }
Matrix unflat(const Vector& all, Index columns) {
  return all.reshaped(columns, all.size() / columns).transpose();
}

// The least squares problem: differences in standard deviations of rounding, and the rows themselves for the
// prior N(0, I).
struct Likeliest : Eigen::DenseFunctor<double> {
  const OpenedNumbers& numbers;
  const Vector& opened;
  double deviation;

  Likeliest(const OpenedNumbers& n, const Vector& o, double s)
      : DenseFunctor(static_cast<int>(n.held()), static_cast<int>(n.opened() + n.held())),
        numbers(n),
        opened(o),
        deviation(s) {}

  int operator()(const Vector& at, Vector& values) const {
    values.head(opened.size()) = (numbers.of(unflat(at, numbers.columns())) - opened) / deviation;
    values.tail(at.size()) = at;
    return 0;
  }
  int df(const Vector& at, Matrix& slopes) const {
    slopes.topRows(opened.size()) = numbers.slopes(unflat(at, numbers.columns())) / deviation;
    slopes.bottomRows(at.size()).setIdentity();
    return 0;
  }
};

struct Attempt {
  Vector rows;
  double cost = INFINITY;
};

// One search, on one thread.
class Search {
 public:
  Search(const OpenedNumbers& numbers, const Vector& opened, const LandmarkAttackSettings& settings,
         std::uint64_t seed)
      : numbers_(numbers),
        opened_(opened),
        settings_(settings),
        sharp_(rounding_deviation(numbers, settings.unit)),
        random_(seed),
        normal_(seed + 1) {}

  Attempt run() {
    Matrix rows(numbers_.rows(), numbers_.columns());
    for (double& number : rows.reshaped()) number = normal_();
    Attempt best = descend(rows, blurred);
    const double explained = 2 * std::sqrt(static_cast<double>(numbers_.opened() + numbers_.held()));
    for (std::size_t hop = 0; hop < settings_.hops && best.cost > explained; ++hop) {
      const Attempt next = descend(elsewhere(unflat(best.rows, numbers_.columns())), less_blurred);
      if (next.cost < best.cost) best = next;
    }
    return best;
  }

 private:
  // A large deviation that decreases to that of rounding avoids local minima.
  static constexpr double blurred = 1, less_blurred = 0.1, sharpening = 0.1;
  static constexpr double held_back = 0.01;  // keeps targets moderate while inputs are still wrong

  Attempt descend(Matrix rows, double deviation) {
    guess_targets(rows);
    Attempt result{flat(rows)};
    for (;; deviation *= sharpening) {
      deviation = std::max(deviation, sharp_);
      Likeliest problem(numbers_, opened_, deviation);
      Eigen::LevenbergMarquardt<Likeliest> search(problem);
      const bool last = deviation == sharp_;
      search.setMaxfev(static_cast<Index>(last ? settings_.most_evaluations : 30));
      search.setFactor(1);
      if (!last) search.setFtol(1e-3);
      search.minimize(result.rows);
      result.cost = search.fnorm();
      if (last) return result;
    }
  }

  // Given the inputs, a is linear in the targets.
  void guess_targets(Matrix& rows) const {
    const Index m = numbers_.landmarks().count(), n = rows.rows();
    Matrix all(m + n, n);
    all.topRows(m) = numbers_.target_slopes(rows);
    all.bottomRows(n) = held_back * Matrix::Identity(n, n);
    Vector want = Vector::Zero(m + n);
    want.head(m) = opened_.tail(m);
    rows.rightCols(1) = all.householderQr().solve(want);
  }

  Index any_row() { return static_cast<Index>(uniform(random_) * static_cast<double>(numbers_.rows())); }

  // A start for another local minimum: some rows are redrawn, two rows are exchanged, or all move a little.
  Matrix elsewhere(Matrix rows) {
    const double choice = uniform(random_);
    const auto redraw = [&](Index i) {
      for (double& number : rows.row(i)) number = normal_();
    };
    for (Index i = 0; i < rows.rows(); ++i)
      if (rows.row(i).cwiseAbs().maxCoeff() > 4) redraw(i);
    if (choice < 0.5) {
      redraw(any_row());
      if (choice < 0.2) redraw(any_row());
    } else if (choice < 0.75 && numbers_.blocks() > 1) {
      const Index i = any_row(), j = any_row();
      rows.row(i).swap(rows.row(j));
    } else {
      for (double& number : rows.reshaped()) number += 0.2 * normal_();
    }
    return rows;
  }

  const OpenedNumbers& numbers_;
  const Vector& opened_;
  const LandmarkAttackSettings& settings_;
  double sharp_;
  std::mt19937_64 random_;
  Normal normal_;
};

// The distance of each true row from its partner, in the order of the true rows.
Vector paired(const Matrix& truth, const Matrix& guess) {
  std::vector<std::tuple<double, Index, Index>> pairs;
  for (Index i = 0; i < truth.rows(); ++i)
    for (Index j = 0; j < guess.rows(); ++j)
      pairs.emplace_back((truth.row(i) - guess.row(j)).cwiseAbs().maxCoeff(), i, j);
  std::ranges::sort(pairs);
  Vector nearest = Vector::Constant(truth.rows(), INFINITY);
  std::vector<bool> taken(static_cast<std::size_t>(guess.rows()));
  for (const auto& [distance, i, j] : pairs) {
    if (std::isfinite(nearest(i)) || taken[static_cast<std::size_t>(j)]) continue;
    nearest(i) = distance;
    taken[static_cast<std::size_t>(j)] = true;
  }
  return nearest;
}

// The roots of the diagonal of (I + J'J)⁻¹ = R⁻¹R⁻ᵀ for [J; I] = QR. This keeps digits that J'J would lose.
Vector deviations_left(const Matrix& slopes) {
  const Index unknowns = slopes.cols();
  Matrix all(slopes.rows() + unknowns, unknowns);
  all.topRows(slopes.rows()) = slopes;
  all.bottomRows(unknowns).setIdentity();
  const Eigen::HouseholderQR<Matrix> factor(all);
  const Matrix inverse = factor.matrixQR().topRows(unknowns).triangularView<Eigen::Upper>().solve(
      Matrix::Identity(unknowns, unknowns));
  return inverse.rowwise().norm();
}

}  // namespace

FittedRows fit_rows(const OpenedNumbers& numbers, const Vector& opened,
                    const LandmarkAttackSettings& settings) {
  std::vector<Attempt> attempts(settings.starts);
  parallel_for(settings.threads, attempts.size(), [&](std::size_t k) {
    attempts[k] = Search(numbers, opened, settings, settings.seed + 2 * k).run();
  });
  const Attempt& best = *std::ranges::min_element(attempts, {}, &Attempt::cost);
  FittedRows fitted{unflat(best.rows, numbers.columns()), 0};
  const Vector differences = (numbers.of(fitted.rows) - opened) / rounding_deviation(numbers, settings.unit);
  fitted.misfit = std::sqrt(differences.squaredNorm() / static_cast<double>(differences.size()));
  return fitted;
}

Nearness nearness(const Matrix& truth, const Matrix& guess) {
  const Index inputs = truth.cols() - 1;
  Nearness near;
  near.distances = paired(truth, guess);
  Vector sorted = near.distances;
  std::sort(sorted.begin(), sorted.end());
  near.median = sorted(sorted.size() / 2);
  near.found = static_cast<double>((near.distances.array() < found_within).count());
  const Vector by_inputs = paired(truth.leftCols(inputs), guess.leftCols(inputs));
  near.inputs_found = static_cast<double>((by_inputs.array() < found_within).count());
  return near;
}

Nearness nearness_by_chance(const Matrix& truth, std::size_t draws, std::uint64_t seed) {
  Nearness mean;
  mean.distances = Vector::Zero(truth.rows());
  const double part = 1 / static_cast<double>(draws);
  for (std::size_t k = 0; k < draws; ++k) {
    Normal normal(seed + k);
    const Nearness near =
        nearness(truth, Matrix::NullaryExpr(truth.rows(), truth.cols(), [&] { return normal(); }));
    mean.distances += part * near.distances;
    mean.median += part * near.median;
    mean.found += part * near.found;
    mean.inputs_found += part * near.inputs_found;
  }
  return mean;
}

Matrix left_to_guess(const OpenedNumbers& numbers, const Matrix& truth, double unit) {
  const Vector left = deviations_left(numbers.slopes(truth) / rounding_deviation(numbers, unit));
  return unflat(left, numbers.columns());
}

Vector targets_left_to_guess(const OpenedNumbers& numbers, const Matrix& truth, double unit) {
  return deviations_left(numbers.target_slopes(truth) / rounding_deviation(numbers, unit));
}

}  // namespace tacit
