// The columns of a simulation. In a deployment, public ranges come from the charter; here they come from the
// data.
#pragma once

#include <vector>

#include "tacit/consortium/terms/terms.hpp"
#include "tacit/lab/study/parties/parties.hpp"

namespace tacit {

/// A column for each input, named by its number, with the range of the parties' rows and the points.
std::vector<Column> input_columns(const std::vector<Samples>& parties, const Matrix& points);

/// The named columns of files, with the range of the agents' rows. Categorical columns have their levels.
std::vector<Column> named_input_columns(const Parties& parties);

/// Widens the ranges of such columns to these points. Levels have no range.
void include(std::vector<Column>& columns, const Matrix& points);

/// A column for each output, with the range of the parties' rows.
std::vector<Column> target_columns(const std::vector<Samples>& parties);

/// The cells of a column of all agents, one agent after the other.
enum class CellsOf { inputs, outputs };
Vector cells_of(const Parties& parties, CellsOf part, Index column);

/// The named targets of files, with the range of their rows or up to the agreed bound. Reads no rows.
std::vector<Column> named_target_columns(const Parties& parties);

/// The largest number of rows of a party.
std::size_t most_rows(const std::vector<Samples>& parties);

}  // namespace tacit
