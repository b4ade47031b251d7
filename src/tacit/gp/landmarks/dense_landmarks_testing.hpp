// The likelihood of all rows through landmarks, computed from the dense covariance in long double.
#pragma once

#include <Eigen/Cholesky>
#include <numbers>
#include <vector>

#include "tacit/gp/expert/prior.hpp"
#include "tacit/gp/gp_testing.hpp"
#include "tacit/gp/landmarks/landmarks.hpp"

namespace tacit::testing {

struct DenseLikelihood {
  std::vector<long double> values;  ///< by output
  long double sum = 0;
  long double fits = 0;  ///< Σ y'C⁻¹y
};

/// Computes the likelihood for C = Φ'Φ + blockdiag(Λ_b), which within a block is the kernel's covariance plus
/// noise.
inline DenseLikelihood dense_likelihood(const Matrix& inputs, const Matrix& outputs,
                                        const std::vector<std::vector<Index>>& blocks, const Prior& prior,
                                        const Matrix& landmarks) {
  LongMatrix kzz = long_covariance(landmarks, landmarks, prior.kernel);
  kzz.diagonal().array() += static_cast<long double>(landmark_jitter) * kzz.diagonal().mean();
  const LongMatrix cross = long_covariance(landmarks, inputs, prior.kernel);
  LongMatrix c = cross.transpose() * kzz.llt().solve(cross);
  for (const auto& block : blocks) {
    const Matrix rows = inputs(block, Eigen::all);
    c(block, block) = long_covariance(rows, rows, prior.kernel);
  }
  c.diagonal().array() += static_cast<long double>(prior.noise) * prior.noise;
  const Eigen::LLT<LongMatrix> factor(c);
  const long double constant =
      2 * LongMatrix(factor.matrixL()).diagonal().array().log().sum() +
      static_cast<long double>(inputs.rows()) * std::log(2 * std::numbers::pi_v<long double>);
  DenseLikelihood result;
  for (Index o = 0; o < outputs.cols(); ++o) {
    const LongMatrix y = outputs.col(o).cast<long double>();
    const long double fit = y.col(0).dot(factor.solve(y).col(0));
    result.values.push_back(-(fit + constant) / 2);
    result.sum += result.values.back();
    result.fits += fit;
  }
  return result;
}

}  // namespace tacit::testing
