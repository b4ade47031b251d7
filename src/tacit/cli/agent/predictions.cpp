#include "tacit/cli/agent/predictions.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tacit/answers/numbers.hpp"
#include "tacit/base/system/parallel.hpp"
#include "tacit/consortium/score/quality.hpp"
#include "tacit/gp/expert/blas_threads.hpp"

namespace tacit::cli {
namespace {

Quality score(const Prediction& found, const Matrix& truth, Index first, Index count) {
  return quality(found.mean.middleCols(first, count), found.observed_variance.middleCols(first, count),
                 truth.middleCols(first, count));
}

std::string in_words(const Quality& score) {
  return fmt::format("RMSE {:.4g}, mean log density {:.4g}, {:.1f} % within the 95 % interval", score.rmse,
                     score.log_density, 100 * score.coverage);
}

Json in_json(const Quality& score) {
  return {{"rmse", number(score.rmse)},
          {"log_density", number(score.log_density)},
          {"coverage", number(score.coverage)}};
}

// True value and prediction of each row, with the row's number in the file, from 1.
Json points_json(const Answered& answered) {
  const Points& points = answered.points;
  const Prediction& found = answered.found;
  Json all = Json::array();
  for (Index target = 0; target < points.rows.outputs.cols(); ++target)
    for (Index row = 0; row < points.rows.outputs.rows(); ++row)
      all.push_back({{"row", points.rows_of_file[static_cast<std::size_t>(row)] + 1},
                     {"target", answered.targets[static_cast<std::size_t>(target)]},
                     {"truth", number(points.rows.outputs(row, target))},
                     {"mean", number(found.mean(row, target))},
                     {"observed_sd", number(std::sqrt(found.observed_variance(row, target)))}});
  return all;
}

}  // namespace

Answered answered_by(const PortableModel& model, Points points) {
  const BlasThreads one_each(1);  // so that rounding is the same as in an agent's answers
  Answered all{.points = std::move(points),
               .found = {},
               .targets = {},
               .roster = model.fitted.pooled ? model.roster : Roster{model.owner}};
  all.found = model.predict(all.points.rows.inputs, default_threads());
  for (const Column& column : model.targets) all.targets.push_back(column.name);
  return with_notes_on_points(std::move(all));
}

std::string score_text(const Answered& answered) {
  const Matrix& truth = answered.points.rows.outputs;
  std::string text =
      fmt::format("Score    {} of your own: ", plural(answered.points.rows_of_file.size(), "row"));
  if (truth.cols() == 1) return text + in_words(score(answered.found, truth, 0, 1)) + '\n';
  text += fmt::format("{} targets\n", truth.cols());
  for (Index target = 0; target < truth.cols(); ++target)
    text += fmt::format("         {}: {}\n", answered.targets[static_cast<std::size_t>(target)],
                        in_words(score(answered.found, truth, target, 1)));
  return text;
}

Json score_json(const Answered& answered) {
  const Matrix& truth = answered.points.rows.outputs;
  Json json = {{"rows", answered.points.rows_of_file.size()}, {"skipped", answered.points.skipped()}};
  json.update(in_json(score(answered.found, truth, 0, truth.cols())));
  for (Index target = 0; target < truth.cols(); ++target)
    json["targets"][answered.targets[static_cast<std::size_t>(target)]] =
        in_json(score(answered.found, truth, target, 1));
  json["inputs_shown"] = !answered.at_home;
  json["roster"] = answered.roster;
  json["without"] = answered.without;
  json["notes"] = answered.notes;
  json["points"] = points_json(answered);
  return json;
}

}  // namespace tacit::cli
