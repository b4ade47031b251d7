#include "tacit/lab/paper/evaluation/data_sets.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>

#include "tacit/base/error.hpp"
#include "tacit/table/bundled_data.hpp"
#include "tacit/table/csv/csv.hpp"
#include "tacit/table/mat/mat.hpp"
#include "tacit/table/read_data.hpp"
#include "tacit/table/rows/row_blocks.hpp"

namespace tacit {
namespace {

// q1 ... q7, dq1 ... dq7, ddq1 ... ddq7: positions, velocities, accelerations of the arm's joints.
std::vector<std::string> sarcos_columns(std::initializer_list<const char*> stems) {
  std::vector<std::string> names;
  for (const char* stem : stems)
    for (int joint = 1; joint <= 7; ++joint) names.push_back(stem + std::to_string(joint));
  return names;
}

Matrix columns(const Table& table, const std::vector<std::string>& names) {
  Matrix out(static_cast<Index>(table.rows()), static_cast<Index>(names.size()));
  for (std::size_t c = 0; c < names.size(); ++c) {
    const std::span<const double> column = table.numbers(names[c]);
    out.col(static_cast<Index>(c)) =
        Eigen::Map<const Vector>(column.data(), static_cast<Index>(column.size()));
  }
  return out;
}

Samples sarcos_from_csv(const std::filesystem::path& file, const DataSet& data) {
  TableOptions wanted;
  wanted.only = data.inputs;
  wanted.only.insert(wanted.only.end(), data.targets.begin(), data.targets.end());
  const Table table = read_data(file, wanted);
  return {columns(table, data.inputs), columns(table, data.targets)};
}

Samples sarcos_from_mat(const std::filesystem::path& file) {
  const Matrix all = read_mat(file);
  if (all.cols() != 28)
    throw InputError(fmt::format(
        "{}: the matrix has {} columns, but SARCOS has 28 (21 inputs, 7 outputs); use the official file",
        file.string(), all.cols()));
  return {all.leftCols(21), all.rightCols(7)};
}

Matrix take(const Matrix& from, std::span<const std::size_t> rows) {
  Matrix out(static_cast<Index>(rows.size()), from.cols());
  for (std::size_t r = 0; r < rows.size(); ++r)
    out.row(static_cast<Index>(r)) = from.row(static_cast<Index>(rows[r]));
  return out;
}

Samples take(const Samples& from, std::span<const std::size_t> rows) {
  return {take(from.inputs, rows), take(from.outputs, rows)};
}

}  // namespace

DataSet diabetes(DiabetesInputs scaling) {
  DataSet data{.name = "Diabetes",
               .inputs = {"age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6"},
               .targets = {"y"},
               .samples = {},
               .train_rows = 353,
               .test_rows = 89,
               .noise = 6};
  const Table table = parse_table("the bundled Diabetes data", bundled_diabetes);
  data.samples = {columns(table, data.inputs), columns(table, data.targets)};
  Matrix& x = data.samples.inputs;
  x.rowwise() -= x.colwise().mean().eval();
  for (Index c = 0; c < x.cols(); ++c) x.col(c) /= x.col(c).norm();
  if (scaling == DiabetesInputs::standardised) x *= std::sqrt(static_cast<double>(x.rows()));
  return data;
}

std::optional<DataSet> find_sarcos(const std::filesystem::path& folder) {
  DataSet data{.name = "SARCOS",
               .inputs = sarcos_columns({"q", "dq", "ddq"}),
               .targets = sarcos_columns({"tau"}),
               .samples = {},
               .train_rows = 4000,
               .test_rows = 200,
               .noise = 1};
  const std::filesystem::path csv = folder / "sarcos.csv";
  std::filesystem::path used;
  if (std::filesystem::exists(csv)) {
    data.samples = sarcos_from_csv(used = csv, data);
  } else {
    for (const char* name : {"sarcos_inv.mat", "sarcos_inv_test.mat"})
      if (used.empty() && std::filesystem::exists(folder / name))
        data.samples = sarcos_from_mat(used = folder / name);
    if (used.empty()) return std::nullopt;
  }
  if (static_cast<std::size_t>(data.samples.inputs.rows()) < data.train_rows + data.test_rows)
    throw InputError(fmt::format("{} has only {} rows, but the paper uses {}; use the official file",
                                 used.string(), data.samples.inputs.rows(),
                                 data.train_rows + data.test_rows));
  return data;
}

std::string how_to_get_sarcos(const std::filesystem::path& folder) {
  return fmt::format(
      "There is no SARCOS file in {} (sarcos.csv, sarcos_inv.mat or sarcos_inv_test.mat), so only the "
      "Diabetes parts run. Get sarcos_inv.mat from the data page of Rasmussen and Williams's book, "
      "gaussianprocess.org/gpml/data, and name its folder with `data_dir`.",
      std::filesystem::absolute(folder).lexically_normal().string());
}

Parties deal(const DataSet& data, std::size_t agents, std::uint64_t seed) {
  const std::vector<std::size_t> order =
      shuffled_rows(static_cast<std::size_t>(data.samples.inputs.rows()), seed);
  const std::span<const std::size_t> rows(order);
  Parties parties;
  parties.columns.inputs = data.inputs;
  parties.columns.targets = data.targets;
  parties.test = {take(data.samples, rows.first(data.test_rows))};
  for (const auto& block : contiguous_blocks(rows.subspan(data.test_rows, data.train_rows), agents)) {
    parties.names.push_back(std::to_string(parties.agents.size()));
    parties.agents.push_back(take(data.samples, block));
  }
  parties.target_range.agreed = data.samples.outputs.cwiseAbs().maxCoeff();
  return parties;
}

DataSet first_output(const DataSet& data) {
  DataSet one = data;
  one.targets.resize(1);
  one.samples.outputs = data.samples.outputs.leftCols(1).eval();
  return one;
}

}  // namespace tacit
