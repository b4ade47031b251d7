#include "tacit/lab/study/parties/shared_parties.hpp"

#include "tacit/ranks/row_distribution.hpp"
#include "tacit/ranks/team/joint_work.hpp"

namespace tacit {

SharedParties gather_parties(Team& team, PartyOptions options, const CommitteeOptions& committee,
                             unsigned threads) {
  JointWork together(team);
  options.together = &together;
  SharedParties shared;
  together.run([&] {
    shared.parties = gather_parties(options);
    const RowsElsewhere::Read& own = *shared.parties.elsewhere.read;
    const RowsRead read{own.first, own.own, &own.parts};
    Dealing dealing(team, read, committee);
    dealing.deal(read);
    shared.parties.elsewhere.read.reset();
    shared.rows = std::move(dealing).held(threads);
  });
  return shared;
}

}  // namespace tacit
