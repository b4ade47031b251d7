// The posteriors of all parties over shares and their product of experts. Part of the rival `shares`, a
// baseline for measurements (shares.hpp).
//
// With v = X k and w = X y, the posterior (posterior) is f_i = Σ v w / d and V_i = ω − Σ v² / d, or 1 − Σ v²
// / d with the noise. The inverse is used in its factors and not multiplied out. Then (DGPR) gives V = 1/Σ
// 1/V_i and f = V Σ f_i/V_i. Only these two are opened.
#pragma once

#include "tacit/lab/rivals/shares/inverse.hpp"

namespace tacit::shares {

/// Shares of the fused prediction, outputs x points by rows.
struct FusedShares {
  Words mean;      ///< in y_max
  Words variance;  ///< in θ_s² + σ_ε², with 34 fractional bits
};

Task<FusedShares> predict(Server& server, const Shape& shape, const std::vector<Covariances>& covariances,
                          const std::vector<Rows>& rows, const Inverses& inverses);
void deal_prediction(Dealer& dealer, const Shape& shape, const DealtInverses& inverses);

}  // namespace tacit::shares
