// The kernel over shares. Part of the rival `shares`, a baseline for measuring (shares.hpp).
//
// The exponential is Luo et al.'s confusion and correction with the help of the dealer: servers open t + r,
// so e^t = e^(t+r) · e^-r, where the first factor is public and the dealer has shared the second. With r from
// all of Z_2^64, as here, what is opened is uniform and tells nothing. It is then known modulo 2 only, for t
// between −1 and 0, and the dealer shares the correction for either case of the carry. Longer distances are
// divided by 2^h first and the result is squared h times.
//
// Of the published method only an outline could be had (docs/rivals.md): the ring that r comes from, the
// correction of the carry and the squarings are how we read it.
#pragma once

#include "tacit/lab/rivals/shares/shape.hpp"

namespace tacit::shares {

/// One server's shares of a job's rows and of the test points, in the units of shape.hpp.
struct Rows {
  Words inputs;   ///< rows, then test points; by rows
  Words norms;    ///< |x|² of each, with 52 fractional bits
  Words outputs;  ///< of the rows
};

/// ω E of a job without its diagonal: the entries under the diagonal by rows, then rows x test points by
/// rows.
struct Covariances {
  Words pairs, points;
};
inline std::size_t pairs_of(std::size_t rows) { return rows * (rows - 1) / 2; }
inline std::size_t pair(std::size_t i, std::size_t j) { return i * (i - 1) / 2 + j; }  ///< j < i

/// By job; for every chunk of them 3 rounds and one for every squaring.
Task<std::vector<Covariances>> covariances(Server& server, const Shape& shape, const std::vector<Rows>& rows);
void deal_covariances(Dealer& dealer, const Shape& shape);

/// ω^(1/2^h) e^t for −0.99 ≤ t ≤ 0 with 52 fractional bits; the root of each number's ω is public. 2 rounds.
Task<Masked> exponential(Server& server, Words t, const std::vector<double>& roots);
DealtMask deal_exponential(Dealer& dealer, std::size_t count);

}  // namespace tacit::shares
