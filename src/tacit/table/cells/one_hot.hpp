// Categorical columns as numbers: one column for each level, with 1 in rows that have it and 0 in others.
//
// The levels and their order must be the same for all agents, so they are public and listed in the charter.
// Every level gets a column, because a Gaussian process does not need a base level.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tacit/table/read_options.hpp"
#include "tacit/table/table.hpp"

namespace tacit {

/// More levels than this are refused, because the column probably contains names or numbers.
constexpr std::size_t most_levels = 1000;

/// Returns the levels of a categorical column: those declared, or all that occur in rows of the tables,
/// sorted. Throws InputError if there are too many, if one is blank or declared twice, or if two are the same
/// number.
std::vector<std::string> levels_of(const ColumnWords& category, std::span<const Table> tables);

/// Returns the name of the column for a level: sex=female.
std::string level_column(const std::string& column, const std::string& level);

/// Returns the index of the level for each word of the column. Throws BadCellsError for rows with an unknown
/// level.
std::vector<std::uint32_t> level_of_words(const Table& table, const std::string& column,
                                          std::span<const std::string> levels);

/// The same for each row.
std::vector<std::uint32_t> level_places(const Table& table, const std::string& column,
                                        std::span<const std::string> levels);

}  // namespace tacit
