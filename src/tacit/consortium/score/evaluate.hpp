// Scores the consortium's model on held-out rows, which stay private: all agents learn the pooled error and
// log density, but not those of a row or of an agent.
#pragma once

#include "tacit/consortium/secure_sum.hpp"
#include "tacit/gp/prediction.hpp"

namespace tacit {

/// The facts that are public before scoring.
struct ScoreFacts {
  std::size_t outputs = 1;
  std::size_t rows = 0;  ///< the maximum number of rows that an agent scores
  double error = 0;      ///< |y − f̂| is at most this
  double signal = 0;     ///< latent variances are at most signal²
  double noise = 0;      ///< σ_ε; observed variances are at least noise²
};

/// The score over all agents' held-out rows, for each output.
struct Score {
  std::size_t rows = 0;  ///< exact
  Vector mean_square;    ///< of y − f̂
  Vector log_density;    ///< the mean of log N(y; f̂, V + σ_ε²)
};

/// Returns the shape of the one sum for scoring: rows, squared errors in units of noise², and log densities.
SumShape score_sum(const ScoreFacts& facts);

/// One agent's side: `predicted`, of which the means and observed variances count, is for the held-out rows
/// with targets `truth`; both may be empty. References must outlive the task. Throws Error if no agent has
/// held out a row.
Task<Score> score_privately(Run& net, const SecureSum& secure_sum, const ScoreFacts& facts,
                            const Prediction& predicted, const Matrix& truth);

}  // namespace tacit
