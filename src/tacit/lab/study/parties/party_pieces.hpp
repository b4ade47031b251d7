// The rows of a simulated consortium when several processes read them, each some pieces.
#pragma once

#include <string>
#include <vector>

#include "tacit/lab/study/parties/parties.hpp"
#include "tacit/table/rows/pieces.hpp"

namespace tacit {

/// What was found in a piece.
struct PieceRead {
  std::size_t file = 0;
  DataFile found;
};

/// Replaces this process's pieces by those of all processes. Returns the first row that each process read,
/// counted through all of them, then the number of rows. Throws InputError if the inputs that follow from the
/// files differ.
std::vector<std::size_t> share_pieces(ReadTogether& together, const std::vector<std::string>& inputs,
                                      std::vector<PieceRead>& pieces);

/// What was found in each file.
std::vector<DataFile> files_of(const std::vector<PieceRead>& pieces);

/// Keeps the rows that this process read in `parties`, and gives every process the rows of the test, which
/// are these of all rows, and the largest target among the others.
void share_rows(ReadTogether& together, const std::vector<std::size_t>& first, Samples own,
                const std::vector<std::size_t>& lines, const RowNumbers& test, Parties& parties);

}  // namespace tacit
