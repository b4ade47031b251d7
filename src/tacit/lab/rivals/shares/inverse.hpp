// The inverse of A = L D Lᵀ over shares, as X = L⁻¹ and D⁻¹. Part of the rival `shares`, a baseline for
// measurements (shares.hpp).
//
// Luo et al. invert by a Cholesky decomposition in 22 N − 6 rounds. The following division of these rounds is
// our own reading of the published count:
//   16 for each of N pivots: 1/d_j by 8 steps of Newton's iteration, one round for each of two products;
//    6 for each step from a column to the next: opening the column c under masks, ℓ = c/d_j, opening ℓ, the
//    next
//      column (which has the next pivot), the next row of X by forward substitution, opening that row.
// Columns are computed in Crout's order, each with all its sums at once. A number is opened under its mask
// only once and then used in all sums, so that N² numbers are exchanged for a matrix and not N³. All matrices
// of a batch go through the same rounds.
#pragma once

#include <functional>

#include "tacit/lab/rivals/shares/kernel.hpp"

namespace tacit::shares {

/// The inverse of one matrix. X has ones on its diagonal, which are not stored.
struct Inverse {
  std::size_t rows = 0;
  Words open, mask;  ///< X under its masks, rows x rows by rows; only the part below the diagonal is used
};

struct Inverses {
  std::vector<Inverse> factors;  ///< by job
  /// 1/d_j by column, for the jobs that have this column, which are the first ones.
  std::vector<Masked> pivots;
};

/// The dealer's part of the inverses.
struct DealtInverses {
  std::vector<Words> masks;
  std::vector<DealtMask> pivots;
};

/// Called after each column; throws to end the work.
using AfterColumn = std::function<void(std::size_t column)>;

/// (2 steps + 6) N − 6 for a matrix of N rows, which is 22 N − 6 with 8 steps.
std::uint64_t inversion_rounds(const Shape& shape, std::size_t rows);

/// `below` are shares of A below its diagonal, by job. The diagonal has ones.
Task<Inverses> invert(Server& server, const Shape& shape, const std::vector<Words>& below,
                      AfterColumn after_column = {});
DealtInverses deal_inverses(Dealer& dealer, const Shape& shape, const AfterColumn& after_column = {});

/// 1/d of each row of each job of a chunk, `count` times each.
Masked spread_pivots(const Inverses& inverses, const Shape& shape, std::size_t count);
DealtMask spread_pivots(const DealtInverses& inverses, const Shape& shape, std::size_t count);

}  // namespace tacit::shares
