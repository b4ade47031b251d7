// In a deployment, public ranges come from the charter. Here they come from the data at hand.
#pragma once

#include <vector>

#include "tacit/consortium/terms/terms.hpp"
#include "tacit/lab/study/parties/parties.hpp"

namespace tacit {

/// A column for each input, named by its number, as wide as the parties' rows and the points need.
std::vector<Column> input_columns(const std::vector<Samples>& parties, const Matrix& points);

/// The columns of files: named, by their levels where they are categorical, as wide as the agents' rows and
/// the points need.
std::vector<Column> named_input_columns(const Parties& parties, const Matrix& points);

/// A column for each output, as wide as the parties' rows need.
std::vector<Column> target_columns(const std::vector<Samples>& parties);

/// All agents' cells of a column, one agent after the other.
enum class CellsOf { inputs, outputs };
Vector cells_of(const Parties& parties, CellsOf part, Index column);

/// The targets of files, by name: each as wide as its rows need, or up to the bound that was asked for.
std::vector<Column> named_target_columns(const Parties& parties);

/// The most rows that a party has.
std::size_t most_rows(const std::vector<Samples>& parties);

}  // namespace tacit
