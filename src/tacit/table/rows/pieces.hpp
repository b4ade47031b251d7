// The pieces in which data are read: files, shares of a query, or parts of one file. Rows are numbered one
// piece after the other, whoever reads them, so that what is made of the rows is always the same.
#pragma once

#include <filesystem>
#include <vector>

#include "tacit/table/read_options.hpp"
#include "tacit/table/rows/read_together.hpp"

namespace tacit {

struct DataPiece {
  std::filesystem::path source;
  ReadOptions how;
  std::size_t file = 0;  ///< of PieceRequest::data
};

/// What is to be read in pieces.
struct PieceRequest {
  std::vector<std::filesystem::path> data;
  std::size_t shares = 0;  ///< of a database: the query is asked that often, with {share} and {shares}
  ReadOptions reading;     ///< of all files
  ReadTogether* together = nullptr;  ///< the processes that read; null if this one reads alone
};

/// All pieces; where several processes read together, those of this one. Throws InputError for data that such
/// processes cannot share.
std::vector<DataPiece> pieces_of(const PieceRequest& request);

}  // namespace tacit
