#include "tacit/cli/agent/predictions.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tacit/agent/work/predicted.hpp"
#include "tacit/answers/numbers.hpp"
#include "tacit/base/parallel.hpp"
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
Json points_json(const Points& points, const Prediction& found, const requests::Predicted& predicted) {
  Json all = Json::array();
  for (Index target = 0; target < points.rows.outputs.cols(); ++target)
    for (Index row = 0; row < points.rows.outputs.rows(); ++row)
      all.push_back({{"row", points.rows_of_file[static_cast<std::size_t>(row)] + 1},
                     {"target", predicted.targets(static_cast<int>(target))},
                     {"truth", number(points.rows.outputs(row, target))},
                     {"mean", number(found.mean(row, target))},
                     {"observed_sd", number(std::sqrt(found.observed_variance(row, target)))}});
  return all;
}

}  // namespace

control::Progress answer_of(const PortableModel& model, const Matrix& points) {
  const BlasThreads one_each(1);  // so that rounding is the same as in an agent's answers
  const Prediction found = model.predict(points, default_threads());
  control::Progress answer;
  *answer.mutable_predicted() = message_of(found, model.targets);
  for (const std::string& name : model.fitted.pooled ? model.roster : std::vector{model.owner})
    answer.add_roster(name);
  answer.set_at_home(true);
  return answer;
}

std::string score_text(const Points& points, const control::Progress& answer) {
  const Prediction found = prediction_of(answer.predicted());
  const Matrix& truth = points.rows.outputs;
  std::string text = fmt::format("Score    {} of your own: ", plural(points.rows_of_file.size(), "row"));
  if (truth.cols() == 1) return text + in_words(score(found, truth, 0, 1)) + '\n';
  text += fmt::format("{} targets\n", truth.cols());
  for (Index target = 0; target < truth.cols(); ++target)
    text += fmt::format("         {}: {}\n", answer.predicted().targets(static_cast<int>(target)),
                        in_words(score(found, truth, target, 1)));
  return text;
}

Json score_json(const Points& points, const control::Progress& answer) {
  const Prediction found = prediction_of(answer.predicted());
  const Matrix& truth = points.rows.outputs;
  Json json = {{"rows", points.rows_of_file.size()}, {"skipped", points.skipped()}};
  json.update(in_json(score(found, truth, 0, truth.cols())));
  for (Index target = 0; target < truth.cols(); ++target)
    json["targets"][answer.predicted().targets(static_cast<int>(target))] =
        in_json(score(found, truth, target, 1));
  json["inputs_shown"] = !answer.at_home();
  json["roster"] = list_json(answer.roster());
  json["without"] = list_json(answer.without());
  json["notes"] = list_json(answer.notes());
  json["points"] = points_json(points, found, answer.predicted());
  return json;
}

}  // namespace tacit::cli
