#include "tacit/regression/predict.hpp"

namespace tacit {

Values contribution(const Prediction& mine) {
  const Eigen::Index n = mine.mean.size();
  Values values(static_cast<std::size_t>(2 * n));
  for (Eigen::Index k = 0; k < n; ++k) {
    const double precision = 1 / mine.variance.data()[k];
    values[static_cast<std::size_t>(k)] = precision * mine.mean.data()[k];
    values[static_cast<std::size_t>(n + k)] = precision;
  }
  return values;
}

Prediction from_sums(const Values& sums, Eigen::Index points, Eigen::Index outputs) {
  Prediction prediction{Matrix(points, outputs), Matrix(points, outputs)};
  const Eigen::Index n = points * outputs;
  for (Eigen::Index k = 0; k < n; ++k) {
    const double variance = 1 / sums[static_cast<std::size_t>(n + k)];
    prediction.variance.data()[k] = variance;
    prediction.mean.data()[k] = variance * sums[static_cast<std::size_t>(k)];
  }
  return prediction;
}

std::size_t unconverged(const Prediction& prediction) {
  return static_cast<std::size_t>(
      (!(prediction.variance.array() > 0 && prediction.variance.array().isFinite())).count());
}

Task<Prediction> predict_privately(Channel& net, const SecureSum& secure_sum, const Prediction& mine,
                                   SumRange range) {
  const Eigen::Index points = mine.mean.rows(), outputs = mine.mean.cols();
  const Values sums = co_await secure_sum.sum(net, contribution(mine), range);
  co_return from_sums(sums, points, outputs);
}

}  // namespace tacit
