// Answers at home: one party predicts from what all others know about the shared part, and from its own rows
// without noise. Nothing is sent. Four candidates compete by leave-one-out over the own rows:
//
//   shared    the model of all agents: shared part and residual kernel
//   retuned   the same with three factors by own evidence: of shared part, residual part and noise
//   own       the others' posterior plus an own ARD kernel, by own evidence
//   alone     own rows only
//
// Own rows say nothing about questions from elsewhere. So the choice applies to questions near own rows, and
// the shared model answers all others. Variances are calibrated by own leave-one-out.
//
// Threads: HomeModel is immutable; any number of threads may use it.
// Errors: InputError for points with another number of columns.
// Stopping: with StoppableWork (base/stop.hpp) the constructor throws Stopped between evaluations.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacit/consortium/protect/basis.hpp"
#include "tacit/consortium/protect/evidence.hpp"
#include "tacit/consortium/protect/rounds.hpp"
#include "tacit/gp/prediction.hpp"

namespace tacit {

enum class HomeCandidate { shared, retuned, own, alone };
std::string to_string(HomeCandidate candidate);
inline constexpr std::size_t home_candidates = 4;

/// The others' posterior of the weights.
struct OthersPosterior {
  explicit OthersPosterior(const OthersInformation& known);
  /// A posterior with a full covariance.
  OthersPosterior(Vector mean_of_weights, Matrix covariance_of_weights);

  Vector mean;
  Vector variance;  ///< if there is no covariance
  std::optional<Matrix> covariance;

  /// Returns the covariance times the features.
  Matrix spread(const Matrix& features) const;
};

class HomeModel {
 public:
  /// `basis` must outlive the model. Rows and answers are in standard units. Hyperparameters of a candidate
  /// are searched on at most `most_searched` rows, since a search takes many factorisations.
  HomeModel(const Basis& basis, BasisRows mine, OthersPosterior others, Index most_searched = 600);

  struct Answer {
    Vector mean;
    Vector latent;    ///< the variance of the function
    Vector variance;  ///< of a new observation: with noise
  };
  /// Answers at points in standard units, one column each.
  Answer answer(const Matrix& points) const;
  /// The answer of one candidate, calibrated.
  Answer answer(const Matrix& points, HomeCandidate candidate, bool calibrated = true) const;
  /// Returns whether each point is near own rows.
  std::vector<bool> near(const Matrix& points) const;

  HomeCandidate chosen() const { return chosen_; }
  /// The mean squared error of each candidate's own leave-one-out predictions.
  const std::array<double, home_candidates>& left_out_error() const { return error_; }

 private:
  struct Fitted {
    std::shared_ptr<const OwnEvidence> evidence;
    std::vector<double> parameters;
    OwnEvidence::Posterior posterior;
    double calibration = 1;
  };
  Fitted fit(HomeCandidate candidate) const;
  void choose();
  void calibrate_far();
  void find_near();
  Vector explained(const Matrix& points) const;

  const Basis& basis_;
  Index most_searched_;
  BasisRows mine_;
  OthersPosterior others_;
  Vector residual_;  // own targets less the others' mean
  Matrix shared_, rest_;
  std::array<Fitted, home_candidates> fitted_;
  std::array<double, home_candidates> error_{};
  HomeCandidate chosen_ = HomeCandidate::shared;
  Matrix near_inverse_;
  double near_share_ = 0;
  double far_calibration_ = 1;
};

}  // namespace tacit
