// An agent's rows distributed over the ranks of a team. Each rank reads its share of the source, stores it in
// its own file in the shared state folder, and computes with the rows of its experts. No rank holds all rows.
// Names and digests of rows are the same as in one process.
#pragma once

#include <memory>

#include "tacit/agent/rows/row_home.hpp"
#include "tacit/ranks/team/team.hpp"

namespace tacit {

/// For rank 0; the other ranks run serve_agent() during its lifetime. Rows and crews must not outlive it.
class RankHome final : public RowHome {
 public:
  /// `threads` is the number of threads of each rank.
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

/// The loop of every other rank. BLAS should use one thread.
void serve_agent(Team& team);

}  // namespace tacit
