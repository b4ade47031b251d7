#include "tacit/ranks/held_rows.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tacit/base/error.hpp"
#include "tacit/ranks/rank_crew.hpp"

namespace tacit {
namespace {

class HeldRows final : public RowReader {
 public:
  HeldRows(std::size_t all, std::vector<Index> which, Samples rows)
      : all_(all), which_(std::move(which)), rows_(std::move(rows)) {}

  std::size_t rows() const override { return all_; }
  Index inputs() const override { return rows_.inputs.cols(); }
  Index outputs() const override { return rows_.outputs.cols(); }

  void read(std::span<const Index> which, Matrix& inputs, Matrix& outputs) const override {
    std::vector<Index> places;
    places.reserve(which.size());
    for (const Index row : which) places.push_back(place_of(row));
    inputs = rows_.inputs(places, Eigen::all);
    outputs = rows_.outputs(places, Eigen::all);
  }

 private:
  Index place_of(Index row) const {
    const auto at = std::lower_bound(which_.begin(), which_.end(), row);
    if (at == which_.end() || *at != row) throw std::logic_error("the requested row is on another rank");
    return at - which_.begin();
  }

  const std::size_t all_;
  const std::vector<Index> which_;
  const Samples rows_;
};

}  // namespace

std::shared_ptr<const RowReader> held_rows(std::size_t all, std::vector<Index> which, Samples rows) {
  return std::make_shared<const HeldRows>(all, std::move(which), std::move(rows));
}

std::vector<Index> rows_of_rank(const std::vector<std::uint32_t>& rank_of, std::size_t rank) {
  std::vector<Index> which;
  which.reserve(static_cast<std::size_t>(std::ranges::count(rank_of, rank)));
  for (std::size_t row = 0; row < rank_of.size(); ++row)
    if (rank_of[row] == rank) which.push_back(static_cast<Index>(row));
  return which;
}

ExpertsOfRank experts_of_rank(std::size_t rank, std::size_t ranks, std::size_t party, std::size_t rows,
                              const CommitteeOptions& committee) {
  const Samples nothing{Matrix(0, 0), Matrix(0, 0)};
  auto parts = split_rows(*held_rows(rows, {}, nothing), committee);
  const std::vector<std::size_t> of_expert = rank_of_expert(ranks, party, parts.size());
  std::vector<std::uint32_t> all(rows);
  for (std::size_t e = 0; e < parts.size(); ++e) {
    for (const Index row : parts[e])
      all[static_cast<std::size_t>(row)] = static_cast<std::uint32_t>(of_expert[e]);
    if (of_expert[e] != rank) parts[e] = {};
  }
  return {std::move(all), std::move(parts)};
}

}  // namespace tacit
