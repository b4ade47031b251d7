// A program that uses the library, for tests/ranks/rank_programs.sh: prints the number of rows on all ranks.
//   rank_program [RANK throws|leaves|"has nothing"]
// The given rank throws or exits silently before it supplies its rows (throws, leaves), or throws instead of
// supplying them ("has nothing").
#include <cstdio>
#include <exception>
#include <string>

#include "tacit/base/error.hpp"
#include "tacit/ranks/by_ranks.hpp"
#include "tacit/ranks/team/mpi_team.hpp"

int main(int argc, char** argv) {
  using namespace tacit;
  try {
    const std::unique_ptr<Team> team = ranks_of_mpi();
    const bool selected = argc == 3 && std::to_string(team->rank()) == argv[1];
    const std::string what = selected ? argv[2] : "";
    if (what == "leaves") return 0;
    if (what == "throws") throw Error(std::string("rank ") + argv[1] + " will not go on");
    const auto own = [&]() -> Samples {
      if (what == "has nothing") throw InputError(std::string("rank ") + argv[1] + " has nothing");
      return {Matrix::Ones(10, 1), Matrix::Ones(10, 1)};
    };
    by_ranks(*team, own, {}, [](const auto& crew) { std::printf("%zu rows\n", crew->rows()); });
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 1;
  }
}
