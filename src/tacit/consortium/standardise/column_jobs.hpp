// Sums over the columns of an agent's rows (crew.hpp). Values are relative to the middle of their column's
// public range and in units of half its width, so that one range of a sum fits all columns.
#pragma once

#include <memory>
#include <vector>

#include "tacit/consortium/standardise/standardise.hpp"
#include "tacit/gp/committee/crew.hpp"
#include "tacit/gp/saved_file.hpp"

namespace tacit {

/// Converts an input column of an expert (or an output column, numbered after the inputs) to these units.
/// Throws InputError, without the value, if a value is outside the range.
Vector in_halves(const Block& block, Index column, const ColumnRange& range);

/// What the jobs over columns consist of: the columns' ranges and, for a second pass, their means.
class ColumnJob : public SumJob {
 public:
  void write(SavedWriter& out) const override;

 protected:
  // By reference, so that a caller may compute `sums` from the same vectors in the call.
  ColumnJob(std::size_t sums, std::vector<ColumnRange>&& ranges, std::vector<double>&& means);
  std::vector<ColumnRange> ranges_;
  std::vector<double> means_;
};

/// For every column, inputs first: Σu, or Σ(u−ū)² if means are given.
class ColumnSumsJob final : public ColumnJob {
 public:
  explicit ColumnSumsJob(std::vector<ColumnRange> ranges, std::vector<double> means = {});
  static constexpr std::string_view name = "column sums";
  std::string_view kind() const override { return name; }
  static std::unique_ptr<const Job> read(SavedReader& in);

 private:
  void add(const Block& block, ExpertSums& all) const override;
};

/// For the inputs: n, Σu and the lower triangle of Σuu' by columns; or, if means are given, Σ(u−ū)(u−ū)'
/// without its diagonal.
class MomentsJob final : public ColumnJob {
 public:
  explicit MomentsJob(std::vector<ColumnRange> ranges, std::vector<double> means = {});
  static constexpr std::string_view name = "moments";
  std::string_view kind() const override { return name; }
  static std::unique_ptr<const Job> read(SavedReader& in);

 private:
  void add(const Block& block, ExpertSums& all) const override;
};

}  // namespace tacit
