#include "tacit/lab/study/parties/party_split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tacit/base/error.hpp"
#include "tacit/lab/study/parties/party_checks.hpp"
#include "tacit/lab/study/parties/row_groups.hpp"
#include "tacit/table/rows/row_blocks.hpp"
#include "tacit/table/sql/sql.hpp"

namespace tacit {
namespace {

constexpr std::size_t usual_agents = 10;

// One agent for each value of the split column, even if all its rows are in the test, which is refused later.
std::vector<RowNumbers> part_by_column(const PartyOptions& options, const Table& table,
                                       const RowNumbers& train, std::vector<std::string>& names) {
  Groups groups = groups_by(table.texts(options.split_column), first_numbers(table.rows()));
  if (options.agents && *options.agents != groups.names.size())
    throw InputError(
        fmt::format("column '{}' has {} values and gives one agent for each; leave `agents={}` out",
                    options.split_column, groups.names.size(), *options.agents));
  if (groups.names.size() < 2)
    throw InputError(
        fmt::format("column '{}' has only one value, which gives only one agent; split by another column",
                    options.split_column));
  for (const std::string& word : table.texts(options.split_column).words())
    if (!contains(groups.names, word))
      throw InputError(fmt::format(
          "{}: all rows of '{}' have missing cells, so this agent would have no rows; use fewer columns "
          "(`inputs`) or remove its rows",
          table.name(), word));
  for (RowNumbers& group : groups.rows)
    std::erase_if(group, [&](std::size_t r) { return !std::binary_search(train.begin(), train.end(), r); });
  names = std::move(groups.names);
  return std::move(groups.rows);
}

}  // namespace

RowNumbers first_numbers(std::size_t count) {
  RowNumbers numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

std::vector<RowNumbers> part_rows(const PartyOptions& options, const std::vector<Table>& tables,
                                  const std::vector<DataFile>& files, RowNumbers train,
                                  std::vector<std::string>& names) {
  if (files.size() > 1 && !options.parts) {
    std::vector<RowNumbers> parts(files.size());
    for (const auto& file : options.data)
      names.push_back(std::filesystem::path(source_name(file)).filename().string());
    std::size_t file = 0, end = files[0].rows;
    for (std::size_t k : train) {  // ascending
      while (k >= end) end += files[++file].rows;
      parts[file].push_back(k);
    }
    return parts;
  }
  if (options.split == SplitMode::by_column) return part_by_column(options, tables[0], train, names);
  if (options.split == SplitMode::shuffled) {
    RowNumbers order = shuffled_rows(train.size(), options.seed + 1);
    for (std::size_t& row : order) row = train[row];
    train = std::move(order);
  }
  const std::size_t agents = options.agents.value_or(usual_agents);
  std::vector<RowNumbers> parts = contiguous_blocks(train, agents);
  for (std::size_t i = 0; i < agents; ++i) names.push_back(fmt::format("agent {}", i));
  return parts;
}

void deal_regions(std::vector<Samples>& agents) {
  Samples all;
  for (const Samples& agent : agents) {
    all.inputs.conservativeResize(all.inputs.rows() + agent.inputs.rows(), agent.inputs.cols());
    all.outputs.conservativeResize(all.inputs.rows(), agent.outputs.cols());
    all.inputs.bottomRows(agent.inputs.rows()) = agent.inputs;
    all.outputs.bottomRows(agent.inputs.rows()) = agent.outputs;
  }
  const std::vector<std::size_t> along = along_first_axis(all.inputs);
  const std::vector<RowNumbers> parts = contiguous_blocks(along, agents.size());
  for (std::size_t i = 0; i < agents.size(); ++i)
    agents[i] = {all.inputs(parts[i], Eigen::all), all.outputs(parts[i], Eigen::all)};
}

}  // namespace tacit
