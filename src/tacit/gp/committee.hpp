// Many rows: one party's rows split among experts, all with the same prior, worked on side by side. Time and
// memory grow with the rows instead of their cube and square.
#pragma once

#include <cstdint>
#include <vector>

#include "tacit/gp/expert.hpp"
#include "tacit/gp/fusion.hpp"
#include "tacit/gp/landmark_likelihood.hpp"
#include "tacit/gp/landmark_sums.hpp"
#include "tacit/gp/likelihood.hpp"

namespace tacit {

enum class RowSplit {
  random,   ///< every expert sees all of the input space, thinly
  clusters  ///< every expert sees one region, closely: bisecting k-means on the inputs
};

struct CommitteeOptions {
  std::size_t expert_rows = 500;  ///< the most rows of one expert; docs/performance.md measures the choice
  RowSplit split = RowSplit::random;
  std::uint64_t seed = 1;
};

/// Throws InputError, listing the known ways, for any other name.
RowSplit parse_row_split(std::string_view name);
std::string to_string(RowSplit split);

/// How many experts these options make of this many rows: as few as possible.
std::size_t expert_count(std::size_t rows, const CommitteeOptions& options);

/// Row numbers of each expert, ascending; sizes differ by at most one. The same seed gives the same split. By
/// clusters, columns weigh by their spread. O(rows (dimensions + 1) log experts).
std::vector<std::vector<Index>> split_rows(const Matrix& inputs, const CommitteeOptions& options);

/// One party's rows as a committee. Holds references.
class Committee {
 public:
  /// With `threads` threads; results are the same for any number. BLAS should use one each.
  Committee(const Matrix& inputs, const Matrix& outputs, const CommitteeOptions& options,
            unsigned threads = 1);

  std::size_t experts() const { return parts_.size(); }

  /// Σ of the experts' h of (lml) and its slopes, for these output columns. The jitter is the largest.
  Likelihood likelihood(const Prior& prior, Index first_output, Index outputs) const;

  /// What all rows say through landmarks of the prior's kernel, a block for each expert. 8 m² bytes for each
  /// of at most 16 partial sums.
  LandmarkSums landmark_sums(const Prior& prior, Index first_output, Index outputs,
                             const Landmarks& landmarks) const;

  /// These rows' part of the likelihood through landmarks, given what is pooled of all rows.
  Likelihood landmark_likelihood(const Prior& prior, Index first_output, Index outputs,
                                 const PooledPart& pooled) const;

  /// What the experts say at the points, added up for each of some rules. With a pooled part they are experts
  /// of residuals.
  struct Said {
    std::vector<Evidence> evidence;  ///< by rule, as asked for
    Vector prior;                    ///< the variance before the experts: k(x,x), or what landmarks leave
    Fused pooled;                    ///< what the pooled part says; nothing without one
    std::size_t clamped = 0;         ///< variances that rounding had pushed below what the data allow
    double jitter = 0;               ///< the largest that an expert needed
  };
  Said evidence(const Prior& prior, Index first_output, Index outputs, const MatrixView& points,
                std::span<const Fusion> rules, const PooledPart* pooled = nullptr) const;

  /// The experts themselves, for callers that ask them more than once, and what they say. They take 8 bytes
  /// for every row and every row of its expert (factor_bytes).
  std::vector<Expert> fit(const Prior& prior, Index first_output, Index outputs,
                          const PooledPart* pooled = nullptr) const;
  Said evidence(const std::vector<Expert>& fitted, const MatrixView& points, std::span<const Fusion> rules,
                const PooledPart* pooled = nullptr) const;
  std::size_t factor_bytes() const;

 private:
  /// Calls work(expert, lane) for every expert; experts of a lane come one after the other.
  template <class Work>
  void for_each_expert(std::size_t lanes, Work&& work) const;
  /// The sum of likelihood_of(inputs, outputs) over experts.
  template <class LikelihoodOf>
  Likelihood summed(std::size_t parameters, Index first_output, Index outputs,
                    LikelihoodOf&& likelihood_of) const;
  template <class ExpertOf>
  Said gather(const Prior& prior, Index outputs, const MatrixView& points, std::span<const Fusion> rules,
              const PooledPart* pooled, ExpertOf&& expert_of) const;
  Expert fit_one(std::size_t expert, const Prior& prior, Index first_output, Index outputs,
                 const PooledPart* pooled) const;
  std::size_t lanes() const;

  const Matrix& inputs_;
  const Matrix& outputs_;
  std::vector<std::vector<Index>> parts_;
  unsigned threads_;
};

}  // namespace tacit
