#include <fmt/format.h>

#include "tacit/reproduction/document.hpp"
#include "tacit/reproduction/format.hpp"

namespace tacit {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

Json spread_json(const Spread& s) {
  return {{"mean", json_number(s.mean)}, {"std", json_number(s.deviation)}};
}

Json published_json(const PublishedRow& row) {
  const auto three = [](const auto& cells) {
    return Json{{"[11]", cells[0]}, {"[12]", cells[1]}, {"ours", cells[2]}};
  };
  return {{"rmse_mean", three(row.rmse_mean)},
          {"rmse_variance", three(row.rmse_variance)},
          {"plain_seconds", row.plain},
          {"total_seconds", three(row.total)}};
}

Json row_json(const TableRow& row) {
  Json json{{"data", row.data},
            {"agents", row.network.agents},
            {"degree", row.network.degree},
            {"variant", row.variant},
            {"repeats", row.repeats},
            {"rmse_mean", spread_json(row.rmse_mean)},
            {"rmse_variance", spread_json(row.rmse_variance)},
            {"test_rmse", spread_json(row.test_error)},
            {"seconds",
             {{"plain_all_agents", spread_json(row.plain_work)},
              {"plain_longest_agent", spread_json(row.plain_longest)},
              {"protocol_all_agents", spread_json(row.protocol_work)},
              {"protocol_longest_agent", spread_json(row.protocol_longest)},
              {"network", spread_json(row.network_seconds)},
              {"total_all_agents", spread_json(row.total_work)},
              {"total_longest_agent", spread_json(row.total_longest)}}},
            {"traffic", {{"rounds", row.rounds}, {"messages", row.messages}, {"bytes", row.bytes}}}};
  if (row.other_model) {
    json["landmarks"] = row.landmarks;
  } else {
    json["iterations"] = row.plan.iterations;
    json["lz"] = row.plan.lz;
    json["modulus_bits"] = row.plan.modulus_bits;
    json["lambda"] = row.plan.lambda;
  }
  if (const PublishedRow* published = row.published()) json["published"] = published_json(*published);
  return json;
}

void add_csv(const TableRow& row, std::string& csv) {
  csv += fmt::format("{},{},{},\"{}\",{},", row.data, row.network.agents, row.network.degree, row.variant,
                     row.repeats);
  csv += row.other_model
             ? fmt::format(",,,{}", row.landmarks)
             : fmt::format("{},{:g},{},", row.plan.iterations, row.plan.lz, row.plan.modulus_bits);
  for (const Spread& s :
       {row.rmse_mean, row.rmse_variance, row.test_error, row.plain_work, row.plain_longest,
        row.protocol_work, row.protocol_longest, row.network_seconds, row.total_work, row.total_longest})
    csv += fmt::format(",{},{}", csv_cell(s.mean), csv_cell(s.deviation));
  csv += fmt::format(",{},{},{}\n", row.rounds, row.messages, row.bytes);
}

std::string csv_header() {
  std::string header = "data,agents,degree,variant,repeats,iterations,lz,modulus_bits,landmarks";
  for (const char* name : {"rmse_mean", "rmse_variance", "test_rmse", "plain_all", "plain_longest",
                           "protocol_all", "protocol_longest", "network", "total_all", "total_longest"})
    header += fmt::format(",{0},{0}_std", name);
  return header + ",rounds,messages,bytes\n";
}

std::string megabytes(std::uint64_t bytes) { return fmt::format("{:.1f}", static_cast<double>(bytes) / 1e6); }

Row network_cells(const TableRow& row) {
  return {row.data, std::to_string(row.network.agents), std::to_string(row.network.degree)};
}

Row with(Row row, const Row& more) {
  row.insert(row.end(), more.begin(), more.end());
  return row;
}

Row model_cells(const TableRow& row) {
  return with(network_cells(row),
              {row.other_model ? row.variant : row.variant + " (poe)", std::to_string(row.landmarks),
               fmt::format("{:.3f}", row.test_error.mean), seconds_text(row.total_work),
               seconds_text(row.total_longest), std::to_string(row.rounds), std::to_string(row.messages),
               megabytes(row.bytes)});
}

}  // namespace

