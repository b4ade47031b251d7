#include "tacit/consortium/saved_parts.hpp"

#include <cmath>

#include "tacit/gp/expert/saved_prior.hpp"
#include "tacit/table/cells/dates.hpp"

namespace tacit {
namespace {

constexpr std::size_t least_text = sizeof(std::uint64_t);  // the size of an empty text

void write(SavedWriter& out, const Scaling& scaling) {
  out.matrix(scaling.shift);
  out.matrix(scaling.scale);
}

Scaling read_scaling(SavedReader& in, std::size_t columns) {
  Scaling scaling{in.vector(), in.vector()};
  const auto many = static_cast<Index>(columns);
  if (scaling.shift.size() != many || scaling.scale.size() != many || !scaling.shift.allFinite() ||
      !scaling.scale.allFinite() || !(scaling.scale.array() > 0).all())
    in.damaged();
  return scaling;
}

}  // namespace

void write(SavedWriter& out, const std::vector<std::string>& texts) {
  out.number<std::uint64_t>(texts.size());
  for (const std::string& one : texts) out.text(one);
}

std::vector<std::string> read_texts(SavedReader& in) {
  std::vector<std::string> all(in.count(least_text));
  for (std::string& one : all) one = in.text();
  return all;
}

void write(SavedWriter& out, const std::vector<Column>& columns) {
  out.number<std::uint64_t>(columns.size());
  for (const Column& column : columns) {
    out.text(column.name);
    out.number(column.low);
    out.number(column.high);
    write(out, column.levels);
    out.text(column.start);
    out.text(column.part_of);
  }
}

std::vector<Column> read_columns(SavedReader& in) {
  std::vector<Column> columns(in.count(least_text));
  if (columns.empty()) in.damaged();
  for (Column& column : columns) {
    column.name = in.text();
    column.low = in.number<double>();
    column.high = in.number<double>();
    column.levels = read_texts(in);
    column.start = in.text();
    column.part_of = in.text();
    if (column.is_date() && !parse_day(column.start)) in.damaged();
    if (!column.part_of.empty() && !column.name.starts_with(column.part_of + ".")) in.damaged();
    if (!column.categorical() && !(column.low < column.high && std::isfinite(column.high - column.low)))
      in.damaged();
  }
  return columns;
}

void write(SavedWriter& out, const CommitteeOptions& committee) {
  out.number<std::uint64_t>(committee.expert_rows);
  out.number(static_cast<std::uint32_t>(committee.split));
  out.number(committee.seed);
}

CommitteeOptions read_committee(SavedReader& in) {
  CommitteeOptions committee;
  committee.expert_rows = in.number<std::uint64_t>();
  committee.split = in.choice<RowSplit>(2);
  committee.seed = in.number<std::uint64_t>();
  if (committee.expert_rows == 0) in.damaged();
  return committee;
}

void write(SavedWriter& out, const Fitted& fitted) {
  for (const Prior& prior : fitted.priors) write(out, prior);
  out.number(fitted.likelihood);
  out.number<std::uint64_t>(fitted.evaluations);
  out.number<std::uint32_t>(fitted.standardisation.has_value());
  if (const auto& s = fitted.standardisation) {
    out.number<std::uint64_t>(s->rows);
    out.number<std::uint64_t>(s->constant);
    write(out, s->inputs);
    write(out, s->outputs);
  }
  out.number<std::uint32_t>(fitted.pooled != nullptr);
  if (fitted.pooled) write(out, *fitted.pooled);
}

Fitted read_fitted(SavedReader& in, std::size_t inputs, std::size_t targets) {
  Fitted fitted;
  for (std::size_t k = 0; k < targets; ++k)
    fitted.priors.push_back(checked_prior(read_prior(in), static_cast<Index>(inputs)));
  fitted.likelihood = in.number<double>();
  fitted.evaluations = in.number<std::uint64_t>();
  if (in.choice<std::uint32_t>(2) == 1) {
    Standardisation& s = fitted.standardisation.emplace();
    s.rows = in.number<std::uint64_t>();
    s.constant = in.number<std::uint64_t>();
    s.inputs = read_scaling(in, inputs);
    s.outputs = read_scaling(in, targets);
  }
  if (in.choice<std::uint32_t>(2) == 1) {
    fitted.pooled = read_pooled(in, fitted.priors);
    if (fitted.pooled->landmarks.cols() != static_cast<Index>(inputs)) in.damaged();
  }
  return fitted;
}

void write(SavedWriter& out, const Samples& rows) {
  out.matrix(rows.inputs);
  out.matrix(rows.outputs);
}

Samples read_rows(SavedReader& in, std::size_t inputs, std::size_t targets) {
  Samples rows{in.matrix(), in.matrix()};
  if (rows.inputs.rows() < 1 || rows.inputs.cols() != static_cast<Index>(inputs) ||
      rows.outputs.rows() != rows.inputs.rows() || rows.outputs.cols() != static_cast<Index>(targets) ||
      !rows.inputs.allFinite() || !rows.outputs.allFinite())
    in.damaged();
  return rows;
}

}  // namespace tacit
