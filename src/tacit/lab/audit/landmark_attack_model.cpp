#include "tacit/lab/audit/landmark_attack_model.hpp"

#include <Eigen/Cholesky>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

// The step of a central difference, in standard deviations of an input. The error is of the order of its
// square.
constexpr double step = 1e-5;

// The lower triangle of A, then a.
void write_numbers(const Matrix& precision, const Eigen::Ref<const Vector>& weighted,
                   Eigen::Ref<Vector> out) {
  const Index m = precision.rows();
  Index at = 0;
  for (Index j = 0; j < m; at += m - j, ++j) out.segment(at, m - j) = precision.col(j).tail(m - j);
  out.tail(m) = weighted;
}

}  // namespace

// What all derivatives of a block share.
struct OpenedNumbers::Block {
  Matrix inputs, features;    // Φ
  Eigen::LLT<Matrix> factor;  // of Λ
  Matrix gains;               // G = Φ Λ⁻¹
};

OpenedNumbers::Block OpenedNumbers::block(const Matrix& rows) const {
  Block b;
  b.inputs = rows.leftCols(landmarks_.dimensions());
  b.features = landmarks_.features(b.inputs);
  Matrix noisy = covariance(b.inputs, b.inputs, prior_.kernel) - b.features.transpose() * b.features;
  noisy.diagonal().array() += prior_.noise * prior_.noise;
  b.factor.compute(noisy);
  b.gains = b.factor.solve(b.features.transpose()).transpose();
  return b;
}

OpenedNumbers::OpenedNumbers(Landmarks landmarks, const Prior& prior, std::vector<Index> block_rows)
    : landmarks_(std::move(landmarks)),
      prior_(checked_prior(prior, landmarks_.dimensions())),
      block_rows_(std::move(block_rows)) {
  for (const Index count : block_rows_) {
    if (count < 1) throw InputError("a block has no rows; leave it out");
    rows_ += count;
  }
}

Vector OpenedNumbers::of(const Matrix& rows, double unit) const {
  const Index d = landmarks_.dimensions();
  Vector total = Vector::Zero(opened()), part(opened());
  Index first = 0;
  for (const Index count : block_rows_) {
    LandmarkSums sums(landmarks_.count(), 1);
    const auto block = rows.middleRows(first, count);
    add_landmark_sums(sums, block.leftCols(d), block.col(d), prior_, landmarks_);
    write_numbers(sums.precision, sums.weighted.col(0), part);
    if (unit > 0) part = (part.array() / unit).round() * unit;
    total += part;
    first += count;
  }
  return total;
}

// Let G = Φ Λ⁻¹ and β = Λ⁻¹ y. If row i changes, Λ changes by e_i v' + v e_i' and φ_i by dφ. Then
// dA = g_i u' + u g_i' and da = β_i u − (v'β) g_i for u = dφ − G v. A target changes only a, by g_i.
void OpenedNumbers::add_block_slopes(const Matrix& rows, Index first, Eigen::Ref<Matrix> slopes) const {
  const Index d = landmarks_.dimensions(), m = landmarks_.count(), n = rows.rows();
  const Block b = block(rows);
  const Vector weights = b.factor.solve(rows.col(d));
  for (Index i = 0; i < n; ++i) slopes.col((first + i) * columns() + d).tail(m) = b.gains.col(i);
  for (Index c = 0; c < d; ++c) {
    Matrix up = b.inputs, down = b.inputs;
    up.col(c).array() += step;
    down.col(c).array() -= step;
    const auto slope = [](const auto& above, const auto& below) {
      return ((above - below) / (2 * step)).eval();
    };
    const Matrix moved = slope(landmarks_.features(up), landmarks_.features(down));
    const Matrix between =  // d k(x_i, x_j) at (i, j)
        slope(covariance(up, b.inputs, prior_.kernel), covariance(down, b.inputs, prior_.kernel));
    const Vector own = slope(prior_.kernel.prior_variance(up), prior_.kernel.prior_variance(down));
    for (Index i = 0; i < n; ++i) {
      const Vector gain = b.gains.col(i);
      Vector v = between.row(i).transpose() - b.features.transpose() * moved.col(i);
      v(i) = own(i) / 2 - b.features.col(i).dot(moved.col(i));
      const Vector u = moved.col(i) - b.gains * v;
      write_numbers(gain * u.transpose() + u * gain.transpose(), weights(i) * u - v.dot(weights) * gain,
                    slopes.col((first + i) * columns() + c));
    }
  }
}

Matrix OpenedNumbers::slopes(const Matrix& rows) const {
  Matrix slopes = Matrix::Zero(opened(), held());
  Index first = 0;
  for (const Index count : block_rows_) {
    add_block_slopes(rows.middleRows(first, count), first, slopes);
    first += count;
  }
  return slopes;
}

Matrix OpenedNumbers::target_slopes(const Matrix& rows) const {
  Matrix slopes(landmarks_.count(), rows_);
  Index first = 0;
  for (const Index count : block_rows_) {
    slopes.middleCols(first, count) = block(rows.middleRows(first, count)).gains;
    first += count;
  }
  return slopes;
}

}  // namespace tacit
