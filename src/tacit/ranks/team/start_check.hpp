// Checks once, before ranks compute, what they must have in common and how many cores each may use.
#pragma once

#include <string>
#include <vector>

#include "tacit/ranks/team/team.hpp"

namespace tacit {

/// What determines the last digits of a rank's numbers, and the rank's machine.
struct RankKind {
  std::string release;    ///< of Tacit
  std::string processor;  ///< OpenBLAS's name for it, by which OpenBLAS selects its code
  std::string host;
  unsigned cores = 1;  ///< the rank may use
  unsigned share = 1;  ///< the rank should be able to use: the machine's cores, divided by its ranks
  unsigned all = 1;    ///< of the machine
};
RankKind this_rank();

/// Every rank calls it. Throws the same InputError on all ranks if a rank's numbers would be rounded
/// differently from those of rank 0. At rank 0, returns notes for the user.
std::vector<std::string> roll_call(Team& team, const RankKind& own = this_rank());

}  // namespace tacit
