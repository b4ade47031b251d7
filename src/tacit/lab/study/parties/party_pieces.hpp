// The rows of a simulated consortium if several processes read them, each some pieces.
#pragma once

#include <string>
#include <vector>

#include "tacit/lab/study/parties/parties.hpp"
#include "tacit/table/rows/pieces.hpp"

namespace tacit {

/// The result of reading a piece.
struct PieceRead {
  std::size_t file = 0;
  DataFile found;
};

/// Replaces the pieces of this process by those of all processes. Returns the number of the first row of each
/// process, counted through all processes, and then the number of rows. Throws InputError if the inputs that
/// follow from the files differ.
std::vector<std::size_t> share_pieces(ReaderGroup& together, const std::vector<std::string>& inputs,
                                      std::vector<PieceRead>& pieces);

/// The result of reading each file.
std::vector<DataFile> files_of(const std::vector<PieceRead>& pieces);

/// Stores the rows that this process read in `parties`. Sends all processes the test rows, which are the rows
/// `test` of all rows, and the range of the targets among the others.
void share_rows(ReaderGroup& together, const std::vector<std::size_t>& first, Samples own,
                const std::vector<std::size_t>& lines, const RowNumbers& test, Parties& parties);

}  // namespace tacit
