#include "tacit/cli/ranks.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <cstdio>
#include <cstdlib>

#include "tacit/ranks/mpi_team.hpp"

namespace tacit::cli {

void as_rank(const std::function<void(Team&)>& command) {
  const std::unique_ptr<Team> team = ranks_of_mpi();
  if (team->leads()) {
    team->when_lost([](const std::string& words) {
      fmt::print(stderr, "error: {}\n", words);
      std::fflush(nullptr);
      std::_Exit(1);
    });
    return command(*team);
  }
  // mpirun passes signals on to all: rank 0 decides, and the others end when it does.
  for (const int one : {SIGTERM, SIGINT, SIGHUP}) ::signal(one, SIG_IGN);
  team->when_lost([](const std::string&) { std::_Exit(1); });
  try {
    command(*team);
  } catch (const std::exception&) {  // rank 0 says it
  }
}

}  // namespace tacit::cli
