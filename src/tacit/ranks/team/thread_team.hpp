// A team of threads in one process: for tests, and for programs that want ranks without MPI.
#pragma once

#include <cstddef>
#include <functional>

#include "tacit/ranks/team/team.hpp"

namespace tacit {

/// Calls work(team) on that many threads at once, rank by rank, and returns when all have ended. A rank whose
/// work throws has ended before its time for the others. Rethrows what the lowest rank threw.
void run_ranks(std::size_t ranks, const std::function<void(Team&)>& work);

/// A team of one.
std::unique_ptr<Team> alone();

}  // namespace tacit
