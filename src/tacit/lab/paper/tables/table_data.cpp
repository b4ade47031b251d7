#include "tacit/lab/paper/tables/table_data.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tacit/lab/paper/evaluation/format.hpp"

namespace tacit {
namespace {

using Json = nlohmann::ordered_json;

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

Json rival_json(const TableRow& row) {
  Json phases = Json::array();
  for (const RivalPhase& phase : row.rival->phases)
    phases.push_back({{"name", phase.name},
                      {"in_total", !phase.before_the_total},
                      {"seconds_all", json_number(phase.work)},
                      {"seconds_longest", json_number(phase.longest)},
                      {"seconds_network", json_number(phase.network)},
                      {"rounds", phase.rounds},
                      {"messages", phase.messages},
                      {"bytes", phase.bytes},
                      {"largest_error", json_number(phase.error)}});
  Json json{{"parameters", row.rival->parameters},
            {"over_limit", row.rival->stopped.has_value()},
            {"limit_seconds", rival_limit_seconds},
            {"phases", std::move(phases)}};
  if (const auto& stop = row.rival->stopped) {
    json["stopped_after"] = stop->after;
    json["stopped_in"] = stop->in;
  }
  if (const auto cells = published_cells(row))
    json["published"] = {{"rmse_mean", cells->rmse_mean},
                         {"rmse_variance", cells->rmse_variance},
                         {"total_seconds", cells->seconds}};
  return json;
}

Json row_json(const TableRow& row) {
  const bool traffic = row.left_out.empty();
  const auto count = [&](std::uint64_t value) { return traffic ? Json(value) : Json(nullptr); };
  Json json{
      {"data", row.data},
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
      {"traffic",
       {{"rounds", count(row.rounds)}, {"messages", count(row.messages)}, {"bytes", count(row.bytes)}}}};
  if (!row.left_out.empty()) json["left_out"] = row.left_out;
  if (row.rival) {
    json["rival"] = rival_json(row);
  } else if (row.other_model) {
    json["landmarks"] = row.landmarks;
  } else if (row.left_out.empty()) {
    json["iterations"] = row.plan.iterations;
    json["lz"] = row.plan.lz;
    json["modulus_bits"] = row.plan.modulus_bits;
    json["lambda"] = row.plan.lambda;
  }
  if (const PublishedRow* published = row.published()) json["published"] = published_json(*published);
  return json;
}

// A CSV cell for any text, by RFC 4180.
std::string quoted(const std::string& text) {
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

std::string numbers_csv(const TableRow& row) {
  if (row.rival || !row.left_out.empty()) return ",,,";
  if (row.other_model) return fmt::format(",,,{}", row.landmarks);
  return fmt::format("{},{:g},{},", row.plan.iterations, row.plan.lz, row.plan.modulus_bits);
}

void add_csv(const TableRow& row, std::string& csv) {
  csv += fmt::format("{},{},{},\"{}\",{},{}", row.data, row.network.agents, row.network.degree, row.variant,
                     row.repeats, numbers_csv(row));
  for (const Spread& s :
       {row.rmse_mean, row.rmse_variance, row.test_error, row.plain_work, row.plain_longest,
        row.protocol_work, row.protocol_longest, row.network_seconds, row.total_work, row.total_longest})
    csv += fmt::format(",{},{}", csv_cell(s.mean), csv_cell(s.deviation));
  csv += row.left_out.empty() ? fmt::format(",{},{},{}", row.rounds, row.messages, row.bytes) : ",,,";
  const PublishedCells cells = published_cells(row).value_or(PublishedCells{});
  csv += fmt::format(",{},{},{},{},{}\n", cells.rmse_mean, cells.rmse_variance, cells.seconds,
                     quoted(row.left_out), row.rival && row.rival->stopped ? row.rival->stopped->in : "");
}

Json growth_json(const std::vector<Growth>& growths) {
  Json all = Json::array();
  for (const Growth& growth : growths) {
    Json points = Json::array();
    for (const Growth::Point& point : growth.points)
      points.push_back({{"agents", point.agents},
                        {"rows", point.rows},
                        {"seconds_all", json_number(point.all)},
                        {"seconds_longest", json_number(point.longest)}});
    all.push_back({{"data", growth.data},
                   {"variant", growth.method},
                   {"against", growth.with_agents ? "agents" : "rows"},
                   {"exponent", json_number(growth.exponent)},
                   {"stopped", growth.stopped},
                   {"points", std::move(points)}});
  }
  return all;
}

Json libraries_json(const std::vector<LibrarySpeed>& speeds) {
  Json all = Json::array();
  for (const LibrarySpeed& speed : speeds) {
    Json one{{"data", speed.data},
             {"library", speed.library},
             {"agents", speed.agents},
             {"tacit_seconds", speed.ours}};
    if (speed.missing.empty()) {
      one["version"] = speed.version;
      one["seconds"] = speed.seconds;
      one["relative_difference"] = speed.difference;
    } else {
      one["missing"] = speed.missing;
    }
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

std::optional<PublishedCells> published_cells(const TableRow& row) {
  if (const PublishedRow* ours = row.published())
    return PublishedCells{ours->rmse_mean[2], ours->rmse_variance[2], ours->total[2]};
  if (row.rival)
    for (const PublishedRow& published : published_table)
      if (published.data == row.data && published.agents == row.network.agents &&
          published.degree == row.network.degree)
        return PublishedCells{published.rmse_mean[row.rival->column],
                              published.rmse_variance[row.rival->column], published.total[row.rival->column]};
  return std::nullopt;
}

Json table_json(const PaperTable& table, const ReproduceSettings& settings) {
  Json rows = Json::array();
  for (const TableRow& row : table.rows) rows.push_back(row_json(row));
  return {{"settings", settings_json(settings)},
          {"rows", std::move(rows)},
          {"growth", growth_json(table.growth)},
          {"libraries", libraries_json(table.libraries)}};
}

std::string table_csv(const PaperTable& table) {
  std::string csv = "data,agents,degree,variant,repeats,iterations,lz,modulus_bits,landmarks";
  for (const char* name : {"rmse_mean", "rmse_variance", "test_rmse", "plain_all", "plain_longest",
                           "protocol_all", "protocol_longest", "network", "total_all", "total_longest"})
    csv += fmt::format(",{0},{0}_std", name);
  csv +=
      ",rounds,messages,bytes,published_rmse_mean,published_rmse_variance,published_seconds,left_out,stopped_"
      "in\n";
  for (const TableRow& row : table.rows) add_csv(row, csv);
  return csv;
}

std::string growth_csv(const std::vector<Growth>& growths) {
  std::string csv = "data,variant,against,agents,rows,seconds_all,seconds_longest,exponent,stopped\n";
  for (const Growth& growth : growths)
    for (const Growth::Point& point : growth.points)
      csv += fmt::format("{},\"{}\",{},{},{},{},{},{},{}\n", growth.data, growth.method,
                         growth.with_agents ? "agents" : "rows", point.agents, point.rows,
                         csv_cell(point.all), csv_cell(point.longest), csv_cell(growth.exponent),
                         std::isfinite(point.longest) ? "\"\"" : quoted(growth.stopped));
  return csv;
}

}  // namespace tacit
