#include "tacit/ranks/shared_rows.hpp"

#include <fmt/format.h>

#include <optional>

#include "tacit/base/error.hpp"
#include "tacit/gp/check.hpp"
#include "tacit/ranks/row_distribution.hpp"
#include "tacit/ranks/team/joint_work.hpp"
#include "tacit/ranks/team/message.hpp"

namespace tacit {
namespace {

// Throws InputError, naming the rank, if the rows are not valid for training.
Samples checked_rows(const Team& team, const std::function<Samples()>& own) {
  Samples rows = own();
  if (rows.inputs.rows() == 0 && rows.outputs.rows() == 0) return rows;
  try {
    check_training_rows(rows.inputs, rows.outputs);
  } catch (const InputError& e) {
    throw InputError(fmt::format("{} (rank {})", e.what(), team.rank()));
  }
  return rows;
}

}  // namespace

RowsByRank joined(JointWork& together, Samples own) {
  MessageWriter out;
  for (const Index number : {own.inputs.rows(), own.inputs.cols(), own.outputs.cols()})
    out.number<std::int64_t>(number);
  RowsByRank all{std::move(own), {0}};
  std::optional<std::pair<Index, Index>> columns;
  for (std::string& one : together.share(message(out))) {
    MessageReader in(std::move(one));
    const auto rows = in.number<std::int64_t>();
    const Index inputs = in.number<std::int64_t>(), outputs = in.number<std::int64_t>();
    all.first.push_back(all.first.back() + static_cast<std::size_t>(rows));
    if (rows == 0) continue;
    if (!columns) columns = {inputs, outputs};
    if (columns != std::pair(inputs, outputs))
      throw InputError(
          fmt::format("rank {} has {} inputs and {} outputs, but earlier ranks have {} and {}; use the same "
                      "columns on all ranks",
                      all.first.size() - 2, inputs, outputs, columns->first, columns->second));
  }
  if (all.own.inputs.rows() == 0 && columns)
    all.own = {Matrix(0, columns->first), Matrix(0, columns->second)};
  return all;
}

Held deal(Team& team, const RowsByRank& rows, const CommitteeOptions& committee, unsigned threads,
          std::size_t party) {
  const RowsRead read{rows.first, rows.own};
  Dealing dealing(team, read, committee, party);
  dealing.deal(read);
  return std::move(std::move(dealing).held(threads)[0]);
}

Held gather_rows(Team& team, const std::function<Samples()>& own, const CommitteeOptions& committee,
                 unsigned threads) {
  JointWork together(team);
  Held held;
  together.run([&] {
    const RowsByRank rows = joined(together, checked_rows(team, own));
    if (rows.first.back() == 0) throw InputError("no rank has any rows; provide rows on at least one rank");
    held = deal(team, rows, committee, threads);
  });
  return held;
}

}  // namespace tacit
