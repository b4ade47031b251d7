#include <fmt/format.h>

#include <cmath>

#include "tacit/lab/paper/evaluation/document.hpp"
#include "tacit/lab/paper/evaluation/format.hpp"
#include "tacit/lab/paper/tables/rivals_document.hpp"
#include "tacit/lab/paper/tables/table_data.hpp"

namespace tacit {
namespace {

using Row = std::vector<std::string>;

const Row network_header{"data", "M", "degree"};

std::string tenths_of_megabytes(std::uint64_t bytes) {
  return fmt::format("{:.1f}", static_cast<double>(bytes) / 1e6);
}

Row network_cells(const TableRow& row) {
  return {row.data, std::to_string(row.network.agents), std::to_string(row.network.degree)};
}

Row with(Row row, const Row& more) {
  row.insert(row.end(), more.begin(), more.end());
  return row;
}

// The row of another variant or rival on the same network; null if there is none.
const TableRow* beside(const std::vector<TableRow>& all, const TableRow& row, std::string_view variant) {
  for (const TableRow& other : all)
    if (other.variant == variant && network_cells(other) == network_cells(row)) return &other;
  return nullptr;
}

constexpr std::string_view servers = "[11] two servers", ckks = "[12] multi-key CKKS",
                           lean = "[12] multi-key CKKS, lean";

std::string error_cell(const TableRow* row, const Spread TableRow::*error) {
  if (!row) return "-";
  return row->rival && row->rival->stopped ? "*" : error_text(row->*error);
}

std::string seconds_cell(const TableRow* row, const Spread TableRow::*seconds) {
  return row ? rival_seconds(*row, row->*seconds) : "-";
}

// Published and measured errors of one quantity.
std::string errors_text(const std::vector<TableRow>& all, const char* symbol,
                        const std::array<std::string_view, 3> PublishedRow::*published,
                        const Spread TableRow::*error) {
  std::vector<Row> rows;
  for (const TableRow& row : all)
    if (const PublishedRow* p = row.published())
      rows.push_back(with(network_cells(row),
                          {std::string((p->*published)[0]), error_cell(beside(all, row, servers), error),
                           std::string((p->*published)[1]), error_cell(beside(all, row, ckks), error),
                           error_cell(beside(all, row, lean), error), std::string((p->*published)[2]),
                           error_cell(&row, error), error_cell(beside(all, row, "protocol exact"), error)}));
  return fmt::format("\nRMSE of {} against plain distributed GPR: published, then this run\n\n", symbol) +
         markdown_table(with(network_header, {"[11]", "[11] here", "[12]", "[12] here", "[12] here, lean",
                                              "Ours", "ours here", "exact sums here"}),
                        rows);
}

std::string times_text(const std::vector<TableRow>& all) {
  std::vector<Row> work, longest;
  const auto cells = [&](const TableRow& row, const Spread TableRow::*seconds) {
    Row result;
    for (const std::string_view name : {servers, ckks, lean})
      result.push_back(seconds_cell(beside(all, row, name), seconds));
    result.push_back(seconds_cell(&row, seconds));
    for (const char* name : {"protocol exact", "landmarks, together"})
      result.push_back(seconds_cell(beside(all, row, name), seconds));
    return result;
  };
  for (const TableRow& row : all)
    if (const PublishedRow* p = row.published()) {
      const Row here = cells(row, &TableRow::total_work);
      work.push_back(
          with(network_cells(row), {std::string(p->total[0]), here[0], std::string(p->total[1]), here[1],
                                    here[2], std::string(p->total[2]), here[3], here[4], here[5],
                                    std::string(p->plain), seconds_text(row.plain_work)}));
      longest.push_back(with(network_cells(row), cells(row, &TableRow::total_longest)));
    }
  return "\nTotal seconds, work of all parties: published (on a GPU), then this run on this machine\n\n" +
         markdown_table(with(network_header, {"[11]", "[11] here", "[12]", "[12] here", "[12] here, lean",
                                              "Ours", "ours here", "exact sums here", "landmarks here",
                                              "plain GPR published", "plain GPR here"}),
                        work) +
         "\nTotal seconds, longest agent or server\n\n" +
         markdown_table(with(network_header, {"[11] here", "[12] here", "[12] here, lean", "ours here",
                                              "exact sums here", "landmarks here"}),
                        longest);
}

std::string costs_text(const std::vector<TableRow>& all) {
  std::vector<Row> costs;
  for (const TableRow& row : all)
    if (row.published())
      costs.push_back(with(
          network_cells(row),
          {seconds_text(row.plain_work), seconds_text(row.protocol_work), seconds_text(row.plain_longest),
           seconds_text(row.protocol_longest), fmt::format("{:.4f}", row.network_seconds.mean),
           std::to_string(row.rounds), std::to_string(row.messages), tenths_of_megabytes(row.bytes)}));
  return "\nOur seconds of computing and network, and the traffic of all agents\n\n" +
         markdown_table(with(network_header, {"plain, all", "protocol, all", "plain, longest",
                                              "protocol, longest", "network", "rounds", "messages", "MB"}),
                        costs) +
         "\nHow time is counted. All parties or agents: the sum of their work on this machine plus the "
         "network's virtual time. One computer that does all the work needs this time.\nLongest agent or "
         "server: the work of the busiest one plus the same network time. A deployment needs this time, "
         "because agents work in parallel.\nComputing is real time on this machine. Network is virtual: 0.2 "
         "ms for each message that must wait for another (rounds).\n";
}

// What is left out and why: each reason once, with its networks.
std::string left_out_text(const std::vector<TableRow>& all) {
  std::vector<std::pair<std::string, std::string>> reasons;  // reason and networks
  for (const TableRow& row : all) {
    if (row.left_out.empty()) continue;
    const std::string reason = fmt::format("{}: {}", row.variant, row.left_out);
    const std::string where =
        fmt::format("{} M = {} degree {}", row.data, row.network.agents, row.network.degree);
    auto at =
        std::find_if(reasons.begin(), reasons.end(), [&](const auto& one) { return one.first == reason; });
    if (at == reasons.end())
      reasons.emplace_back(reason, where);
    else
      at->second += ", " + where;
  }
  std::string text;
  for (const auto& [reason, where] : reasons) text += fmt::format("- {} ({})\n", reason, where);
  return text.empty() ? "" : "\nLeft out:\n\n" + text;
}

std::string options_text(const std::vector<TableRow>& all) {
  std::vector<Row> options;
  std::size_t repeats = 0, exact = 0;
  for (const TableRow& row : all) {
    if (row.published() || row.other_model || row.rival || !row.left_out.empty()) continue;
    (row.variant == "protocol exact" ? exact : repeats) = row.repeats;
    options.push_back(
        with(network_cells(row),
             {row.variant, row.plan.iterations ? std::to_string(row.plan.iterations) : "-",
              error_text(row.rmse_mean.mean), error_text(row.rmse_variance.mean),
              seconds_text(row.total_work), seconds_text(row.total_longest), std::to_string(row.rounds),
              std::to_string(row.messages), tenths_of_megabytes(row.bytes)}));
  }
  if (options.empty()) return "";
  return "\n### Ours, with options\n\n" +
         markdown_table(with(network_header, {"option", "T", "RMSE f̂", "RMSE V", "seconds, all agents",
                                              "seconds, longest agent", "rounds", "messages", "MB"}),
                        options) +
         fmt::format(
             "\n{} of the data{}. Range modulus: the fewest bits that our tighter bound allows. T planned: "
             "enough iterations to guarantee an error below L_z.\nOne helper: an agent that only makes "
             "masks, so that masks withstand coalitions of two. Seeded masks: masks from pairwise keys, "
             "without share messages.\nChebyshev: accelerated, T planned. Blinded: starting values hidden by "
             "40 bits of noise. Protocol exact: exact sums that each agent computes itself, values in units "
             "of L_z/1024.\n",
             repeats == 1 ? "One draw" : fmt::format("{} draws", repeats),
             exact == repeats || exact == 0 ? "" : fmt::format(", means over {} for protocol exact", exact));
}

// Ordered by network, so that models to be compared are adjacent.
std::string models_text(const std::vector<TableRow>& all) {
  std::vector<Row> models;
  std::size_t repeats = 0;
  for (const TableRow& exact : all)
    if (exact.variant == "protocol exact")
      for (const TableRow& row : all)
        if ((&row == &exact || row.other_model) && network_cells(row) == network_cells(exact)) {
          repeats = row.repeats;
          models.push_back(
              with(network_cells(row),
                   {row.other_model ? row.variant : row.variant + " (poe)", std::to_string(row.landmarks),
                    fmt::format("{:.3f}", row.test_error.mean), seconds_text(row.total_work),
                    seconds_text(row.total_longest), std::to_string(row.rounds), std::to_string(row.messages),
                    tenths_of_megabytes(row.bytes)}));
        }
  if (models.empty()) return "";
  return "\n### Other models of the same rows, with the same Θ\n\n" +
         markdown_table(with(network_header, {"model", "m", "test RMSE", "seconds, all agents",
                                              "seconds, longest agent", "rounds", "messages", "MB"}),
                        models) +
         fmt::format(
             "\n{}. The test RMSE is against true targets, over all points and outputs. Alone: only an "
             "agent's own rows, mean over agents. Rbcm: the\nsame experts as the paper's, fused by the "
             "robust committee. Landmarks: m public points, as many as the rows allow. All agents learn "
             "one\npooled model through them by two exact sums; experts learn the residuals. At home: the "
             "pooled model and an agent's own experts, mean\nover agents; no message for any number of "
             "questions. Together: the experts of all agents by rbcm. Seconds and traffic are those of "
             "the\nsums and of one request for all test points.\n",
             repeats == 1 ? "One draw of the data" : fmt::format("Means over {} draws of the data", repeats));
}

std::string draws_text(const std::vector<TableRow>& all) {
  const auto draws = [](std::size_t count) {
    return count == 1 ? "one draw" : fmt::format("{} draws", count);
  };
  const std::size_t ours = all.empty() ? 0 : all[0].repeats;
  std::string text =
      fmt::format("{}{} of the data", ours == 1 ? "" : "mean ± standard deviation over ", draws(ours));
  std::size_t rivals = 0;
  for (const TableRow& row : all)
    if (row.rival) rivals = std::max(rivals, row.repeats);
  if (rivals) text += fmt::format(" (rivals: {})", draws(rivals));
  return text;
}

}  // namespace

Document table_document(const PaperTable& table, const ReproduceSettings& settings) {
  const std::vector<TableRow>& all = table.rows;
  Document document{"table", "", table_csv(table), table_json(table, settings), {}};
  if (!table.growth.empty()) document.also.emplace_back("growth.csv", growth_csv(table.growth));
  document.text =
      fmt::format(
          "## Table (computation times)\n\nT = 100, L_z = 1e-4, 0.2 ms per message on the "
          "virtual clock, {}. {}\n"
          "[11] is secret sharing between two servers, [12] multi-key homomorphic encryption. Columns "
          "with \"here\" were measured in this run (docs/rivals.md), the others are published. Of the "
          "network, both depend only on M.\n",
          draws_text(all), model_text(settings)) +
      errors_text(all, "f̂", &PublishedRow::rmse_mean, &TableRow::rmse_mean) +
      errors_text(all, "V", &PublishedRow::rmse_variance, &TableRow::rmse_variance) + times_text(all) +
      preparation_text(all) + costs_text(all) + options_text(all) + models_text(all) + left_out_text(all) +
      rivals_text(table);
  if (!settings.shares || !settings.ckks)
    document.text +=
        fmt::format("\nLeft out because of `rivals`: {}.\n",
                    settings.shares ? "[12] multi-key CKKS"
                    : settings.ckks ? "[11] two servers"
                                    : "both rivals, growth with M and rows, and other libraries");
  return document;
}

}  // namespace tacit
