// An agent's rows over the ranks of a team. Each reads its share of the source, keeps it in a file of its own
// in the state folder, which all must be able to write to, and computes with the rows of its experts. No rank
// ever has all rows. Names and digests of rows are those of one process.
#pragma once

#include <memory>

#include "tacit/agent/rows/row_home.hpp"
#include "tacit/ranks/team/team.hpp"

namespace tacit {

/// Rank 0's; the others call serve_agent() until it is gone. Rows and their crews must not outlive it.
class RankHome final : public RowHome {
 public:
  /// Every rank computes with so many threads.
  RankHome(Team& team, unsigned threads);
  ~RankHome() override;

  FoundRows read(const AgentConfig& config, const Charter& charter) override;
  Rows kept(const std::filesystem::path& folder, const std::vector<RowFile>& files) override;
  Rows spread(Samples rows) override;

 private:
  class Set;
  struct State;
  std::shared_ptr<State> state_;
};

/// What every other rank does. BLAS should use one thread.
void serve_agent(Team& team);

}  // namespace tacit
