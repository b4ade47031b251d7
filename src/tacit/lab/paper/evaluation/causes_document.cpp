#include <fmt/format.h>

#include "tacit/lab/paper/evaluation/document.hpp"
#include "tacit/lab/paper/evaluation/format.hpp"

namespace tacit {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

// The ratio of the SARCOS rows with degree 4, M = 40 to M = 20.
std::string published_ratio(std::array<std::string_view, 3> PublishedRow::*column) {
  const auto value = [&](const PublishedRow& row) { return std::stod(std::string((row.*column)[2])); };
  return fmt::format("{:.1f}", value(published_table[2]) / value(published_table[0]));
}

std::string variance_name(const VarianceCause& cause) {
  return cause.noise_in_variance ? "with noise" : "latent";
}

std::string variances_text(const std::vector<VarianceCause>& causes, const std::string& data) {
  Row header{"σ_ε", "V_i", "θ_l", "θ_s"};
  Row published{"published", "", "", ""};
  std::vector<Row> rows;
  for (const VarianceCause& cause : causes) {
    if (cause.data != data) continue;
    if (rows.empty()) {
      for (const TableRow& row : cause.rows) {
        header.push_back(fmt::format("M={} deg {}: f̂ / V", row.network.agents, row.network.degree));
        const PublishedRow* p = row.published();
        published.push_back(fmt::format("{} / {}", p->rmse_mean[2], p->rmse_variance[2]));
      }
      rows.push_back(published);
    }
    Row row{fmt::format("{:g}", cause.noise), variance_name(cause),
            fmt::format("{:.3g}", cause.agreed.lengthscale), fmt::format("{:.3g}", cause.agreed.signal)};
    for (const TableRow& r : cause.rows)
      row.push_back(fmt::format("{} / {}", error_text(r.rmse_mean.mean), error_text(r.rmse_variance.mean)));
    rows.push_back(std::move(row));
  }
  return rows.empty() ? "" : fmt::format("\n{}\n\n{}", data, markdown_table(header, rows));
}

std::string signals_text(const std::vector<SignalCause>& causes) {
  if (causes.empty()) return "";
  Row header{"θ_s"}, published{"published"};
  for (const TableRow& row : causes[0].rows) {
    header.push_back(fmt::format("M={} deg {}: f̂ / V", row.network.agents, row.network.degree));
    const PublishedRow* p = row.published();
    published.push_back(fmt::format("{} / {}", p->rmse_mean[2], p->rmse_variance[2]));
  }
  std::vector<Row> rows{published};
  for (const SignalCause& cause : causes) {
    Row cells{cause.signal ? fmt::format("{:g}", *cause.signal) : "tuned"};
    for (const TableRow& row : cause.rows)
      cells.push_back(
          fmt::format("{} / {}", error_text(row.rmse_mean.mean), error_text(row.rmse_variance.mean)));
    rows.push_back(std::move(cells));
  }
  return "\n### Was θ_s of SARCOS smaller?\n\nThe rows of degree 4 with θ_s of all outputs set by hand, one "
         "draw. The paper does not give its Θ. This shows which θ_s would fit; that the paper used it is a "
         "guess.\n\n" +
         markdown_table(header, rows);
}

// The same as JSON and CSV.
Json signals_json(const std::vector<SignalCause>& causes, std::string& csv) {
  Json all = Json::array();
  for (const SignalCause& cause : causes)
    for (const TableRow& row : cause.rows) {
      const std::string signal = cause.signal ? fmt::format("{:g}", *cause.signal) : "tuned";
      all.push_back({{"signal", cause.signal ? Json(*cause.signal) : Json("tuned")},
                     {"agents", row.network.agents},
                     {"degree", row.network.degree},
                     {"rmse_mean", json_number(row.rmse_mean.mean)},
                     {"rmse_variance", json_number(row.rmse_variance.mean)},
                     {"guess", true}});
      csv += fmt::format("signal,SARCOS,M={} degree {} signal {},,rmse_mean,{}\n", row.network.agents,
                         row.network.degree, signal, csv_cell(row.rmse_mean.mean));
      csv += fmt::format("signal,SARCOS,M={} degree {} signal {},,rmse_variance,{}\n", row.network.agents,
                         row.network.degree, signal, csv_cell(row.rmse_variance.mean));
    }
  return all;
}

}  // namespace

