// A crew (gp/committee/crew.hpp) whose rows lie on the ranks of a team. Rank 0 tells everybody the job, every
// rank does it for the lanes of experts that it holds, and rank 0 adds the lanes up in order: what comes out
// is what one process would find, to the bit, for any number of ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "tacit/gp/committee/crew.hpp"
#include "tacit/gp/committee/row_reader.hpp"
#include "tacit/gp/saved_file.hpp"
#include "tacit/ranks/team/team.hpp"
#include "tacit/table/row_blocks.hpp"

namespace tacit {

/// Which lanes a rank holds of a party's `lanes`; parties are numbered so that small ones do not all lie on
/// one rank.
struct LaneRange {
  std::size_t first, end;
};
LaneRange lanes_of(std::size_t rank, std::size_t ranks, std::size_t party, std::size_t lanes);

/// The rank that holds each of a party's experts.
std::vector<std::size_t> rank_of_expert(std::size_t ranks, std::size_t party, std::size_t experts);

/// A party's rows as one rank has them.
struct Held {
  std::shared_ptr<const RowReader> rows;  ///< all, of which its own can be read
  std::vector<std::uint32_t> rank_of;     ///< who has each row
  std::shared_ptr<const Crew> crew;       ///< of all experts, of which it can compute its own
};

/// Something else than jobs that all ranks do at once, as these words of rank 0 say: gives what to tell rank
/// 0. It may change the parties, all ranks alike.
using Errand = std::function<std::string(Team&, SavedReader& words, std::vector<Held>& parties)>;

/// Rank 0's end of the work. It ends the others' by its destructor. Threads may share it.
class Leader {
 public:
  Leader(Team& team, std::vector<Held> parties, Errand errand = {});
  ~Leader();
  Leader(const Leader&) = delete;

  /// A party's crew over all ranks. Holds a reference to the leader. It has no experts to give (Crew::fit).
  std::shared_ptr<const Crew> crew(std::size_t party) const;
  /// A party's rows, which come from where they are when they are read.
  std::shared_ptr<const RowReader> rows(std::size_t party) const;

  /// Has all ranks do an errand, this one too; gives what each tells, by rank. Throws what one of them has
  /// thrown: where one waits for another inside of it, all must throw (together.hpp).
  std::vector<std::string> run(const SavedWriter& words);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What every other rank does: what the leader asks for, until that ends. BLAS should use one thread.
void serve(Team& team, std::vector<Held> parties, const Errand& errand = {});

}  // namespace tacit
