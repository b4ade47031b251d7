// The trajectory attack with numbers: how well can a coalition estimate initial values at this L_z and T?
//
// The best linear estimate, given that initial values are anywhere in [-B, B] and that rounding errors are
// independent and uniform in ±L_z/2. Its normal equations have condition numbers near (B/L_z)², or
// (2^blinding B/L_z)², so they are solved with a hundred digits. An estimator that is not linear can do
// better: rounding errors are functions of the states, see docs/threat-model.md.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/eigen.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <span>
#include <vector>

#include "tacit/charter/bounds/observer.hpp"
#include "tacit/charter/bounds/trajectory.hpp"

namespace tacit {

struct AttackSettings {
  Hardening hardening;
  double lz = 0;
  double value_bound = 1;       ///< B
  double lambda = 0;            ///< λ, from which acceleration takes its weights ω(t)
  std::size_t iterations = 0;   ///< T
  std::size_t most_sums = 240;  ///< to use; the work grows with its cube
};

/// Rounds that an attack looks at.
std::size_t attack_rounds(const Observer& observer, const AttackSettings& settings);

/// ω(0..rounds-1) of Chebyshev's iteration z(t+1) = ω(t) W z(t) + (1 - ω(t)) z(t-1).
/// All are 1 without acceleration.
std::vector<double> step_weights(const AttackSettings& settings, std::size_t rounds);

class TrajectoryAttack {
 public:
  TrajectoryAttack(Observer observer, const AttackSettings& settings);

  /// The root mean square error of the estimate of each honest agent's initial value.
  std::vector<double> errors() const;
  /// Of a combination. Its agents must be honest.
  double error(const Combination& combination) const;
  /// The error of somebody who knows no more than the sum, for comparison.
  double guess() const;
  std::size_t rounds() const { return rounds_; }

  /// Estimates from a run: `own` has for every round and member of the coalition its quantised state L_z
  /// Q(z_c), `seen` for every round the sums that Observer::seen names, in the same units of value. Both need
  /// at least rounds() rounds. Not for blinded runs.
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
  Eigen::LLT<RealMatrix> factor_;  // of the covariance of all that is seen
  RealMatrix gain_;                // what is seen, whitened, per unit of each initial value
};

}  // namespace tacit
