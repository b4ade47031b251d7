#include "tacit/ranks/by_ranks.hpp"

#include <utility>

#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/ranks/shared_rows.hpp"
#include "tacit/ranks/team/mpirun.hpp"
#include "tacit/ranks/team/start_check.hpp"

namespace tacit {

void by_ranks(Team& team, const std::function<Samples()>& own, const CommitteeOptions& committee,
              const std::function<void(const std::shared_ptr<const Crew>&)>& lead) {
  const BlasThreads one_each(1);  // experts are computed in parallel
  roll_call(team);
  std::vector<Held> rows;
  rows.push_back(gather_rows(team, own, committee, threads_of_rank()));
  if (!team.leads()) return serve(team, std::move(rows));
  const Leader leader(team, std::move(rows));
  lead(leader.crew(0));
}

}  // namespace tacit
