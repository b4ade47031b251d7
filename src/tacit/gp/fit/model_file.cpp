// Saves and loads models (fit.hpp).
#include <iterator>

#include "tacit/base/system/files.hpp"
#include "tacit/base/system/parallel.hpp"
#include "tacit/gp/fit/fit.hpp"
#include "tacit/gp/saved_file.hpp"

namespace tacit {
namespace {

constexpr SavedKind model_kind{"tacitgpm", 1, "a saved model", "fit and save the model again"};

}  // namespace

std::string Model::to_file() const {
  SavedWriter body;
  body.text(prior_.kernel.text());
  body.number(prior_.noise);
  body.matrix(offset_);
  body.number(static_cast<std::uint32_t>(fusion_));
  body.number<std::uint64_t>(committee_.expert_rows);
  body.number(static_cast<std::uint32_t>(committee_.split));
  body.number(committee_.seed);
  body.number(report_.log_marginal_likelihood);
  body.number(report_.jitter);
  body.number<std::uint64_t>(report_.evaluations);
  body.number<std::uint32_t>(report_.converged);
  body.text(report_.reason);
  body.number<std::uint64_t>(report_.at_bound.size());
  for (const std::string& name : report_.at_bound) body.text(name);
  body.matrix(Eigen::Map<const Vector>(report_.trace.data(), static_cast<Index>(report_.trace.size())));
  body.number<std::uint64_t>(report_.experts);
  body.matrix(inputs_);
  body.matrix(centred_);
  body.number<std::uint32_t>(expert_.has_value());
  if (expert_) {
    body.number(expert_->jitter());
    body.matrix(expert_->factor().lower());
  }
  return body.file(model_kind);
}

void Model::save(const std::filesystem::path& file) const {
  write_whole(file, to_file(), 0600);  // the file contains the training rows
}

Model Model::load(const std::filesystem::path& file) {
  SavedReader reader(model_kind, file);
  return read(reader);
}

Model Model::from_file(std::string whole) {
  SavedReader reader(model_kind, "the saved model", std::move(whole));
  return read(reader);
}

Model Model::read(SavedReader& reader) {
  Prior prior;
  const std::string kernel = reader.text();
  prior.kernel = parse_kernel(kernel, kernel.size());
  prior.noise = reader.number<double>();
  Vector offset = reader.vector();
  const auto fusion = reader.choice<Fusion>(std::size(all_fusions));
  CommitteeOptions committee;
  committee.expert_rows = reader.number<std::uint64_t>();
  committee.split = reader.choice<RowSplit>(2);
  committee.seed = reader.number<std::uint64_t>();
  FitReport report;
  report.log_marginal_likelihood = reader.number<double>();
  report.jitter = reader.number<double>();
  report.evaluations = reader.number<std::uint64_t>();
  report.converged = reader.choice<std::uint32_t>(2) != 0;
  report.reason = reader.text();
  for (auto left = reader.number<std::uint64_t>(); left > 0; --left) report.at_bound.push_back(reader.text());
  const Vector trace = reader.vector();
  report.trace.assign(trace.begin(), trace.end());
  report.experts = reader.number<std::uint64_t>();
  Matrix inputs = reader.matrix(), centred = reader.matrix();
  if (inputs.size() == 0 || centred.rows() != inputs.rows() || centred.cols() != offset.size() ||
      committee.expert_rows == 0)
    reader.damaged();
  prior = checked_prior(prior, inputs.cols());
  std::optional<Expert> expert;
  if (reader.choice<std::uint32_t>(2)) {
    const auto jitter = reader.number<double>();
    Matrix lower = reader.matrix();
    if (lower.rows() != inputs.rows() || lower.cols() != inputs.rows()) reader.damaged();
    expert = Expert(inputs, centred, prior, Cholesky::restored(std::move(lower), jitter));
  }
  reader.end();
  return Model(std::move(inputs), std::move(centred), std::move(offset), std::move(prior), std::move(report),
               committee, fusion, default_threads(), std::move(expert));
}

}  // namespace tacit
