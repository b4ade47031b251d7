#include "tacit/consortium/portable_model.hpp"

#include <cmath>
#include <set>

#include "tacit/base/error.hpp"
#include "tacit/consortium/fitted_experts.hpp"
#include "tacit/consortium/points.hpp"
#include "tacit/consortium/saved_pooled.hpp"
#include "tacit/data/dates.hpp"

namespace tacit {
namespace {

constexpr SavedKind kind{"tacitmdl", 2, "a model that tacit export has written", "export it again"};
constexpr std::size_t least_text = sizeof(std::uint64_t);  // an empty one

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

Samples read_rows(SavedReader& in, std::size_t inputs, std::size_t targets) {
  Samples rows{in.matrix(), in.matrix()};
  if (rows.inputs.rows() < 1 || rows.inputs.cols() != static_cast<Index>(inputs) ||
      rows.outputs.rows() != rows.inputs.rows() || rows.outputs.cols() != static_cast<Index>(targets) ||
      !rows.inputs.allFinite() || !rows.outputs.allFinite())
    in.damaged();
  return rows;
}

Terms terms_of(const PortableModel& model) {
  Terms terms;
  terms.inputs = model.inputs;
  terms.targets = model.targets;
  terms.model.fusion = model.fusion;
  terms.model.committee = model.committee;
  return terms;
}

// At points in the units of the model.
Prediction pooled_alone(const Fitted& fitted, const Matrix& points) {
  const auto targets = static_cast<Index>(fitted.priors.size());
  Prediction said{Matrix(points.rows(), targets), Matrix(points.rows(), targets)};
  auto part = fitted.pooled->parts.begin();
  for_each_prior(fitted.priors, [&](Index first, Index count, const Prior&) {
    const Landmarks& landmarks = (*part)->landmarks();
    const Matrix features = landmarks.features(points);
    said.mean.middleCols(first, count) = (*part)->mean(features);
    const Vector variance = (*part)->variance(features) + landmarks.residual_variance(points, features);
    said.variance.middleCols(first, count) = variance.replicate(1, count);
    ++part;
  });
  return said;
}

}  // namespace

ConsortiumPosterior PortableModel::predict(const Matrix& points, unsigned threads) const {
  const Terms terms = terms_of(*this);
  check_points(terms, points);
  if (rows) return FittedExperts(terms, fitted, *rows, threads).at_home(points);
  const Matrix at = fitted.standard_points(points);
  const auto many = static_cast<Index>(targets.size());
  Prediction all{Matrix(at.rows(), many), Matrix(at.rows(), many)};
  constexpr Index at_once = 4096;  // features take 8 bytes for every point and landmark
  for (Index from = 0; from < at.rows(); from += at_once) {
    const Index count = std::min(at_once, at.rows() - from);
    const Prediction said = pooled_alone(fitted, at.middleRows(from, count));
    all.mean.middleRows(from, count) = said.mean;
    all.variance.middleRows(from, count) = said.variance;
  }
  return in_data_units(fitted, all);
}

std::string PortableModel::to_file() const {
  if (!fitted.pooled && !rows)
    throw InputError(
        "the model has no landmarks, so it is nothing without rows; export it with this agent's own "
        "(--with-experts)");
  SavedWriter out;
  for (const std::string* text : {&title, &charter, &owner, &fitted_at}) out.text(*text);
  out.number(version);
  write(out, roster);
  write(out, inputs);
  write(out, targets);
  out.number(static_cast<std::uint32_t>(fusion));
  out.number<std::uint64_t>(committee.expert_rows);
  out.number(static_cast<std::uint32_t>(committee.split));
  out.number(committee.seed);
  for (const Prior& prior : fitted.priors) {
    out.text(prior.kernel.text());
    out.number(prior.noise);
  }
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
  out.number<std::uint32_t>(rows.has_value());
  if (rows) {
    out.matrix(rows->inputs);
    out.matrix(rows->outputs);
  }
  return out.file(kind);
}

PortableModel PortableModel::load(const std::filesystem::path& file) {
  SavedReader in(kind, file);
  PortableModel model;
  for (std::string* text : {&model.title, &model.charter, &model.owner, &model.fitted_at}) *text = in.text();
  model.version = in.number<std::uint64_t>();
  model.roster = read_texts(in);
  model.inputs = read_columns(in);
  model.targets = read_columns(in);
  model.fusion = in.choice<Fusion>(std::size(all_fusions));
  model.committee.expert_rows = in.number<std::uint64_t>();
  model.committee.split = in.choice<RowSplit>(2);
  model.committee.seed = in.number<std::uint64_t>();
  if (model.committee.expert_rows == 0) in.damaged();
  const std::size_t inputs = width(model.inputs), targets = model.targets.size();
  for (std::size_t k = 0; k < targets; ++k) {
    const std::string kernel = in.text();
    const auto noise = in.number<double>();
    model.fitted.priors.push_back(
        checked_prior({parse_kernel(kernel, kernel.size()), noise}, static_cast<Index>(inputs)));
  }
  model.fitted.likelihood = in.number<double>();
  model.fitted.evaluations = in.number<std::uint64_t>();
  if (in.choice<std::uint32_t>(2) == 1) {
    Standardisation& s = model.fitted.standardisation.emplace();
    s.rows = in.number<std::uint64_t>();
    s.constant = in.number<std::uint64_t>();
    s.inputs = read_scaling(in, inputs);
    s.outputs = read_scaling(in, targets);
  }
  if (in.choice<std::uint32_t>(2) == 1) {
    model.fitted.pooled = read_pooled(in, model.fitted.priors);
    if (model.fitted.pooled->landmarks.cols() != static_cast<Index>(inputs)) in.damaged();
  }
  if (in.choice<std::uint32_t>(2) == 1) model.rows = read_rows(in, inputs, targets);
  if (!model.fitted.pooled && !model.rows) in.damaged();
  in.end();
  return model;
}

}  // namespace tacit
