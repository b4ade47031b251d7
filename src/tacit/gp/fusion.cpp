#include "tacit/gp/fusion.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

#include "tacit/base/error.hpp"
#include "tacit/gp/check.hpp"

namespace tacit {
namespace {

void check_expert(std::size_t expert, const Matrix& mean, const Matrix& variance, const Matrix& first) {
  if (mean.rows() != first.rows() || mean.cols() != first.cols())
    throw InputError(
        fmt::format("the means of expert {} are {} x {}, those of expert 0 {} x {}; all must predict the "
                    "same outputs at the same points",
                    expert, mean.rows(), mean.cols(), first.rows(), first.cols()));
  if (variance.rows() != mean.rows() || (variance.cols() != mean.cols() && variance.cols() != 1))
    throw InputError(
        fmt::format("the variances of expert {} are {} x {}, its means {} x {}; give one variance for each "
                    "mean, or one column for all outputs",
                    expert, variance.rows(), variance.cols(), mean.rows(), mean.cols()));
  check_finite(fmt::format("means of expert {}", expert), mean);
  for (Index column = 0; column < variance.cols(); ++column)
    for (Index row = 0; row < variance.rows(); ++row)
      if (const double v = variance(row, column); !(v > 0 && std::isfinite(v) && std::isfinite(1 / v)))
        throw InputError(
            fmt::format("variances of expert {}: the value at row {}, column {} (from 0) is {}, but only "
                        "positive ones can be fused; clamp it to a floor first",
                        expert, row, column, v));
}

}  // namespace

Fused fuse_poe(std::span<const Matrix> means, std::span<const Matrix> variances) {
  if (means.empty()) throw InputError("no expert to fuse; give at least one");
  if (means.size() != variances.size())
    throw InputError(fmt::format("{} experts gave means but {} gave variances; give both for each",
                                 means.size(), variances.size()));
  const Index points = means[0].rows();
  const Index outputs = means[0].cols();
  Matrix precision = Matrix::Zero(points, outputs);
  Fused result{Matrix::Zero(points, outputs), {}};
  for (std::size_t i = 0; i < means.size(); ++i) {
    check_expert(i, means[i], variances[i], means[0]);
    for (Index o = 0; o < outputs; ++o) {
      const auto weight = variances[i].col(variances[i].cols() == 1 ? 0 : o).array().inverse();
      precision.col(o).array() += weight;
      result.mean.col(o).array() += weight * means[i].col(o).array();
    }
  }
  result.variance = precision.cwiseInverse();
  result.mean.array() *= result.variance.array();
  return result;
}

}  // namespace tacit
