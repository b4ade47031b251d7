#include "tacit/consortium/standardise/column_jobs.hpp"

#include <fmt/format.h>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

template <class ItsJob>
std::unique_ptr<const Job> read_columns(SavedReader& in) {
  std::vector<ColumnRange> ranges(in.count(2 * sizeof(double)));
  for (ColumnRange& range : ranges) {
    range.low = in.number<double>();
    range.high = in.number<double>();
  }
  std::vector<double> means(in.count(sizeof(double)));
  if (!means.empty() && means.size() != ranges.size()) in.damaged();
  for (double& mean : means) mean = in.number<double>();
  return std::make_unique<const ItsJob>(std::move(ranges), std::move(means));
}

std::size_t moments(std::size_t inputs, bool about_means) {
  const std::size_t pairs = inputs * (inputs - 1) / 2;
  return about_means ? pairs : 1 + 2 * inputs + pairs;
}

}  // namespace

Vector in_halves(const Block& block, Index column, const ColumnRange& range) {
  const bool input = column < block.inputs.cols();
  const Index place = input ? column : column - block.inputs.cols();
  const auto values = (input ? block.inputs : block.outputs).col(place);
  for (Index row = 0; row < values.size(); ++row)
    if (!(values(row) >= range.low && values(row) <= range.high))
      throw InputError(fmt::format(  // without the value, which must not appear in logs
          "row {}, {} column {}: the value is outside the column's public range [{:g}, {:g}]",
          block.rows[static_cast<std::size_t>(row)] + 1, input ? "input" : "target", place + 1, range.low,
          range.high));
  return (values.array() - range.centre()) / range.half();
}

ColumnJob::ColumnJob(std::size_t sums, std::vector<ColumnRange>&& ranges, std::vector<double>&& means)
    : SumJob(sums), ranges_(std::move(ranges)), means_(std::move(means)) {}

void ColumnJob::write(SavedWriter& out) const {
  out.number<std::uint64_t>(ranges_.size());
  for (const ColumnRange& range : ranges_) {
    out.number(range.low);
    out.number(range.high);
  }
  out.number<std::uint64_t>(means_.size());
  for (const double mean : means_) out.number(mean);
}

ColumnSumsJob::ColumnSumsJob(std::vector<ColumnRange> ranges, std::vector<double> means)
    : ColumnJob(ranges.size(), std::move(ranges), std::move(means)) {}

void ColumnSumsJob::add(const Block& block, ExpertSums& all) const {
  for (std::size_t c = 0; c < ranges_.size(); ++c) {
    const Vector halves = in_halves(block, static_cast<Index>(c), ranges_[c]);
    all.sums[c] += means_.empty() ? halves.sum() : (halves.array() - means_[c]).square().sum();
  }
}

std::unique_ptr<const Job> ColumnSumsJob::read(SavedReader& in) { return read_columns<ColumnSumsJob>(in); }

MomentsJob::MomentsJob(std::vector<ColumnRange> ranges, std::vector<double> means)
    : ColumnJob(moments(ranges.size(), !means.empty()), std::move(ranges), std::move(means)) {}

void MomentsJob::add(const Block& block, ExpertSums& all) const {
  const auto d = static_cast<Index>(ranges_.size());
  Matrix halves(block.inputs.rows(), d);
  for (Index c = 0; c < d; ++c) {
    const auto k = static_cast<std::size_t>(c);
    halves.col(c) = in_halves(block, c, ranges_[k]).array() - (means_.empty() ? 0.0 : means_[k]);
  }
  auto next = all.sums.begin();
  if (means_.empty()) {
    *next++ += static_cast<double>(halves.rows());
    for (Index c = 0; c < d; ++c) *next++ += halves.col(c).sum();
  }
  const Index first = means_.empty() ? 0 : 1;  // start of a column, relative to the diagonal
  for (Index c = 0; c < d; ++c)
    for (Index r = c + first; r < d; ++r) *next++ += halves.col(c).dot(halves.col(r));
}

std::unique_ptr<const Job> MomentsJob::read(SavedReader& in) { return read_columns<MomentsJob>(in); }

}  // namespace tacit
