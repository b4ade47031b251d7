#include "tacit/ranks/row_distribution.hpp"

#include <algorithm>
#include <utility>

#include "tacit/gp/committee/partial_crew.hpp"
#include "tacit/ranks/held_rows.hpp"
#include "tacit/ranks/team/message.hpp"

namespace tacit {
namespace {

constexpr std::size_t numbers_at_a_time = std::size_t{1} << 17;  // one megabyte from a rank to all others

std::size_t row_of(const RowsRead& read, std::size_t party, std::size_t row) {
  return read.parts ? (*read.parts)[party][row] : row;
}

bool was_read_by(const RowsRead& read, std::size_t rank, std::size_t row) {
  return row >= read.first[rank] && row < read.first[rank + 1];
}

std::size_t width_of(const RowsRead& read) {
  return static_cast<std::size_t>(read.own.inputs.cols() + read.own.outputs.cols());
}

std::size_t rows_at_a_time(const RowsRead& read) {
  return std::max<std::size_t>(1, numbers_at_a_time / std::max<std::size_t>(1, width_of(read)));
}

}  // namespace

Dealing::Dealing(Team& team, const RowsRead& read, const CommitteeOptions& committee, std::size_t first_party)
    : team_(team), came_(team.size()) {
  parties_.resize(read.parts ? read.parts->size() : 1);
  for (std::size_t p = 0; p < parties_.size(); ++p) {
    Party& party = parties_[p];
    ExpertsOfRank split =
        experts_of_rank(team.rank(), team.size(), first_party + p,
                        read.parts ? (*read.parts)[p].size() : read.first.back(), committee);
    party.rank_of = std::move(split.rank_of);
    party.experts = std::move(split.experts);
  }
}

void Dealing::deal(const RowsRead& read) {
  for (Party& party : parties_) {
    party.which = rows_of_rank(party.rank_of, team_.rank());
    const auto rows = static_cast<Index>(party.which.size());
    party.rows = {Matrix(rows, read.own.inputs.cols()), Matrix(rows, read.own.outputs.cols())};
  }
  std::size_t most = 0;
  for (std::size_t rank = 0; rank < team_.size(); ++rank)
    most = std::max(most, read.first[rank + 1] - read.first[rank]);
  for (std::size_t done = 0; done < most; done += rows_at_a_time(read)) {
    std::vector<std::string> from = team_.exchange(letters(read));
    for (std::size_t rank = 0; rank < from.size(); ++rank) take(read, rank, std::move(from[rank]));
  }
}

// Returns, for each rank, the next of this rank's rows that it needs, by party and number.
std::vector<std::string> Dealing::letters(const RowsRead& read) {
  const std::size_t begin = read.first[team_.rank()];
  std::vector<std::vector<double>> cells(team_.size());
  std::size_t left = rows_at_a_time(read);
  for (; sent_.party < parties_.size() && left > 0; sent_ = {sent_.party + 1, 0}) {
    const std::vector<std::uint32_t>& rank_of = parties_[sent_.party].rank_of;
    for (; sent_.row < rank_of.size() && left > 0; ++sent_.row) {
      const std::size_t row = row_of(read, sent_.party, sent_.row);
      if (!was_read_by(read, team_.rank(), row)) continue;
      std::vector<double>& to = cells[rank_of[sent_.row]];
      for (const Matrix* part : {&read.own.inputs, &read.own.outputs}) {
        const auto numbers = part->row(static_cast<Index>(row - begin));
        to.insert(to.end(), numbers.begin(), numbers.end());
      }
      --left;
    }
    if (sent_.row < rank_of.size()) break;
  }
  std::vector<std::string> all;
  for (std::vector<double>& to : cells) {
    MessageWriter out;
    out.numbers(to);
    to = {};
    all.push_back(message(out));
  }
  return all;
}

void Dealing::take(const RowsRead& read, std::size_t reader, std::string letter) {
  MessageReader in(std::move(letter));
  const std::vector<double> cells = in.numbers();
  const auto inputs = read.own.inputs.cols(), outputs = read.own.outputs.cols();
  Place& next = came_[reader];
  for (std::size_t at = 0; at < cells.size(); at += width_of(read)) {
    const auto is_next = [&] {
      return was_read_by(
          read, reader,
          row_of(read, next.party, static_cast<std::size_t>(parties_[next.party].which[next.row])));
    };
    while (next.row == parties_[next.party].which.size() || !is_next())
      next = next.row == parties_[next.party].which.size() ? Place{next.party + 1, 0}
                                                           : Place{next.party, next.row + 1};
    Samples& rows = parties_[next.party].rows;
    const auto row = static_cast<Index>(next.row++);
    rows.inputs.row(row) = Eigen::Map<const Eigen::RowVectorXd>(cells.data() + at, inputs);
    rows.outputs.row(row) = Eigen::Map<const Eigen::RowVectorXd>(cells.data() + at + inputs, outputs);
  }
}

std::vector<Held> Dealing::held(unsigned threads) && {
  std::vector<Held> all;
  for (Party& party : parties_) {
    const auto rows = held_rows(party.rank_of.size(), std::move(party.which), std::move(party.rows));
    all.push_back({rows, std::move(party.rank_of), partial_crew(rows, std::move(party.experts), threads)});
  }
  return all;
}

}  // namespace tacit
