#include "tacit/cli/agent/ranks.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "tacit/base/error.hpp"
#include "tacit/ranks/team/mpi_team.hpp"
#include "tacit/ranks/team/start_check.hpp"

namespace tacit::cli {

void as_rank(const std::function<void(Team&)>& command) {
  const std::unique_ptr<Team> team = ranks_of_mpi();
  if (team->leads()) {
    team->when_lost([](const std::string& words) {
      fmt::print(stderr, "error: {}\n", words);
      std::fflush(nullptr);
      std::_Exit(1);
    });
    for (const std::string& words : roll_call(*team)) fmt::print(stderr, "note: {}\n", words);
    return command(*team);
  }
  // mpirun passes signals to all ranks. Rank 0 handles them, and the other ranks end when it does.
  for (const int one : {SIGTERM, SIGINT, SIGHUP}) ::signal(one, SIG_IGN);
  team->when_lost([](const std::string&) { std::_Exit(1); });
  try {
    roll_call(*team);
    command(*team);
  } catch (const std::exception&) {  // rank 0 reports it
  }
}

void check_ranks_for(const std::vector<std::string>& words) {
  if (!started_by_mpirun() || words.empty() || words[0].starts_with('-') || words[0] == "simulate") return;
  const bool reload = words.size() > 1 && words[1] == "reload";
  if (words[0] == "agent" && !reload) return;
  if (std::ranges::find(words, "--help") != words.end()) return;
  throw InputError(
      fmt::format("tacit {}{} runs in one process, but mpirun has started {}; run it without mpirun",
                  words[0], words[0] == "agent" ? " reload" : "", ranks_started()));
}

}  // namespace tacit::cli
