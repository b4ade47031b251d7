// Many rows: one party's rows split among experts, all with the same prior. Time and memory grow with the
// rows instead of their cube and square.
#pragma once

#include <memory>
#include <vector>

#include "tacit/gp/committee/crew.hpp"
#include "tacit/gp/committee/fusion.hpp"
#include "tacit/gp/expert/likelihood.hpp"
#include "tacit/gp/landmarks/landmark_likelihood.hpp"
#include "tacit/gp/landmarks/landmark_sums.hpp"

namespace tacit {

/// One party's rows as a committee.
class Committee {
 public:
  explicit Committee(std::shared_ptr<const Crew> crew) : crew_(std::move(crew)) {}
  /// Of rows in this process, to which it holds references, with `threads` threads; results are the same for
  /// any number. BLAS should use one each.
  Committee(const Matrix& inputs, const Matrix& outputs, const CommitteeOptions& options,
            unsigned threads = 1)
      : Committee(crew_of_threads(inputs, outputs, options, threads)) {}

  std::size_t experts() const { return crew_->experts(); }
  Index outputs() const { return crew_->outputs(); }

  /// Σ of the experts' h of (lml) and its slopes, for these output columns. The jitter is the largest.
  Likelihood likelihood(const Prior& prior, Index first_output, Index outputs) const;

  /// What all rows say through landmarks of the prior's kernel, a block for each expert. 8 m² bytes for each
  /// of at most 16 partial sums at a time.
  LandmarkSums landmark_sums(const Prior& prior, Index first_output, Index outputs,
                             const Landmarks& landmarks) const;

  /// These rows' part of the likelihood through landmarks, given what is pooled of all rows.
  Likelihood landmark_likelihood(const Prior& prior, Index first_output, Index outputs,
                                 const PooledPart& pooled) const;

  /// What the experts say at the points, added up for each of some rules. With a pooled part they are experts
  /// of residuals.
  struct PointEvidence {
    std::vector<Evidence> evidence;  ///< by rule, as asked for
    Vector prior;                    ///< the variance before the experts: k(x,x), or what landmarks leave
    Fused pooled;                    ///< what the pooled part says; nothing without one
    std::size_t clamped = 0;         ///< variances that rounding had pushed below what the data allow
    double jitter = 0;               ///< the largest that an expert needed
  };
  PointEvidence evidence(const Prior& prior, Index first_output, Index outputs, const MatrixView& points,
                         std::span<const Fusion> rules, const PooledPart* pooled = nullptr) const;

  /// The experts themselves, for callers that ask them more than once, and what they say. They take 8 bytes
  /// for every row and every row of its expert (factor_bytes). Where the rows are not in this process there
  /// are none, and to ask them throws InputError.
  std::vector<Expert> fit(const Prior& prior, Index first_output, Index outputs,
                          const PooledPart* pooled = nullptr) const;
  PointEvidence evidence(const std::vector<Expert>& fitted, const MatrixView& points,
                         std::span<const Fusion> rules, const PooledPart* pooled = nullptr) const;
  std::size_t factor_bytes() const { return crew_->factor_bytes(); }

 private:
  std::shared_ptr<const Crew> crew_;
};

}  // namespace tacit
