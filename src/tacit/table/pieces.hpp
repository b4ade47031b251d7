// The pieces in which data are read: files, shares of a query, or parts of one file. Their rows count one
// piece after the other, whoever reads them, so that what is made of the rows is always the same.
#pragma once

#include <vector>

#include "tacit/table/parties.hpp"

namespace tacit {

struct DataPiece {
  std::filesystem::path source;
  ReadOptions how;
  std::size_t file = 0;  ///< of PartyOptions::data
};

/// All of them; where several processes read together, those of this one. Throws InputError for data that
/// cannot be read in pieces then.
std::vector<DataPiece> pieces_of(const PartyOptions& options);

/// What was found in a piece.
struct PieceRead {
  std::size_t file = 0;
  DataFile found;
};

/// Everybody's pieces in place of one's own. Gives the first row that each process read, counted through all
/// of them, then the number of rows. Throws InputError when the inputs that follow from the files differ.
std::vector<std::size_t> share_pieces(ReadTogether& together, const std::vector<std::string>& inputs,
                                      std::vector<PieceRead>& pieces);

/// What was found in each file.
std::vector<DataFile> files_of(const std::vector<PieceRead>& pieces);

/// Keeps the rows that this process read in `parties`, and gives everybody the rows of the test, which are
/// these of all rows, and the largest target that is not among them.
void share_rows(ReadTogether& together, const std::vector<std::size_t>& first, Samples own,
                const std::vector<std::size_t>& lines, const RowNumbers& test, Parties& parties);

}  // namespace tacit
