// Sums over the columns of an agent's rows (crew.hpp). Values are counted from the middle of their column's
// public range in halves of its width, so that one range of a sum serves all columns.
#pragma once

#include <memory>
#include <vector>

#include "tacit/consortium/standardise/standardise.hpp"
#include "tacit/gp/committee/crew.hpp"
#include "tacit/gp/saved_file.hpp"

namespace tacit {

/// Of an expert's input column, or output column after the inputs. Throws InputError, without the value, for
/// one outside of the range.
Vector in_halves(const Block& block, Index column, const ColumnRange& range);

/// For every column, inputs first: Σu, or with means Σ(u−ū)².
class ColumnSumsJob final : public SumJob {
 public:
  explicit ColumnSumsJob(std::vector<ColumnRange> ranges, std::vector<double> means = {});
  static constexpr std::string_view name = "column sums";
  std::string_view kind() const override { return name; }
  void write(SavedWriter& out) const override;
  static std::unique_ptr<const Job> read(SavedReader& in);

 private:
  void add(const Block& block, ExpertSums& all) const override;
  std::vector<ColumnRange> ranges_;
  std::vector<double> means_;
};

/// Of the inputs: n, Σu and Σuu', lower triangle by columns; or with means Σ(u−ū)(u−ū)' without its diagonal.
class MomentsJob final : public SumJob {
 public:
  explicit MomentsJob(std::vector<ColumnRange> ranges, std::vector<double> means = {});
  static constexpr std::string_view name = "moments";
  std::string_view kind() const override { return name; }
  void write(SavedWriter& out) const override;
  static std::unique_ptr<const Job> read(SavedReader& in);

 private:
  void add(const Block& block, ExpertSums& all) const override;
  std::vector<ColumnRange> ranges_;
  std::vector<double> means_;
};

}  // namespace tacit