Document causes_document(const Causes& causes, const ReproduceSettings& settings) {
  Document document{"causes", "", "question,data,setting,noise,quantity,value\n", {}};
  Json rates = Json::array(), variances = Json::array(), inputs = Json::array();
  std::vector<Row> rate_rows{{"published, RMSE of f̂", "", "", published_ratio(&PublishedRow::rmse_mean)},
                             {"published, RMSE of V", "", "", published_ratio(&PublishedRow::rmse_variance)}};
  for (const RateCause& rate : causes.rates) {
    rate_rows.push_back({rate.network, fmt::format("{:.4f}", rate.lambda_20),
                         fmt::format("{:.4f}", rate.lambda_40), fmt::format("{:.1f}", rate.ratio())});
    rates.push_back({{"network", rate.network},
                     {"lambda_20", rate.lambda_20},
                     {"lambda_40", rate.lambda_40},
                     {"ratio", rate.ratio()}});
    document.csv += fmt::format("rate,SARCOS,\"{}\",,ratio,{}\n", rate.network, rate.ratio());
  }
  for (const VarianceCause& cause : causes.variances) {
    Json rows = Json::array();
    for (const TableRow& row : cause.rows) {
      rows.push_back({{"agents", row.network.agents},
                      {"degree", row.network.degree},
                      {"rmse_mean", json_number(row.rmse_mean.mean)},
                      {"rmse_variance", json_number(row.rmse_variance.mean)}});
      for (const bool mean : {true, false})
        document.csv += fmt::format("variance,{},M={} degree {} {},{:g},{},{}\n", cause.data,
                                    row.network.agents, row.network.degree, variance_name(cause), cause.noise,
                                    mean ? "rmse_mean" : "rmse_variance",
                                    csv_cell((mean ? row.rmse_mean : row.rmse_variance).mean));
    }
    variances.push_back({{"data", cause.data},
                         {"noise", cause.noise},
                         {"variance", cause.noise_in_variance ? "observed" : "latent"},
                         {"lengthscale", cause.agreed.lengthscale},
                         {"signal", cause.agreed.signal},
                         {"rows", std::move(rows)}});
  }
  Json signals = signals_json(causes.signals, document.csv);
  std::vector<Row> input_rows;
  for (const InputCause& cause : causes.inputs) {
    input_rows.push_back({cause.inputs, cause.theta, fmt::format("{:.3g}", cause.used.lengthscale),
                          fmt::format("{:.3g}", cause.used.signal), fmt::format("{:g}", cause.used.noise),
                          fmt::format("{:.2f}", cause.error), fmt::format("{:.2f}", cause.error_constant),
                          fmt::format("{:.2f}", cause.prediction_deviation)});
    inputs.push_back({{"inputs", cause.inputs},
                      {"theta", cause.theta},
                      {"noise", cause.used.noise},
                      {"lengthscale", cause.used.lengthscale},
                      {"signal", cause.used.signal},
                      {"test_rmse", cause.error},
                      {"constant_rmse", cause.error_constant},
                      {"prediction_deviation", cause.prediction_deviation}});
    document.csv += fmt::format("inputs,Diabetes,\"{}; {}\",{:g},test_rmse,{}\n", cause.inputs, cause.theta,
                                cause.used.noise, cause.error);
  }
  document.json = {{"settings", settings_json(settings)},
                   {"rates", std::move(rates)},
                   {"variances", std::move(variances)},
                   {"signals", std::move(signals)},
                   {"inputs", std::move(inputs)}};
  document.text =
      "## Causes of the differences\n\n### Which network was \"degree 4\"?\n\nAt T = 100 the SARCOS rows "
      "show the disagreement that λ^100 leaves, so the ratio of M = 40 to M = 20 is close to "
      "(λ_40/λ_20)^100.\n\n" +
      markdown_table({"network", "λ, M = 20", "λ, M = 40", "M = 40 / M = 20"}, rate_rows) +
      "\n### Which σ_ε, and was V_i latent?\n\nThe paper gives no σ_ε. One draw of the data, Θ tuned for "
      "each line, T = 100, L_z = 1e-4.\n" +
      variances_text(causes.variances, "SARCOS") + variances_text(causes.variances, "Diabetes") +
      signals_text(causes.signals) +
      "\n### The effect of the scale of the Diabetes inputs\n\nTrue test error of the fused model of 20 "
      "agents, and of predicting the mean of all training targets (constant). The last column is the "
      "standard deviation of predictions over patients.\n\n" +
      markdown_table({"inputs", "Θ", "θ_l", "θ_s", "σ_ε", "test RMSE", "constant", "deviation of f̂"},
                     input_rows);
  return document;
}

}  // namespace tacit
