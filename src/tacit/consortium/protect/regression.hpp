// Combines all rounds of a protected fit. Round t observed, in each direction j of the basis,
//
//   y_tj = a_j - (ΔA w_t)_j + noise,
//
// with the iterate w_t of that round and ΔA = A - A_syn, the mismatch of the synthetic curvature. ΔA w has
// the prior covariance (1 + λ_j) ε² ⟨w, w'⟩, with ⟨w, w'⟩ = Σ (1 + λ_i) w_i w'_i, and a_j a flat prior. So
// y*(w) = a - ΔA w is predicted at any w by generalised least squares.
//
// Threads: a RoundsRegression is immutable.
// Errors: none.
// Stopping: nothing here takes long.
#pragma once

#include "tacit/gp/matrix.hpp"

namespace tacit {

/// What the rounds have observed; one row a round.
struct ObservedRounds {
  Matrix observed;    ///< y, rounds × directions
  Matrix iterates;    ///< w, rounds × all directions of the basis
  Vector noise;       ///< the variance of a round's noise, for a direction of weight 1
  Index old = 0;      ///< the first rounds, which are of an earlier fit
  double offset = 0;  ///< the variance of what they have in common, in units of λ
};

class RoundsRegression {
 public:
  /// `weights` has the relative precision of each observed direction, `observed_eigenvalues` its λ, and
  /// `eigenvalues` those of all directions. References are not kept.
  RoundsRegression(const ObservedRounds& rounds, const Vector& weights, const Vector& observed_eigenvalues,
                   const Vector& eigenvalues);

  /// Returns the most likely ε of a grid, under a weak prior.
  double likely_mismatch() const;

  struct At {
    Vector value, variance;  ///< of y* by direction
  };
  /// Predicts y* at w.
  At at(const Vector& w, double mismatch) const;
  /// Returns the weight of each round in that prediction, rounds × directions.
  Matrix round_weights(const Vector& w, double mismatch) const;

 private:
  struct Direction;
  Direction direction(Index j, double mismatch) const;
  Vector turned(const Vector& w) const;

  Index rounds_;
  Vector scale_;       // 1 + λ of all directions
  Matrix iterates_;    // with columns scaled by √(1+λ)
  Matrix turn_;        // B = Q'N^-1/2, with the eigenvectors Q of N^-1/2 X X' N^-1/2
  Vector eigen_;       // their eigenvalues
  Matrix values_;      // B Y
  Vector ones_, old_;  // B 1, B o
  double offset_;
  Vector noise_shares_;  // 1/weight by direction
  Vector lambda_;
};

}  // namespace tacit
