#include "tacit/audit/landmark_attack.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <tuple>
#include <unsupported/Eigen/LevenbergMarquardt>

#include "tacit/base/parallel.hpp"
#include "tacit/gp/normal.hpp"

namespace tacit {
namespace {

// Sums of doubles are never better than this beside numbers of the order of 1.
constexpr double finest = 1e-10;

double rounding_deviation(const OpenedNumbers& numbers, double unit) {
  return std::max(finest, unit * std::sqrt(static_cast<double>(numbers.blocks()) / 12));
}

Matrix draw(Index rows, Index columns, std::uint64_t seed) {
  Normal normal(seed);
  return Matrix::NullaryExpr(rows, columns, [&] { return normal(); });
}

// Rows as one vector, row after row, and back.
Vector flat(const Matrix& rows) { return rows.transpose().reshaped(); }
Matrix unflat(const Vector& all, Index columns) {
  return all.reshaped(columns, all.size() / columns).transpose();
}

// Least squares over differences in deviations of rounding, and over the rows themselves, for N(0, I).
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

// One search, by one thread.
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
  // From a blurred view to the sharp one: fewer valleys to get stuck in.
  static constexpr double blurred = 1, less_blurred = 0.1, sharpening = 0.1;

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

  // Given the inputs, a is linear in targets.
  void guess_targets(Matrix& rows) const {
    const Index d = numbers_.columns() - 1, m = numbers_.landmarks().count(), n = rows.rows();
    const Matrix slopes = numbers_.slopes(rows);
    const double weight = 1e-2;
    Matrix all(m + n, n);
    for (Index i = 0; i < n; ++i) all.col(i).head(m) = slopes.col(i * (d + 1) + d).tail(m);
    all.bottomRows(n) = weight * Matrix::Identity(n, n);
    Vector want = Vector::Zero(m + n);
    want.head(m) = opened_.tail(m);
    rows.col(d) = all.householderQr().solve(want);
  }

  Index any_row() { return static_cast<Index>(uniform(random_) * static_cast<double>(numbers_.rows())); }

  // A valley's neighbour: some rows drawn again, or two that change places, or all moved a little.
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

Vector distances(const Matrix& truth, const Matrix& fitted) {
  std::vector<std::tuple<double, Index, Index>> pairs;
  for (Index i = 0; i < truth.rows(); ++i)
    for (Index j = 0; j < fitted.rows(); ++j)
      pairs.emplace_back((truth.row(i) - fitted.row(j)).cwiseAbs().maxCoeff(), i, j);
  std::ranges::sort(pairs);
  Vector nearest = Vector::Constant(truth.rows(), INFINITY);
  std::vector<bool> taken(static_cast<std::size_t>(fitted.rows()));
  for (const auto& [distance, i, j] : pairs) {
    if (std::isfinite(nearest(i)) || taken[static_cast<std::size_t>(j)]) continue;
    nearest(i) = distance;
    taken[static_cast<std::size_t>(j)] = true;
  }
  return nearest;
}

Vector distances_by_chance(const Matrix& truth, std::size_t draws, std::uint64_t seed) {
  Vector sum = Vector::Zero(truth.rows());
  for (std::size_t k = 0; k < draws; ++k) sum += distances(truth, draw(truth.rows(), truth.cols(), seed + k));
  return sum / static_cast<double>(draws);
}

Matrix left_to_guess(const OpenedNumbers& numbers, const Matrix& truth, double unit) {
  // The covariance is (I + J'J)⁻¹ = R⁻¹R⁻ᵀ for [J; I] = QR, which keeps the digits that J'J would lose.
  Matrix all(numbers.opened() + numbers.held(), numbers.held());
  all.topRows(numbers.opened()) = numbers.slopes(truth) / rounding_deviation(numbers, unit);
  all.bottomRows(numbers.held()).setIdentity();
  const Eigen::HouseholderQR<Matrix> factor(all);
  const Matrix inverse = factor.matrixQR()
                             .topRows(numbers.held())
                             .triangularView<Eigen::Upper>()
                             .solve(Matrix::Identity(numbers.held(), numbers.held()));
  return unflat(inverse.rowwise().norm(), numbers.columns());
}

}  // namespace tacit
