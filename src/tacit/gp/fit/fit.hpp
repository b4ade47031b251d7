// Two lines for a single party:
//
//   const Model model = fit(inputs, outputs, se(ard) + linear());
//   const Posterior p = model.predict(points);
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tacit/base/progress.hpp"
#include "tacit/gp/committee/committee.hpp"
#include "tacit/gp/expert/expert.hpp"
#include "tacit/gp/fit/optimise.hpp"

namespace tacit {

class SavedReader;

struct FitOptions {
  /// Where the noise starts; from the outputs' deviation when absent.
  std::optional<double> noise = {};
  bool learn_noise = true;
  /// Subtract the outputs' means before fitting and add them back to predictions; the prior mean is zero.
  bool centre = true;
  /// Further searches, from starts up to a factor of 10 away. The best search counts.
  std::size_t restarts = 2;
  std::uint64_t seed = 1;  ///< of these starts and of the experts' rows
  unsigned threads = 0;    ///< 0: as many as the machine has; the result is the same for any number
  /// Every number is kept within this factor of where it starts, which is chosen from the data
  /// (initial_prior.hpp).
  double reach = 1e3;
  /// A weak prior keeps numbers that the data say nothing about near where they started. It is log-normal
  /// around the start and this wide in logarithms (3 is a factor of 20). 0 means no such prior.
  double prior_width = 3;
  MaximiserLimits limits{.most_evaluations = 200};
  CommitteeOptions committee{.expert_rows = 2000};  ///< more rows than that are split among experts
  Fusion fusion = Fusion::rbcm;                     ///< the rule that combines them
  Progress* progress = nullptr;                     ///< told how far the searches have got, if there is one
};

/// How a fit went.
struct FitReport {
  double log_marginal_likelihood = 0;  ///< at the numbers found, without the weak prior
  double jitter = 0;                   ///< what had to be added to a covariance's diagonal there
  std::size_t evaluations = 0;         ///< of the likelihood, in all searches
  bool converged = false;              ///< the best search ended because nothing improved any more
  std::string reason;                  ///< why it ended, in words
  std::vector<std::string> at_bound;   ///< numbers that ended at the edge of where they were allowed
  std::vector<double> trace;           ///< the likelihood at every evaluation of the best search
  std::size_t experts = 1;

  bool operator==(const FitReport&) const = default;
};

/// A fitted model. Immutable: any number of threads may predict at once.
class Model {
 public:
  /// As Expert::predict. With several experts covariance and samples are refused, and each call factorises
  /// anew, so that a million rows need no memory for factors.
  Posterior predict(const MatrixView& points, const PredictOptions& options = {}) const;

  /// This model with more rows and the same numbers; a single expert extends its factor. Throws as fit does.
  Model add_data(const Matrix& inputs, const Matrix& outputs) const;

  const Prior& prior() const { return prior_; }
  const FitReport& report() const { return report_; }
  const Vector& offset() const { return offset_; }  ///< what centring took off each output
  Index rows() const { return inputs_.rows(); }

  /// A model is saved whole or not at all. Only its owner may read the file, as it contains the rows. The
  /// file has a version and a checksum; a model is read back to the bit. Throws InputError, naming the file,
  /// when it cannot be written, is not a model, has another version or is damaged.
  void save(const std::filesystem::path& file) const;
  static Model load(const std::filesystem::path& file);
  /// The same as a file in memory.
  std::string to_file() const;
  static Model from_file(std::string whole);

 private:
  friend Model fit(Matrix, const Matrix&, const Kernel&, const FitOptions&);
  static Model read(SavedReader& reader);
  Model(Matrix inputs, Matrix centred, Vector offset, Prior prior, FitReport report,
        CommitteeOptions committee, Fusion fusion, unsigned threads, std::optional<Expert> expert);

  Matrix inputs_, centred_;
  Vector offset_;
  Prior prior_;
  FitReport report_;
  CommitteeOptions committee_;
  Fusion fusion_;
  unsigned threads_;
  std::optional<Expert> expert_;  // when there is only one
};

/// The search starts from the numbers that the kernel gives; a kernel without numbers, such as se(ard),
/// starts from the data. Several outputs share the numbers found. Throws InputError for rows that cannot be
/// used, Error if no covariance can be factorised.
Model fit(Matrix inputs, const Matrix& outputs, const Kernel& kernel, const FitOptions& options = {});

}  // namespace tacit