Document table_document(const std::vector<TableRow>& all, const ReproduceSettings& settings) {
  Document document{"table", "", csv_header(), {}};
  Json json_rows = Json::array();
  std::vector<Row> errors, times, costs, options, models;
  for (const TableRow& row : all) {
    add_csv(row, document.csv);
    json_rows.push_back(row_json(row));
    const Row cost{seconds_text(row.plain_work),
                   seconds_text(row.protocol_work),
                   seconds_text(row.plain_longest),
                   seconds_text(row.protocol_longest),
                   fmt::format("{:.4f}", row.network_seconds.mean),
                   std::to_string(row.rounds),
                   std::to_string(row.messages),
                   megabytes(row.bytes)};
    if (const PublishedRow* p = row.published()) {
      errors.push_back(
          with(network_cells(row),
               {std::string(p->rmse_mean[0]), std::string(p->rmse_mean[1]), std::string(p->rmse_mean[2]),
                error_text(row.rmse_mean), std::string(p->rmse_variance[0]), std::string(p->rmse_variance[1]),
                std::string(p->rmse_variance[2]), error_text(row.rmse_variance)}));
      times.push_back(with(network_cells(row),
                           {std::string(p->total[0]), std::string(p->total[1]), std::string(p->total[2]),
                            seconds_text(row.total_work), seconds_text(row.total_longest),
                            std::string(p->plain), seconds_text(row.plain_work)}));
      costs.push_back(with(network_cells(row), cost));
    } else if (!row.other_model) {
      options.push_back(
          with(network_cells(row),
               {row.variant, row.plan.iterations ? std::to_string(row.plan.iterations) : "-",
                error_text(row.rmse_mean.mean), error_text(row.rmse_variance.mean),
                seconds_text(row.total_work), seconds_text(row.total_longest), std::to_string(row.rounds),
                std::to_string(row.messages), megabytes(row.bytes)}));
    }
  }
  // Network by network: what is to be compared stands together.
  for (const TableRow& exact : all)
    if (exact.variant == "protocol exact")
      for (const TableRow& row : all)
        if ((&row == &exact || row.other_model) && network_cells(row) == network_cells(exact))
          models.push_back(model_cells(row));
  const Row network{"data", "M", "degree"};
  const std::size_t repeats = all.empty() ? 0 : all[0].repeats;
  document.json = {{"settings", settings_json(settings)}, {"rows", std::move(json_rows)}};
  document.text =
      fmt::format(
          "## Table (computation times)\n\nT = 100, L_z = 1e-4, 0.2 ms per message on the virtual clock, "
          "mean ± standard deviation over {} draws of the data. {}\n[11] and [12] are the paper's figures "
          "for secret sharing between two servers and for multi-key homomorphic encryption.\n\nRMSE against "
          "plain distributed GPR: published, then this run\n\n",
          repeats, model_text(settings)) +
      markdown_table(with(network, {"f̂ [11]", "f̂ [12]", "f̂ Ours", "f̂ this run", "V [11]", "V [12]", "V Ours",
                                    "V this run"}),
                     errors) +
      "\nSeconds in all: published (on a GPU), then this run on this machine\n\n" +
      markdown_table(with(network, {"[11]", "[12]", "Ours", "this run, all agents", "this run, longest agent",
                                    "plain GPR published", "plain GPR, all agents"}),
                     times) +
      "\nWhere the time goes: seconds of computing, seconds of network, traffic of all agents\n\n" +
      markdown_table(with(network, {"plain, all", "protocol, all", "plain, longest", "protocol, longest",
                                    "network", "rounds", "messages", "MB"}),
                     costs) +
      "\nHow time is counted. All agents: the sum of every agent's work on this machine, plus the network's "
      "virtual time; one computer needs this long for everybody.\nLongest agent: the work of the busiest "
      "agent, plus the same network time; a deployment needs this long, as agents work side by "
      "side.\nComputing is real time on this machine. Network is virtual: 0.2 ms for each message that must "
      "wait for another (rounds).\n";
  if (!options.empty())
    document.text +=
        "\n### Ours, with options\n\n" +
        markdown_table(with(network, {"option", "T", "RMSE f̂", "RMSE V", "seconds, all agents",
                                      "seconds, longest agent", "rounds", "messages", "MB"}),
                       options) +
        fmt::format(
            "\nOver {} draws. Range modulus: the fewest bits our sharper bound allows. T planned: enough "
            "iterations to bring the error under L_z for certain.\nOne helper: an agent that only makes "
            "masks, so that masks withstand coalitions of two. Seeded masks: from pairwise keys, no share "
            "messages.\n"
            "Chebyshev: accelerated, T planned. Blinded: starting values hidden by 40 bits of noise. "
            "Protocol exact: exact sums that everybody adds up itself, values in units of L_z/1024.\n",
            all.back().repeats);
  if (!models.empty())
    document.text +=
        "\n### Other models of the same rows, with the same Θ\n\n" +
        markdown_table(with(network, {"model", "m", "test RMSE", "seconds, all agents",
                                      "seconds, longest agent", "rounds", "messages", "MB"}),
                       models) +
        "\nThe test RMSE is against true targets, over all points and outputs. Alone: an agent's own rows "
        "and nothing else, mean over agents; so is at home.\nRbcm: the same experts as the paper's, fused by "
        "the "
        "robust committee. Landmarks: m public points, as many as the rows allow, through which all agents "
        "learn\none pooled model by two exact sums; experts learn what it leaves over. At home: the pooled "
        "model and an agent's own experts; no message for any\nnumber of questions. Together: all agents' "
        "experts by rbcm. Seconds and traffic are those of the sums and of one request for all test "
        "points.\n";
  return document;
}

}  // namespace tacit
