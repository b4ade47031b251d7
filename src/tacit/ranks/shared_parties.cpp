#include "tacit/ranks/shared_parties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "tacit/base/error.hpp"
#include "tacit/gp/check.hpp"
#include "tacit/ranks/held_rows.hpp"
#include "tacit/ranks/message.hpp"
#include "tacit/ranks/together.hpp"

namespace tacit {
namespace {

// As in Parties::Read.
struct RowsRead {
  const std::vector<std::size_t>& first;
  const Samples& own;
  const std::vector<RowNumbers>& parts;
};

// Rows go from whoever read them to whoever needs them.
class Dealing {
 public:
  Dealing(Team& team, RowsRead read, const CommitteeOptions& committee, std::size_t first_party)
      : team_(team), read_(read) {
    for (std::size_t p = 0; p < read.parts.size(); ++p)
      rank_of_.push_back(rank_of_row(team.size(), first_party + p, read.parts[p].size(), committee));
  }

  std::vector<Held> dealt(const CommitteeOptions& committee, unsigned threads) {
    const std::vector<std::string> from = team_.exchange(letters());
    std::vector<Matrix> rows;
    for (const std::string& one : from) {
      MessageReader in(one);
      rows.push_back(in.matrix());
    }
    std::vector<Index> next(rows.size());
    std::vector<Held> all;
    for (std::size_t p = 0; p < rank_of_.size(); ++p) {
      std::vector<Index> which = rows_of_rank(rank_of_[p], team_.rank());
      Samples own{Matrix(static_cast<Index>(which.size()), inputs()),
                  Matrix(static_cast<Index>(which.size()), outputs())};
      for (std::size_t k = 0; k < which.size(); ++k) {
        const std::size_t reader = reader_of(read_.parts[p][static_cast<std::size_t>(which[k])]);
        const auto row = rows[reader].col(next[reader]++);
        own.inputs.row(static_cast<Index>(k)) = row.head(inputs());
        own.outputs.row(static_cast<Index>(k)) = row.tail(outputs());
      }
      const auto held = held_rows(rank_of_[p].size(), std::move(which), std::move(own));
      all.push_back({held, std::move(rank_of_[p]), crew_of_threads(held, committee, threads)});
    }
    return all;
  }

 private:
  Index inputs() const { return read_.own.inputs.cols(); }
  Index outputs() const { return read_.own.outputs.cols(); }

  std::size_t reader_of(std::size_t row) const {
    const auto after = std::upper_bound(read_.first.begin(), read_.first.end() - 1, row);
    return static_cast<std::size_t>(after - read_.first.begin()) - 1;
  }

  // For each rank the rows of ours that it needs, by party and number: a column for each.
  std::vector<std::string> letters() const {
    const std::size_t begin = read_.first[team_.rank()], end = read_.first[team_.rank() + 1];
    std::vector<std::vector<double>> cells(team_.size());
    for (std::size_t p = 0; p < rank_of_.size(); ++p)
      for (std::size_t k = 0; k < rank_of_[p].size(); ++k) {
        const std::size_t row = read_.parts[p][k];
        if (row < begin || row >= end) continue;
        std::vector<double>& to = cells[rank_of_[p][k]];
        for (const Matrix* part : {&read_.own.inputs, &read_.own.outputs}) {
          const auto numbers = part->row(static_cast<Index>(row - begin));
          to.insert(to.end(), numbers.begin(), numbers.end());
        }
      }
    std::vector<std::string> all;
    for (std::vector<double>& to : cells) {
      MessageWriter out;
      const Index width = inputs() + outputs();
      out.matrix(Eigen::Map<const Matrix>(to.data(), width, static_cast<Index>(to.size()) / width));
      to = {};
      all.push_back(message(out));
    }
    return all;
  }

  Team& team_;
  const RowsRead read_;
  std::vector<std::vector<std::uint32_t>> rank_of_;  // by party
};

// Throws InputError, naming the rank, for rows that cannot be learnt from.
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

RowsByRank joined(Together& together, Samples own) {
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
      throw InputError(fmt::format(
          "rank {} has {} inputs and {} outputs, ranks before it {} and {}; all need the same columns",
          all.first.size() - 2, inputs, outputs, columns->first, columns->second));
  }
  if (all.own.inputs.rows() == 0 && columns)
    all.own = {Matrix(0, columns->first), Matrix(0, columns->second)};
  return all;
}

Held deal(Team& team, const RowsByRank& rows, const CommitteeOptions& committee, unsigned threads,
          std::size_t party) {
  std::vector<RowNumbers> all(1, RowNumbers(rows.first.back()));
  std::iota(all[0].begin(), all[0].end(), std::size_t{0});
  return std::move(Dealing(team, {rows.first, rows.own, all}, committee, party).dealt(committee, threads)[0]);
}

Held gather_rows(Team& team, const std::function<Samples()>& own, const CommitteeOptions& committee,
                 unsigned threads) {
  Together together(team);
  Held held;
  together.run([&] {
    const RowsByRank rows = joined(together, checked_rows(team, own));
    if (rows.first.back() == 0) throw InputError("no rank has any rows; give at least one of them some");
    held = deal(team, rows, committee, threads);
  });
  return held;
}

SharedParties gather_parties(Team& team, PartyOptions options, const CommitteeOptions& committee,
                             unsigned threads) {
  Together together(team);
  options.together = &together;
  SharedParties shared;
  together.run([&] {
    shared.parties = gather_parties(options);
    const Parties::Read& read = *shared.parties.read;
    shared.rows = Dealing(team, {read.first, read.own, read.parts}, committee, 0).dealt(committee, threads);
    shared.parties.read.reset();
  });
  return shared;
}

}  // namespace tacit
