// The log marginal likelihood of few rows under a sum of covariances: known matrices times factors, an se
// kernel of the inputs, and noise. Its maximum under a prior decides about hyperparameters at one party.
//
// Up to `plain_rows` rows, only plain loops of fixed order are used, so that a chunk's optimum is the same to
// the bit whatever other chunks there are. Larger problems use LAPACK.
//
// Threads: any number of threads may use a const OwnEvidence.
// Errors: none; a covariance that cannot be factorised has no value.
// Stopping: with StoppableWork (base/stop.hpp) a search throws Stopped at the next evaluation.
#pragma once

#include <optional>
#include <vector>

#include "tacit/gp/matrix.hpp"

namespace tacit {

/// Parameters are logarithms: for the se kernel, the length-scales (one, or one for each input) and the
/// signal; then the square root of the factor of each known matrix; then the noise.
struct OwnEvidenceForm {
  Index inputs = 0;        ///< 0: no se kernel
  bool isotropic = false;  ///< one length-scale for all inputs
  std::size_t parts = 0;   ///< known matrices

  std::size_t lengthscales() const {
    return inputs == 0 ? 0 : isotropic ? 1 : static_cast<std::size_t>(inputs);
  }
  std::size_t first_part() const { return inputs == 0 ? 0 : lengthscales() + 1; }
  std::size_t noise() const { return first_part() + parts; }
  std::size_t parameters() const { return noise() + 1; }
};

class OwnEvidence {
 public:
  static constexpr Index plain_rows = 256;

  /// `inputs` has one column a row; it is not used without an se kernel. The matrices are copied.
  OwnEvidence(const OwnEvidenceForm& form, Matrix inputs, Vector targets, std::vector<Matrix> parts);

  struct Value {
    double value = 0;
    std::vector<double> slopes;
  };
  /// Returns nothing if the covariance cannot be factorised.
  std::optional<Value> at(const std::vector<double>& parameters) const;

  struct Posterior {
    Vector alpha;     ///< C⁻¹ y
    Matrix inverse;   ///< C⁻¹
    Vector left_out;  ///< the residual of each row's own leave-one-out prediction
    Vector variance;  ///< of that prediction, with noise
  };
  std::optional<Posterior> posterior(const std::vector<double>& parameters) const;

  const OwnEvidenceForm& form() const { return form_; }
  Index rows() const { return targets_.size(); }
  const Matrix& inputs() const { return inputs_; }

 private:
  struct Factored;
  std::optional<Factored> factored(const std::vector<double>& parameters) const;

  OwnEvidenceForm form_;
  Matrix inputs_;
  Vector targets_;
  std::vector<Matrix> parts_;
};

/// Returns s² exp(-½ |(a - b)/l|²) between the columns of `a` and `b`, with the parameters of the se kernel.
Matrix se_between(const OwnEvidenceForm& form, const std::vector<double>& parameters, const Matrix& a,
                  const Matrix& b);

/// Where to search: a normal prior and limits for each parameter.
struct OwnEvidenceSearch {
  std::vector<double> start, low, high;
  std::vector<double> mean, deviation;  ///< of the prior; a deviation of 0 means none
  std::size_t evaluations = 25;
};

/// Returns the best parameters found; the start if nothing is better.
std::vector<double> most_likely(const OwnEvidence& evidence, const OwnEvidenceSearch& search);

}  // namespace tacit
