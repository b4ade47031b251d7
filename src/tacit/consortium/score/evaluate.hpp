// How well the consortium's model does on rows that were held out and stay private: everybody learns the
// pooled error and log density, nobody a row's or an agent's.
#pragma once

#include "tacit/consortium/secure_sum.hpp"
#include "tacit/gp/committee/fusion.hpp"

namespace tacit {

/// What everybody may know before scoring.
struct ScoreFacts {
  std::size_t outputs = 1;
  std::size_t rows = 0;  ///< the most rows an agent scores
  double error = 0;      ///< |y − f̂| is at most this
  double signal = 0;     ///< no latent variance is above signal²
  double noise = 0;      ///< σ_ε; no observed variance is below noise²
};

/// Over all agents' held-out rows, for each output.
struct Score {
  std::size_t rows = 0;  ///< exact
  Vector mean_square;    ///< of y − f̂
  Vector log_density;    ///< the mean of log N(y; f̂, V + σ_ε²)
};

/// The one sum that scoring takes: rows, squared errors in noise² and log densities.
SumShape score_sum(const ScoreFacts& facts);

/// One agent's side: `observed` is predicted, with the noise in the variances, where `truth` was held out;
/// both may be empty. References must outlive the task. Throws Error when nobody held out a row.
Task<Score> score_privately(Channel& net, const SecureSum& secure_sum, const ScoreFacts& facts,
                            const Fused& observed, const Matrix& truth);

}  // namespace tacit
