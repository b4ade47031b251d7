// Runs commands under mpirun.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tacit/ranks/team/mpirun.hpp"
#include "tacit/ranks/team/team.hpp"

namespace tacit::cli {

/// Runs the command as one of mpirun's ranks, or as the only rank without mpirun. Only rank 0 prints. If
/// another rank throws, rank 0 throws the same, or reports that this rank has ended.
void as_rank(const std::function<void(Team&)>& command);

/// Throws InputError for a command that needs a single process, if mpirun has started several.
void check_ranks_for(const std::vector<std::string>& words);

}  // namespace tacit::cli
