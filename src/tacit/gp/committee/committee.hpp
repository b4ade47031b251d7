// A committee of experts for many rows: one party's rows, split among experts with the same prior. Time and
// memory grow linearly with the number of rows, instead of with its cube and square.
//
// Threads: const functions may run on any number of threads.
// Errors: InputError or Error, as Expert::of does.
// Stopping: with StoppableWork (base/stop.hpp) every function throws Stopped between experts.
#pragma once

#include <memory>
#include <vector>

#include "tacit/gp/committee/crew.hpp"
#include "tacit/gp/committee/fusion.hpp"
#include "tacit/gp/expert/likelihood.hpp"
#include "tacit/gp/landmarks/landmark_likelihood.hpp"
#include "tacit/gp/landmarks/landmark_sums.hpp"

namespace tacit {

/// One party's rows as a committee of experts.
class Committee {
 public:
  explicit Committee(std::shared_ptr<const Crew> crew) : crew_(std::move(crew)) {}
  /// Creates a committee of rows in this process. It holds references to them. It computes with `threads`
  /// threads; the results do not depend on their number. BLAS should use one thread (BlasThreads).
  Committee(const Matrix& inputs, const Matrix& outputs, const CommitteeOptions& options,
            unsigned threads = 1)
      : Committee(crew_of_threads(inputs, outputs, options, threads)) {}

  std::size_t experts() const { return crew_->experts(); }
  Index outputs() const { return crew_->outputs(); }

  /// Returns the sum over experts of h of (lml) and of its slopes, for these output columns. The jitter is
  /// the largest of the experts'.
  Likelihood likelihood(const Prior& prior, Index first_output, Index outputs) const;

  /// Returns the sums over all rows for landmarks of the prior's kernel, with one block for each expert.
  /// Takes 8 m² bytes for each of up to 16 partial sums.
  LandmarkSums landmark_sums(const Prior& prior, Index first_output, Index outputs,
                             const Landmarks& landmarks) const;

  /// Returns these rows' part of the likelihood through landmarks, given the pooled part of the model.
  Likelihood landmark_likelihood(const Prior& prior, Index first_output, Index outputs,
                                 const PooledPart& pooled) const;

  /// The experts' evidence at some points, summed for each of some fusion rules. With a pooled part, the
  /// experts are experts of residuals.
  struct PointEvidence {
    std::vector<Evidence> evidence;  ///< by rule, in the order of the request
    Vector prior;                    ///< the experts' prior variance: k(x,x), or the residual variance
    Prediction pooled;               ///< the prediction of the pooled part; empty without one
    std::size_t clamped = 0;         ///< variances that rounding pushed below `variance_floor`
    double jitter = 0;               ///< the largest of the experts'
  };
  using Said [[deprecated("use PointEvidence")]] = PointEvidence;
  PointEvidence evidence(const Prior& prior, Index first_output, Index outputs, const MatrixView& points,
                         std::span<const Fusion> rules, const PooledPart* pooled = nullptr) const;

  /// Returns the experts, for callers that need their evidence more than once. They take
  /// factor_bytes() bytes. If the rows are not in this process, the result is empty, and evidence() of it
  /// throws InputError.
  std::vector<Expert> make_experts(const Prior& prior, Index first_output, Index outputs,
                                   const PooledPart* pooled = nullptr) const;
  [[deprecated("call make_experts")]] std::vector<Expert> fit(const Prior& prior, Index first_output,
                                                              Index outputs,
                                                              const PooledPart* pooled = nullptr) const {
    return make_experts(prior, first_output, outputs, pooled);
  }
  PointEvidence evidence(const std::vector<Expert>& fitted, const MatrixView& points,
                         std::span<const Fusion> rules, const PooledPart* pooled = nullptr) const;
  /// Returns the memory of these experts: for each expert, 8 bytes times the square of its rows.
  std::size_t factor_bytes() const { return crew_->factor_bytes(); }

 private:
  std::shared_ptr<const Crew> crew_;
};

}  // namespace tacit
