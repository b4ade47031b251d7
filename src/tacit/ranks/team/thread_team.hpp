// A team of threads in one process, for tests and for programs that use ranks without MPI.
#pragma once

#include <cstddef>
#include <functional>

#include "tacit/ranks/team/team.hpp"

namespace tacit {

/// Calls work(team) for each rank on its own thread, and returns when all have ended. For the others, a rank
/// whose work throws has ended unexpectedly. Rethrows what the lowest rank threw.
void run_ranks(std::size_t ranks, const std::function<void(Team&)>& work);

/// Returns a team of one.
std::unique_ptr<Team> alone();

}  // namespace tacit
