// Commands under mpirun.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tacit/ranks/team/mpirun.hpp"
#include "tacit/ranks/team/team.hpp"

namespace tacit::cli {

/// Does the command as one of mpirun's ranks, or as the only one without mpirun. Only rank 0 says anything:
/// what another one throws, rank 0 throws too, or it says that this rank has ended.
void as_rank(const std::function<void(Team&)>& command);

/// Throws InputError for a command that is no work for several processes, when mpirun has started several.
void check_ranks_for(const std::vector<std::string>& words);

}  // namespace tacit::cli
