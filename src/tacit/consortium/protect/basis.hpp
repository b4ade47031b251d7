// The finite basis in which the shared part of a protected model is learnt: features of rows at landmarks
// that are drawn from the public copula, turned into the eigenvectors of A_syn, the matrix A of public
// synthetic rows. A_syn is diagonal there, and stands for the A of the real rows.
//
// A row's features use plain loops of fixed order (row_kernel.hpp), so that a term is the same to the bit
// whatever other rows there are.
//
// Threads: a Basis is immutable; any number of threads may use it.
// Errors: Error if the landmarks' covariance cannot be factorised.
// Stopping: with StoppableWork (base/stop.hpp) the constructor throws Stopped between its stages.
#pragma once

#include <cstdint>
#include <span>

#include "tacit/consortium/protect/copula.hpp"
#include "tacit/gp/expert/prior.hpp"

namespace tacit {

struct BasisOptions {
  std::size_t landmarks = 400;
  std::size_t synthetic = 4000;  ///< synthetic rows
  double least = 1;  ///< directions with a smaller eigenvalue are left out: rows know less than the prior
  std::uint64_t seed = 1;
};

/// Returns how many landmarks a fit of `rows` keys has.
std::size_t usual_landmarks(double rows);

class Basis {
 public:
  /// `prior` has an se kernel with one length-scale for each input, in standard units. `rows` is the public
  /// number of keys of all agents.
  Basis(const Prior& prior, const Copula& copula, double rows, const BasisOptions& options);

  Index size() const { return eigenvalues_.size(); }
  Index inputs() const { return static_cast<Index>(scales_.size()); }
  double signal_variance() const { return variance_; }
  double noise_variance() const { return noise_; }
  const Prior& prior() const { return prior_; }
  /// The eigenvalues of A_syn for `rows` rows, the largest first.
  const Vector& eigenvalues() const { return eigenvalues_; }

  /// Writes φ(x) of a row in standard units; `out` has size() numbers.
  void features(const double* x, std::span<double> out) const;
  /// Returns the features of rows, one a column.
  Matrix features(const Matrix& rows) const;
  /// Returns k(x,x) - |φ(x)|², the prior variance that the basis does not explain.
  double residual(std::span<const double> features) const;
  /// Returns Λ = σ² + residual.
  double lambda(std::span<const double> features) const { return noise_ + residual(features); }
  Vector lambdas(const Matrix& features) const;

  /// The features of the synthetic rows, one a column, and their Λ.
  const Matrix& synthetic() const { return synthetic_; }
  const Vector& synthetic_lambda() const { return synthetic_lambda_; }

 private:
  Prior prior_;
  std::vector<double> scales_;  // 1 / length-scale
  double variance_, noise_;
  Matrix landmarks_;  // one row each, in units of length-scales
  Matrix map_;        // φ(x) = map_ k(Z, x)
  Vector eigenvalues_;
  Matrix synthetic_;
  Vector synthetic_lambda_;
};

}  // namespace tacit
