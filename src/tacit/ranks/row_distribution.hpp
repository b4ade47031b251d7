// Sends rows from the ranks that read them to the ranks whose experts need them.
#pragma once

#include <vector>

#include "tacit/ranks/rank_crew.hpp"
#include "tacit/table/data_columns.hpp"

namespace tacit {

/// The rows that the ranks have read.
struct RowsRead {
  const std::vector<std::size_t>& first;  ///< the number of the first row that each rank read, then the total
  const Samples& own;
  const std::vector<RowNumbers>* parts = nullptr;  ///< the rows of each party; if null, one party has all
};

class Dealing {
 public:
  /// The parties are numbered from `first_party` on (lanes_of).
  Dealing(Team& team, const RowsRead& read, const CommitteeOptions& committee, std::size_t first_party = 0);

  /// Every rank calls it. Sends rows in small portions, so that a rank never holds much more than the rows it
  /// has read and the rows it receives.
  void deal(const RowsRead& read);

  /// Returns what deal() has received, by party. The rows that were read are no longer needed.
  std::vector<Held> held(unsigned threads) &&;

 private:
  struct Place {
    std::size_t party = 0, row = 0;
  };

  std::vector<std::string> letters(const RowsRead& read);
  void take(const RowsRead& read, std::size_t reader, std::string letter);

  struct Party {
    std::vector<std::uint32_t> rank_of;
    std::vector<std::vector<Index>> experts;  // empty for experts of other ranks
    std::vector<Index> which;                 // the rows that come to this rank
    Samples rows;                             // these rows
  };
  Team& team_;
  std::vector<Party> parties_;
  Place sent_;               // the next place in rank_of to send
  std::vector<Place> came_;  // for each reader, the next place in which to fill
};

}  // namespace tacit
