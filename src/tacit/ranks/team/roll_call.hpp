// What ranks must have in common, and what each may use of its machine: asked once, before they compute.
#pragma once

#include <string>
#include <vector>

#include "tacit/ranks/team/team.hpp"

namespace tacit {

/// What decides over the last digits of a rank's numbers, and its place.
struct RankKind {
  std::string release;    ///< of Tacit
  std::string processor;  ///< as OpenBLAS calls it, by which it chooses its loops
  std::string host;
  unsigned cores = 1;  ///< that it may use
  unsigned share = 1;  ///< that it should be able to use: the machine's, divided by its ranks
  unsigned all = 1;    ///< of the machine
};
RankKind this_rank();

/// Every rank calls it. Throws InputError, on all of them the same, when a rank's numbers would be rounded in
/// another way than those of rank 0. Gives what people should know, at rank 0 and in words for them.
std::vector<std::string> roll_call(Team& team, const RankKind& own = this_rank());

}  // namespace tacit
