// The kernel over shares. Part of the rival `shares`, a baseline for measurements (shares.hpp).
//
// The exponential is the "confusion-correction" of Luo et al. with the help of the dealer. Servers open t +
// r, so e^t = e^(t+r) · e^-r: the first factor is public, and the dealer has shared the second. Here, r is
// uniform in Z_2^64, so the opened number is uniform and reveals nothing. It is then known only modulo 2, so
// t must be between −1 and 0, and the dealer shares the correction for either case of the carry. Longer
// distances are first divided by 2^h, and the result is squared h times.
//
// We know only an outline of the published method (docs/rivals.md). The ring of r, the correction of the
// carry and the squarings are our reading.
#pragma once

#include "tacit/lab/rivals/shares/shape.hpp"

namespace tacit::shares {

/// One server's shares of the rows of a job and of the test points, in the units of shape.hpp.
struct Rows {
  Words inputs;   ///< rows, then test points; by rows
  Words norms;    ///< |x|² of each, with 52 fractional bits
  Words outputs;  ///< of the rows
};

/// ω E of a job without its diagonal: the entries below the diagonal by rows, then rows x test points by
/// rows.
struct Covariances {
  Words pairs, points;
};
inline std::size_t pairs_of(std::size_t rows) { return rows * (rows - 1) / 2; }
inline std::size_t pair(std::size_t i, std::size_t j) { return i * (i - 1) / 2 + j; }  ///< j < i

/// The covariances by job. Takes 3 rounds for each chunk and one for each squaring.
Task<std::vector<Covariances>> covariances(Server& server, const Shape& shape, const std::vector<Rows>& rows);
void deal_covariances(Dealer& dealer, const Shape& shape);

/// ω^(1/2^h) e^t for −0.99 ≤ t ≤ 0 with 52 fractional bits. The root of each number's ω is public. Takes 2
/// rounds.
Task<Masked> exponential(Server& server, Words t, const std::vector<double>& roots);
DealtMask deal_exponential(Dealer& dealer, std::size_t count);

}  // namespace tacit::shares
