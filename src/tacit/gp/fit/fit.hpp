// Fits a Gaussian-process model to the rows of a single party:
//
//   const Model model = fit(inputs, outputs, se(ard) + linear());
//   const Prediction p = model.predict(points);
//
// Threads: a Model is immutable; any number of threads may use it and call `fit`.
// Errors: InputError for rows, options and files that cannot be used, Error for other failures.
// Stopping: with StoppableWork (base/stop.hpp) `fit` throws Stopped at the next evaluation of the
// likelihood, and predictions at the next expert or after at most 256 points.
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

/// Options of fit().
struct FitOptions {
  /// The initial noise. If absent, it is half of the outputs' deviation.
  std::optional<double> noise = {};
  bool learn_noise = true;
  /// Subtracts the outputs' means before the fit and adds them to predictions. The prior mean is zero.
  bool centre = true;
  /// The number of further searches, from starting points up to a factor of 10 away. The best search counts.
  std::size_t restarts = alone_defaults.restarts;
  std::uint64_t seed =
      alone_defaults.seed;  ///< the seed of these starting points and of the split of rows among experts
  unsigned threads = 0;     ///< 0: all threads of the machine; the result does not depend on the number
  /// Every parameter stays within this factor of its initial value. Values that the kernel does not give are
  /// chosen from the data (initial_prior.hpp).
  double reach = alone_defaults.reach;
  /// The width of a weak prior, which keeps parameters near their initial values if the data do not determine
  /// them. It is log-normal around the initial value, with this deviation of the logarithm (3 is a factor of
  /// 20). 0: no prior.
  double prior_width = alone_defaults.prior_width;
  MaximiserLimits limits{.most_evaluations = alone_defaults.evaluations};
  /// More rows than expert_rows are split among experts.
  CommitteeOptions committee{.expert_rows = alone_defaults.expert_rows};
  Fusion fusion = alone_defaults.fusion;  ///< the rule that combines the experts
  Progress* progress = nullptr;           ///< if not null, receives the progress of the searches
};

/// The result of the search for parameters.
struct FitReport {
  double log_marginal_likelihood = 0;  ///< at the parameters found, without the weak prior
  double jitter = 0;                   ///< the largest jitter of a covariance at these parameters
  std::size_t evaluations = 0;         ///< evaluations of the likelihood, in all searches
  bool converged = false;  ///< true if the best search ended because the likelihood or the point settled
  std::string reason;      ///< why the best search ended, as a sentence
  std::vector<std::string> at_bound;  ///< names of the parameters that ended at a bound
  std::vector<double> trace;          ///< the likelihood at every evaluation of the best search
  std::size_t experts = 1;

  bool operator==(const FitReport&) const = default;
};

/// A fitted model. Immutable, so that any number of threads may predict at the same time.
class Model {
 public:
  /// Predicts as Expert::predict does. A model of several experts recomputes the factors in each call, so
  /// that a million rows need no memory for factors.
  Prediction predict(const MatrixView& points, const PredictOptions& options = {}) const;
  /// Predicts as Expert::predict_jointly does. Throws InputError for a model of several experts, whose fused
  /// prediction has variances only.
  JointPrediction predict_jointly(const MatrixView& points, const JointOptions& options = {}) const;

  /// Returns this model with more rows and the same parameters. A single expert extends its factor. Throws as
  /// fit() does.
  Model add_data(const Matrix& inputs, const Matrix& outputs) const;

  const Prior& prior() const { return prior_; }
  const FitReport& report() const { return report_; }
  const Vector& offset() const { return offset_; }  ///< the mean that centring subtracted from each output
  Index rows() const { return inputs_.rows(); }

  /// Saves the model atomically. Only the owner can read the file, because it contains the rows. The file has
  /// a version and a checksum. Throws Error, naming the file, if it cannot be written.
  void save(const std::filesystem::path& file) const;
  /// Loads a saved model, which is identical to the bit. Throws InputError, naming the file, if it cannot be
  /// read, is not a model, has another version or is damaged.
  static Model load(const std::filesystem::path& file);
  /// Returns the bytes that save() writes.
  std::string to_file() const;
  /// Loads a model from these bytes. Throws as load() does.
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
  std::optional<Expert> expert_;  // if there is only one
};

/// Fits a model: maximises the marginal likelihood over the parameters of the kernel and the noise. The
/// search starts from the numbers of the kernel; for a kernel without numbers, such as se(ard), it starts
/// from the data. All outputs share the parameters found. Throws InputError if the rows or options cannot be
/// used, and Error if a covariance cannot be factorised.
Model fit(Matrix inputs, const Matrix& outputs, const Kernel& kernel, const FitOptions& options = {});

}  // namespace tacit
