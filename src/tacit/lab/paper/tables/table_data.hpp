// The table as JSON and CSV, for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tacit/lab/paper/tables/table.hpp"

namespace tacit {

nlohmann::ordered_json table_json(const PaperTable& table, const ReproduceSettings& settings);
std::string table_csv(const PaperTable& table);
/// The data of the plot of seconds against M and rows.
std::string growth_csv(const std::vector<Growth>& growths);

/// The paper's RMSE of f̂ and V and its seconds, as printed, for the rows that it has: its own and the
/// rivals'.
struct PublishedCells {
  std::string_view rmse_mean, rmse_variance, seconds;
};
std::optional<PublishedCells> published_cells(const TableRow& row);

}  // namespace tacit
