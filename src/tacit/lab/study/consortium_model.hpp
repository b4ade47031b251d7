// A consortium in one process, in two lines, by the protocols that real agents run:
//
//   const ConsortiumModel model = fit_consortium(parties, se(ard) + constant());
//   const Prediction p = model.predict(points);
//
// Nothing is private here, because one process has all data. Use it to try a model before agents run it.
//
// Threads: a ConsortiumModel is immutable; any number of threads may use it.
// Errors: InputError for parties, options, points and files that cannot be used, Error for other failures.
// Stopping: with StoppableWork (base/stop.hpp) fits and predictions throw Stopped at the next message or
// expert.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacit/consortium/predict/local.hpp"
#include "tacit/consortium/standardise/standardise.hpp"
#include "tacit/gp/defaults.hpp"
#include "tacit/gp/fit/optimise.hpp"
#include "tacit/gp/prediction.hpp"

namespace tacit {

struct Parties;
struct Progress;
struct StudyOptions;

struct ConsortiumFitOptions {
  std::size_t restarts = consortium_defaults.restarts;
  std::uint64_t seed = consortium_defaults.seed;
  unsigned threads = 0;                      ///< 0: all cores
  bool shared = consortium_defaults.shared;  ///< one kernel and noise for all outputs
  /// The limits of all numbers, for standardised data.
  double box_low = consortium_defaults.low, box_high = consortium_defaults.high;
  /// Higher limits for noise and length-scales. By default those of a new charter (usual_search.hpp), at most
  /// the start.
  std::optional<double> noise_floor, lengthscale_floor;
  MaximiserLimits limits;
  CommitteeOptions committee;  ///< how a party with many rows splits them among experts
  Fusion fusion = consortium_defaults.fusion;
  /// The number of public points through which the pooled part of the model is learnt. By default, as many as
  /// the rows allow (landmark_ceiling); 0 for experts only.
  std::optional<std::size_t> landmarks;
};

/// The result of a fit's search.
struct ConsortiumReport {
  double log_marginal_likelihood = 0;  ///< Σ_i h_i, of standardised outputs
  std::size_t evaluations = 0;
  bool converged = false;
  std::string reason;
  std::vector<std::string> at_bound;
  std::vector<double> trace;  ///< Σ_i h_i at each evaluation
  std::size_t experts = 0;    ///< of all parties
  std::size_t landmarks = 0;
  std::uint64_t opened = 0;  ///< numbers about all rows together that the fit opened to all parties
};

class ConsortiumModel {
 public:
  /// Throws InputError if the points have other columns than the parties' inputs or a non-finite entry.
  Prediction predict(const Matrix& points) const;

  /// Predicts at home, from the pooled part and the experts of one party. No other party learns the points.
  Prediction predict_at_home(std::size_t party, const Matrix& points) const;

  const Priors& priors() const;  ///< by output, for standardised data
  /// None for a model fitted without standardising.
  const std::optional<Standardisation>& standardisation() const;
  const ConsortiumReport& report() const;
  Vector noise_variance() const;  ///< of each output, in the data's units

  /// The exact model as a file in memory, which contains the rows of all parties. from_file throws InputError
  /// for a damaged file or another version.
  std::string to_file() const;
  static ConsortiumModel from_file(std::string whole);

 private:
  friend ConsortiumModel fit_consortium(const Parties&, const StudyOptions&, Progress*);
  friend ConsortiumModel fit_consortium(const std::vector<Samples>&, const Kernel&,
                                        const ConsortiumFitOptions&);
  struct State;
  void check(const Matrix& points) const;
  explicit ConsortiumModel(std::shared_ptr<const State> state) : state_(std::move(state)) {}

  std::shared_ptr<const State> state_;
};

/// Fits exactly the model of `tacit simulate` for these parties. Ignores test points, topology and held-out
/// rows. Throws InputError unless the sums are exact.
ConsortiumModel fit_consortium(const Parties& parties, const StudyOptions& options,
                               Progress* progress = nullptr);

/// Standardises and tunes over exact sums among all parties. Throws InputError for parties with different
/// columns or without rows.
ConsortiumModel fit_consortium(const std::vector<Samples>& parties, const Kernel& kernel,
                               const ConsortiumFitOptions& options = {});

[[deprecated("call fit_consortium")]] inline ConsortiumModel fit(const std::vector<Samples>& parties,
                                                                 const Kernel& kernel,
                                                                 const ConsortiumFitOptions& options = {}) {
  return fit_consortium(parties, kernel, options);
}

}  // namespace tacit
