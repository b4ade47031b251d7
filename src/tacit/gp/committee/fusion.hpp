// How several experts' predictions become one.
//
// Every rule is a function of two sums over experts, so agents can add theirs up without showing them:
//   poe   product of experts (DGPR):  P = Σ 1/V_i,              W = Σ f_i/V_i,      V = 1/P,        f = V W
//   gpoe  the same, tempered by 1/E:  P and W as poe's,                             V = E/P,        f = W/P
//   bcm   Bayesian committee:         P = Σ (1/V_i − 1/k),      W = Σ f_i/V_i,      V = 1/(1/k + P), f = V W
//   rbcm  robust committee:           P = Σ β_i (1/V_i − 1/k),  W = Σ β_i f_i/V_i,  V = 1/(1/k + P), f = V W
// with E experts, k = k(x,x) the prior variance, which all know, and β_i = ½ log(k/V_i). Committees are
// usually written with 1/V = Σ β_i/V_i + (1 − Σ β_i)/k, which takes three sums; moving the prior inside
// leaves two and makes P ≥ 0.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tacit/gp/matrix.hpp"

namespace tacit {

enum class Fusion { poe, gpoe, bcm, rbcm };

/// Throws InputError, listing the rules, for any other name.
Fusion parse_fusion(std::string_view name);
std::string to_string(Fusion rule);
inline constexpr Fusion all_fusions[] = {Fusion::poe, Fusion::gpoe, Fusion::bcm, Fusion::rbcm};

/// A fused prediction, points x outputs.
struct Fused {
  Matrix mean;
  Matrix variance;
};

/// The sums, points x outputs. Those of several parties can be added.
struct Evidence {
  Matrix weighted_mean;  ///< W
  Matrix precision;      ///< P
  double experts = 0;    ///< E

  Evidence() = default;
  Evidence(Index points, Index outputs);
  Evidence& operator+=(const Evidence& other);
};

/// Adds an expert's belief. Variances and prior may have a single column, which then serves all outputs.
/// Throws InputError, naming row and column, if shapes differ, a mean is not finite, or a variance is not
/// positive with a finite inverse. O(points x outputs).
void add_expert(Evidence& evidence, Fusion rule, const Matrix& mean, const Matrix& variance,
                const Matrix& prior);

/// From sums to V and f. The prior is k(x,x), points x outputs or points x 1; poe and gpoe do not use it.
/// Sums that are not quite exact can give a variance that is not positive.
Fused fuse(Fusion rule, const Evidence& evidence, const Matrix& prior);

/// All at once: element i of both lists is expert i's. Throws as add_expert does, naming the expert.
Fused fuse(Fusion rule, std::span<const Matrix> means, std::span<const Matrix> variances,
           const Matrix& prior);

/// (DGPR): the product of experts, as the paper has it.
Fused fuse_poe(std::span<const Matrix> means, std::span<const Matrix> variances);

}  // namespace tacit
