#include "tacit/lab/paper/evaluation/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/lab/paper/evaluation/format.hpp"

namespace tacit {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

std::string yes(bool value) { return value ? "yes" : "no"; }

}  // namespace

Document tuning_document(const std::vector<TuningRun>& runs, const ReproduceSettings& settings) {
  Document document{"tuning", "", "data,gradient,weight_denominator,agent,step,lengthscale,signal\n", {}};
  std::vector<Row> rows;
  Json json_runs = Json::array();
  for (const TuningRun& run : runs) {
    const Hyperparameters agreed = run.agreed();
    rows.push_back({run.data, gradient_text(run.gradient), fmt::format("1/{}", run.denominator),
                    fmt::format("{:.4g}", agreed.lengthscale), fmt::format("{:.4g}", agreed.signal),
                    fmt::format("{:.3g}", run.spread_lengthscale), fmt::format("{:.3g}", run.spread_signal),
                    fmt::format("{:.1f} → {:.1f}", run.likelihood_before, run.likelihood_after),
                    fmt::format("{:.3f} → {:.3f}", run.error_before, run.error_after),
                    fmt::format("{:.3f}", run.error_constant)});
    Json agents = Json::array();
    for (std::size_t i = 0; i < run.traces.size(); ++i) {
      Json lengthscale = Json::array(), signal = Json::array();
      for (std::size_t t = 0; t < run.traces[i].size(); ++t) {
        const Hyperparameters& h = run.traces[i][t][0];
        lengthscale.push_back(h.lengthscale);
        signal.push_back(h.signal);
        document.csv += fmt::format("{},{},{},{},{},{},{}\n", run.data, gradient_word(run.gradient),
                                    run.denominator, i, t, h.lengthscale, h.signal);
      }
      agents.push_back({{"lengthscale", std::move(lengthscale)}, {"signal", std::move(signal)}});
    }
    json_runs.push_back({{"data", run.data},
                         {"gradient", gradient_word(run.gradient)},
                         {"weight_denominator", run.denominator},
                         {"modulus_bits", tuning_bits},
                         {"required_bits", run.required_bits},
                         {"agreed", {{"lengthscale", agreed.lengthscale}, {"signal", agreed.signal}}},
                         {"spread", {{"lengthscale", run.spread_lengthscale}, {"signal", run.spread_signal}}},
                         {"at_box", run.at_box},
                         {"likelihood", {{"before", run.likelihood_before}, {"after", run.likelihood_after}}},
                         {"test_rmse",
                          {{"before", json_number(run.error_before)},
                           {"after", json_number(run.error_after)},
                           {"constant", json_number(run.error_constant)}}},
                         {"agents", std::move(agents)}});
  }
  document.json = {{"settings", settings_json(settings)}, {"runs", std::move(json_runs)}};
  document.text =
      "## Tuning (the figure of hyperparameters)\n\n"
      "M = 20 on a ring of degree 4, L_z = 2^-20, q = 2^40, Θ_i(0) uniform in [5, 15]², 30 steps of "
      "0.1·0.99^t, first output.\n\n" +
      markdown_table({"data", "step along", "L_w", "θ_l", "θ_s", "spread θ_l", "spread θ_s", "Σ h_i(Θ_i)",
                      "test RMSE", "constant"},
                     rows);
  std::size_t most_at_box = 0;
  for (const TuningRun& run : runs) most_at_box = std::max(most_at_box, run.at_box);
  document.text +=
      "\nθ are the means over agents at the end. Spread is the largest difference between two agents at the "
      "end (at most 10 at the start).\nTest RMSE is that of the fused model against the true outputs. "
      "Constant is that of predicting the mean of all training targets.\n";
  if (most_at_box)
    document.text += fmt::format(
        "Estimates are limited to [0.01, 80]. In one of these runs, {} of the 20 agents end on that limit.\n",
        most_at_box);
  return document;
}

Document accuracy_document(const std::vector<AccuracyCurve>& curves, const ReproduceSettings& settings) {
  Document document{
      "accuracy", "", "data,lz,iterations,rmse_mean,rmse_variance,floor_mean,floor_variance\n", {}};
  std::vector<Row> rows;
  Json json_curves = Json::array();
  const std::vector<std::size_t> columns{10, 50, 100, 200, 400};
  for (const AccuracyCurve& curve : curves) {
    for (const bool mean : {true, false}) {
      const std::vector<double>& rmse = mean ? curve.rmse_mean : curve.rmse_variance;
      Row row{curve.data, mean ? "f̂" : "V", fmt::format("{:g}", curve.lz)};
      for (const std::size_t t : columns) {
        const auto at = std::find(curve.iterations.begin(), curve.iterations.end(), t);
        row.push_back(error_text(rmse[static_cast<std::size_t>(at - curve.iterations.begin())]));
      }
      const double floor = mean ? curve.floor_mean : curve.floor_variance;
      row.push_back(curve.points_without_floor ? "none" : error_text(floor));
      row.push_back(curve.points_without_floor ? "-"
                                               : yes((mean ? curve.rises_mean : curve.rises_variance) == 0));
      row.push_back(curve.points_without_floor ? "-" : yes(rmse.back() <= floor));
      rows.push_back(std::move(row));
    }
    Json mean = Json::array(), variance = Json::array();
    for (std::size_t k = 0; k < curve.iterations.size(); ++k) {
      mean.push_back(json_number(curve.rmse_mean[k]));
      variance.push_back(json_number(curve.rmse_variance[k]));
      document.csv += fmt::format("{},{:g},{},{},{},{},{}\n", curve.data, curve.lz, curve.iterations[k],
                                  csv_cell(curve.rmse_mean[k]), csv_cell(curve.rmse_variance[k]),
                                  csv_cell(curve.floor_mean), csv_cell(curve.floor_variance));
    }
    json_curves.push_back(
        {{"data", curve.data},
         {"lz", curve.lz},
         {"modulus_bits", curve.plan.modulus_bits},
         {"iterations", curve.iterations},
         {"rmse_mean", std::move(mean)},
         {"rmse_variance", std::move(variance)},
         {"floor_mean", json_number(curve.floor_mean)},
         {"floor_variance", json_number(curve.floor_variance)},
         {"predictions_without_floor", curve.points_without_floor},
         {"falls", curve.points_without_floor ? Json(nullptr) : Json(curve.falls())},
         {"within_floor", curve.points_without_floor ? Json(nullptr) : Json(curve.reaches_floor())}});
  }
  document.json = {{"settings", settings_json(settings)}, {"curves", std::move(json_curves)}};
  Row header{"data", "RMSE of", "L_z"};
  for (const std::size_t t : columns) header.push_back(fmt::format("T = {}", t));
  header.insert(header.end(), {"floor", "falls", "within floor"});
  document.text =
      "## Accuracy (the figure of RMSE against T)\n\nThe paper's RMSE against plain distributed GPR, M = 20 "
      "on a ring of degree 4. " +
      model_text(settings) + "\n\n" + markdown_table(header, rows) +
      "\nThe floor is the paper's error bound as T → ∞: the same RMSE of its β(L_z) and γ(L_z) at all test "
      "points.\nFalls: the RMSE falls from each T in accuracy.csv to the next, unless it is already below "
      "its floor.\nIf the precision condition fails at a point, 1/V(x) ≤ L_z, the paper gives no bound and "
      "there is no floor.\n";
  return document;
}

}  // namespace tacit
