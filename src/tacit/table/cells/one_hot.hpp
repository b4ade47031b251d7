// Categorical columns as numbers: one column for each level, 1 where a row has it and 0 elsewhere.
//
// The levels and their order must be the same for all agents, so they are public: a charter lists them. All
// are kept, as a Gaussian process has no use for a base level.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tacit/table/read_options.hpp"
#include "tacit/table/table.hpp"

namespace tacit {

/// More levels than this are refused: the column more likely holds names or numbers.
constexpr std::size_t most_levels = 1000;

/// The levels of a categorical column: those declared, or all that rows of the tables have, sorted. Throws
/// InputError when there are too many, when one is declared twice or blank, or when two are the same number.
std::vector<std::string> levels_of(const ColumnWords& category, std::span<const Table> tables);

/// What the column of a level is called: sex=female.
std::string level_column(const std::string& column, const std::string& level);

/// For each of the column's words the place of its level. Throws BadCellsError for rows with a level that is
/// not among them.
std::vector<std::uint32_t> level_of_words(const Table& table, const std::string& column,
                                          std::span<const std::string> levels);

/// The same for each row.
std::vector<std::uint32_t> level_places(const Table& table, const std::string& column,
                                        std::span<const std::string> levels);

}  // namespace tacit
