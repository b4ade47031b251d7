// Divides data into pieces: files, shares of a query, or parts of one file. Rows are numbered piece by piece,
// whichever process reads them, so results do not depend on the number of processes.
#pragma once

#include <filesystem>
#include <vector>

#include "tacit/table/read_options.hpp"
#include "tacit/table/rows/reader_group.hpp"

namespace tacit {

struct DataPiece {
  std::filesystem::path source;
  ReadOptions how;
  std::size_t file = 0;  ///< of PieceRequest::data
};

/// The data to read in pieces.
struct PieceRequest {
  std::vector<std::filesystem::path> data;
  std::size_t shares = 0;  ///< for a database: how often the query is run, with {share} and {shares} replaced
  ReadOptions reading;     ///< of all files
  ReaderGroup* together = nullptr;  ///< the processes that read; null if this one reads alone
};

/// Returns all pieces or, if several processes read together, those of this process. Throws InputError if the
/// data cannot be divided among the processes.
std::vector<DataPiece> pieces_of(const PieceRequest& request);

}  // namespace tacit
