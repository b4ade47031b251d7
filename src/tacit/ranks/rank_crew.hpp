// A crew (gp/committee/crew.hpp) whose rows are on the ranks of a team. Rank 0 sends the job to all ranks.
// Each rank computes it for its own lanes of experts. Rank 0 adds the lanes in order, so the result is that
// of one process, to the bit, for any number of ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "tacit/gp/committee/crew.hpp"
#include "tacit/gp/committee/row_reader.hpp"
#include "tacit/gp/saved_file.hpp"
#include "tacit/ranks/team/team.hpp"
#include "tacit/table/rows/samples.hpp"

namespace tacit {

/// The lanes, out of a party's `lanes`, that a rank holds. They depend on the party's number, so that small
/// parties are not all on one rank.
struct LaneRange {
  std::size_t first, end;
};
LaneRange lanes_of(std::size_t rank, std::size_t ranks, std::size_t party, std::size_t lanes);

/// Returns the rank that holds each of a party's experts.
std::vector<std::size_t> rank_of_expert(std::size_t ranks, std::size_t party, std::size_t experts);

/// A party's rows as one rank has them.
struct Held {
  std::shared_ptr<const RowReader> rows;  ///< all rows, of which only the rank's own can be read
  std::vector<std::uint32_t> rank_of;     ///< the rank of each row
  std::shared_ptr<const Crew> crew;       ///< all experts, of which the rank can compute only its own
};

/// Work other than a job that all ranks do at once, described by a message from rank 0. Returns the answer to
/// rank 0. It may change the parties, in the same way on all ranks.
using Errand = std::function<std::string(Team&, SavedReader& words, std::vector<Held>& parties)>;

/// Directs the work from rank 0. Its destructor ends `serve` on the other ranks. Threads may share it.
class Leader {
 public:
  Leader(Team& team, std::vector<Held> parties, Errand errand = {});
  ~Leader();
  Leader(const Leader&) = delete;

  /// Returns a party's crew over all ranks. It holds a reference to the leader and has no experts to give
  /// (Crew::fit).
  std::shared_ptr<const Crew> crew(std::size_t party) const;
  /// Returns a reader for a party's rows. Rows of other ranks are fetched when they are read.
  std::shared_ptr<const RowReader> rows(std::size_t party) const;

  /// Lets all ranks, including this one, do an errand, and returns their answers by rank. Throws what a rank
  /// has thrown. If ranks wait for each other in an errand, all must throw (joint_work.hpp).
  std::vector<std::string> run(const SavedWriter& words);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Does what the leader requests, until the leader ends; called on every other rank. BLAS should use one
/// thread.
void serve(Team& team, std::vector<Held> parties, const Errand& errand = {});

}  // namespace tacit
