// Fusion rules: combine the predictions of several experts into one.
//
// Every rule is a function of two sums over experts. Agents can therefore compute it by secure sums:
//   poe   product of experts (DGPR):  P = Σ 1/V_i,              W = Σ f_i/V_i,      V = 1/P,        f = V W
//   gpoe  the same, tempered by 1/E:  P and W as for poe,                           V = E/P,        f = W/P
//   bcm   Bayesian committee:         P = Σ (1/V_i − 1/k),      W = Σ f_i/V_i,      V = 1/(1/k + P), f = V W
//   rbcm  robust committee:           P = Σ β_i (1/V_i − 1/k),  W = Σ β_i f_i/V_i,  V = 1/(1/k + P), f = V W
// Here E is the number of experts, k = k(x,x) is the prior variance, which is public, and β_i = ½ log(k/V_i).
// Committees are usually written as 1/V = Σ β_i/V_i + (1 − Σ β_i)/k, which needs three sums. Moving the prior
// into the sum reduces them to two and makes P ≥ 0.
//
// Threads: plain values; different threads may fuse different evidence.
// Errors: InputError for shapes and variances that cannot be used.
// Stopping: nothing here takes long.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tacit/gp/matrix.hpp"
#include "tacit/gp/prediction.hpp"

namespace tacit {

/// The fusion rules.
enum class Fusion { poe, gpoe, bcm, rbcm };

/// Returns the rule of this name. Throws InputError, listing the rules, for any other name.
Fusion parse_fusion(std::string_view name);
/// Returns the name of a rule.
std::string to_string(Fusion rule);
inline constexpr Fusion all_fusions[] = {Fusion::poe, Fusion::gpoe, Fusion::bcm, Fusion::rbcm};

/// The sums over experts, points x outputs. The sums of several parties can be added.
struct Evidence {
  Matrix weighted_mean;  ///< W
  Matrix precision;      ///< P
  double experts = 0;    ///< E

  Evidence() = default;
  /// Creates the sums over no experts.
  Evidence(Index points, Index outputs);
  Evidence& operator+=(const Evidence& other);
};

/// Adds an expert's prediction to the sums. `variance` and `prior` may have a single column for all outputs.
/// Throws InputError if shapes differ, and, naming row and column, if a mean is not finite or a variance is
/// not positive with a finite inverse. O(points x outputs).
void add_expert(Evidence& evidence, Fusion rule, const Matrix& mean, const Matrix& variance,
                const Matrix& prior);

/// Returns the mean f and the latent variance V from the sums. `prior` is k(x,x), points x outputs or points
/// x 1; poe and gpoe do not use it. If the sums are inexact, a variance can be negative or infinite. The
/// observed variance is empty.
Prediction fuse(Fusion rule, const Evidence& evidence, const Matrix& prior);

/// Fuses the predictions of all experts; element i of both lists belongs to expert i. Throws as add_expert
/// does, naming the expert.
Prediction fuse(Fusion rule, std::span<const Matrix> means, std::span<const Matrix> variances,
                const Matrix& prior);

/// Fuses by the paper's rule (DGPR), the product of experts.
Prediction fuse_poe(std::span<const Matrix> means, std::span<const Matrix> variances);

}  // namespace tacit
