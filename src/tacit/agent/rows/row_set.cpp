#include "tacit/agent/rows/row_set.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "tacit/base/error.hpp"
#include "tacit/base/system/parallel.hpp"
#include "tacit/consortium/predict/local.hpp"
#include "tacit/gp/saved_file.hpp"

namespace tacit {
namespace {

constexpr SavedKind row_file{"tacitrow", 1, "a part of a snapshot of an agent's rows",
                             "restore it from a backup, with snapshot.tacit and the other parts"};

class RowsHere final : public RowSet {
 public:
  explicit RowsHere(Samples rows) : rows_(std::move(rows)) {}
  std::size_t rows() const override { return static_cast<std::size_t>(rows_.inputs.rows()); }
  Index inputs() const override { return rows_.inputs.cols(); }
  Index outputs() const override { return rows_.outputs.cols(); }
  void visit_columns(const Visit& visit) const override {
    for (const Matrix* part : {&rows_.inputs, &rows_.outputs})
      visit({part->data(), static_cast<std::size_t>(part->size())});
  }
  RowDigests digests(const RowSalt& salt) const override { return digests_of(rows_, salt); }
  Matrix ranges() const override { return ranges_of(rows_); }
  std::shared_ptr<const Crew> crew(const CommitteeOptions& committee) const override {
    return crew_of(rows_, committee, default_threads());
  }
  const Samples* here() const override { return &rows_; }
  std::vector<RowFile> save(const std::filesystem::path&, const std::string&) const override { return {}; }

 private:
  const Samples rows_;
};

}  // namespace

Rows rows_here(Samples rows) { return std::make_shared<const RowsHere>(std::move(rows)); }

RowFile save_rows(const std::filesystem::path& folder, const std::string& name, const Samples& rows) {
  SavedWriter out;
  out.matrix(rows.inputs);
  out.matrix(rows.outputs);
  out.save(row_file, folder / name);
  return {name, static_cast<std::size_t>(rows.inputs.rows())};
}

Samples read_row_file(const std::filesystem::path& folder, const RowFile& file) {
  if (!std::filesystem::exists(folder / file.name))
    throw InputError(fmt::format(
        "{}: this part of the snapshot is missing on this machine. All ranks must share one state folder. If "
        "the file is lost, restore it from a backup, with snapshot.tacit and the other parts. To continue "
        "without them, move snapshot.tacit away; fits before and after then reveal sums over the rows that "
        "differ",
        (folder / file.name).string()));
  SavedReader in(row_file, folder / file.name);
  Matrix inputs = in.matrix();
  Samples rows{std::move(inputs), in.matrix()};
  in.end();
  if (static_cast<std::size_t>(rows.inputs.rows()) != file.rows || rows.outputs.rows() != rows.inputs.rows())
    in.damaged();
  return rows;
}

void append(Samples& all, Samples more) {
  if (all.inputs.rows() == 0) {
    all = std::move(more);
    return;
  }
  const Index before = all.inputs.rows(), rows = more.inputs.rows();
  all.inputs.conservativeResize(before + rows, Eigen::NoChange);
  all.outputs.conservativeResize(before + rows, Eigen::NoChange);
  all.inputs.bottomRows(rows) = more.inputs;
  all.outputs.bottomRows(rows) = more.outputs;
}

Matrix ranges_of(const Samples& rows) {
  Matrix ranges(2, rows.inputs.cols() + rows.outputs.cols());
  ranges.row(0).setConstant(std::numeric_limits<double>::infinity());
  ranges.row(1).setConstant(-std::numeric_limits<double>::infinity());
  Index at = 0;
  for (const Matrix* part : {&rows.inputs, &rows.outputs})
    for (Index column = 0; column < part->cols(); ++column, ++at)
      if (part->rows() > 0) ranges.col(at) << part->col(column).minCoeff(), part->col(column).maxCoeff();
  return ranges;
}

}  // namespace tacit
