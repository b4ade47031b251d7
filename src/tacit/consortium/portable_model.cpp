#include "tacit/consortium/portable_model.hpp"

#include <set>

#include "tacit/base/error.hpp"
#include "tacit/consortium/predict/fitted_experts.hpp"
#include "tacit/consortium/saved_parts.hpp"
#include "tacit/consortium/terms/points.hpp"

namespace tacit {
namespace {

constexpr SavedKind portable_kind{"tacitmdl", 2, "a model written by tacit export", "export it again"};

Terms terms_of(const PortableModel& model) {
  Terms terms;
  terms.inputs = model.inputs;
  terms.targets = model.targets;
  terms.model.fusion = model.fusion;
  terms.model.committee = model.committee;
  return terms;
}

// The prediction of the pooled part alone, at points in the units of the model.
Prediction pooled_alone(const Fitted& fitted, const Matrix& points) {
  const auto targets = static_cast<Index>(fitted.priors.size());
  Prediction predicted{Matrix(points.rows(), targets), Matrix(points.rows(), targets)};
  auto part = fitted.pooled->parts.begin();
  for_each_prior(fitted.priors, [&](Index first, Index count, const Prior&) {
    const Landmarks& landmarks = (*part)->landmarks();
    const Matrix features = landmarks.features(points);
    predicted.mean.middleCols(first, count) = (*part)->mean(features);
    const Vector variance = (*part)->variance(features) + landmarks.residual_variance(points, features);
    predicted.latent_variance.middleCols(first, count) = variance.replicate(1, count);
    ++part;
  });
  return predicted;
}

}  // namespace

Prediction PortableModel::predict(const Matrix& points, unsigned threads) const {
  const Terms terms = terms_of(*this);
  check_points(terms, points);
  if (rows) return FittedExperts(terms, fitted, *rows, threads).at_home(points);
  const Matrix at = fitted.standard_points(points);
  const auto many = static_cast<Index>(targets.size());
  Prediction all{Matrix(at.rows(), many), Matrix(at.rows(), many)};
  constexpr Index at_once = 4096;  // features take 8 bytes for every point and landmark
  for (Index from = 0; from < at.rows(); from += at_once) {
    const Index count = std::min(at_once, at.rows() - from);
    const Prediction some = pooled_alone(fitted, at.middleRows(from, count));
    all.mean.middleRows(from, count) = some.mean;
    all.latent_variance.middleRows(from, count) = some.latent_variance;
  }
  return fitted.original(all);
}

std::string PortableModel::to_file() const {
  if (!fitted.pooled && !rows)
    throw InputError(
        "the model has no landmarks, so it cannot predict without rows; export it with this agent's rows "
        "(`with_experts`)");
  SavedWriter out;
  for (const std::string* text : {&title, &charter, &owner, &fitted_at}) out.text(*text);
  out.number(version);
  write(out, roster);
  write(out, inputs);
  write(out, targets);
  out.number(static_cast<std::uint32_t>(fusion));
  write(out, committee);
  write(out, fitted);
  out.number<std::uint32_t>(rows.has_value());
  if (rows) write(out, *rows);
  return out.file(portable_kind);
}

PortableModel PortableModel::load(const std::filesystem::path& file) {
  SavedReader in(portable_kind, file);
  PortableModel model;
  for (std::string* text : {&model.title, &model.charter, &model.owner, &model.fitted_at}) *text = in.text();
  model.version = in.number<std::uint64_t>();
  model.roster = read_texts(in);
  model.inputs = read_columns(in);
  model.targets = read_columns(in);
  model.fusion = in.choice<Fusion>(std::size(all_fusions));
  model.committee = read_committee(in);
  const std::size_t inputs = width(model.inputs), targets = model.targets.size();
  model.fitted = read_fitted(in, inputs, targets);
  if (in.choice<std::uint32_t>(2) == 1) model.rows = read_rows(in, inputs, targets);
  if (!model.fitted.pooled && !model.rows) in.damaged();
  in.end();
  return model;
}

}  // namespace tacit
