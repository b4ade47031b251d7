// Rows go from the ranks that read them to those whose experts need them.
#pragma once

#include <vector>

#include "tacit/ranks/rank_crew.hpp"
#include "tacit/table/data_columns.hpp"

namespace tacit {

/// What ranks have read, as in Parties::Read.
struct RowsRead {
  const std::vector<std::size_t>& first;  ///< of all rows, the first that each rank read; then their number
  const Samples& own;
  const std::vector<RowNumbers>* parts = nullptr;  ///< by party, of all rows; without it one party has them
};

class Dealing {
 public:
  /// The parties are numbered from this one on (lanes_of).
  Dealing(Team& team, const RowsRead& read, const CommitteeOptions& committee, std::size_t first_party = 0);

  /// Every rank calls it. Sends a little at a time, so that a rank never has much more than the rows it has
  /// read and those it gets.
  void deal(const RowsRead& read);

  /// What deal() has brought, by party. What was read may be gone by then.
  std::vector<Held> held(unsigned threads) &&;

 private:
  struct Place {
    std::size_t party = 0, row = 0;
  };

  std::vector<std::string> letters(const RowsRead& read);
  void take(const RowsRead& read, std::size_t reader, std::string letter);

  struct Party {
    std::vector<std::uint32_t> rank_of;
    std::vector<std::vector<Index>> experts;  // without the rows of other ranks' ones
    std::vector<Index> which;                 // of its rows come here
    Samples rows;                             // which they are
  };
  Team& team_;
  std::vector<Party> parties_;
  Place sent_;               // up to here, of rank_of
  std::vector<Place> came_;  // by reader, up to here, of which
};

}  // namespace tacit
