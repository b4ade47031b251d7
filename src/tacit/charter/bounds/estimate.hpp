// The trajectory attack: how accurately a coalition can estimate initial values at a given L_z and T.
//
// This is the best linear estimate for initial values uniform in [-B, B] and independent rounding errors
// uniform in ±L_z/2. Its normal equations have condition numbers near (B/L_z)², or (2^blinding B/L_z)², so
// they are solved with a hundred digits. A nonlinear estimator can be more accurate, because rounding errors
// are functions of the states; see docs/threat-model.md.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/eigen.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <span>
#include <vector>

#include "tacit/charter/bounds/attack_settings.hpp"
#include "tacit/charter/bounds/coalition_view.hpp"
#include "tacit/charter/bounds/trajectory.hpp"

namespace tacit {

/// The number of rounds that an attack uses.
std::size_t attack_rounds(const Observer& observer, const AttackSettings& settings);

/// ω(0..rounds-1) of Chebyshev's iteration z(t+1) = ω(t) W z(t) + (1 - ω(t)) z(t-1).
/// Without acceleration, all are 1.
std::vector<double> step_weights(const AttackSettings& settings, std::size_t rounds);

class TrajectoryAttack {
 public:
  TrajectoryAttack(Observer observer, const AttackSettings& settings);

  /// The root mean square error of the estimate of each honest agent's initial value.
  std::vector<double> errors() const;
  /// The same for a combination. Its agents must be honest.
  double error(const Combination& combination) const;
  /// For comparison, the error of a guess from the sum alone.
  double guess() const;
  std::size_t rounds() const { return rounds_; }

  /// Estimates the initial values from a run. For each round, `own` holds the quantised state L_z Q(z_c) of
  /// each member, and `seen` the sums that Observer::seen names, in the same unit. Both need at least
  /// rounds() rounds. Not for blinded runs.
  std::vector<double> estimate(const std::vector<std::vector<double>>& own,
                               const std::vector<std::vector<double>>& seen) const;

 private:
  using Real =
      boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;
  using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

  RealMatrix sum_rows() const;
  RealMatrix later(const RealMatrix& rows) const;
  RealMatrix states() const;
  RealMatrix noise() const;
  void add_blinding(const RealMatrix& states, RealMatrix& covariance, unsigned bits) const;
  Real variance(const RealMatrix& combination) const;

  Observer observer_;
  std::size_t rounds_;
  std::vector<double> omega_;
  Real prior_, rounding_;          // variances of an initial value and of a rounding error
  Eigen::LLT<RealMatrix> factor_;  // of the covariance of all observations
  RealMatrix gain_;                // whitened observations per unit of each initial value
};

}  // namespace tacit
