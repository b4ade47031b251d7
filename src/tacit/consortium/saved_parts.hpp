// Writes and reads parts of models exactly, to the bit. The readers throw InputError for damaged data.
#pragma once

#include <string>
#include <vector>

#include "tacit/consortium/fitted.hpp"
#include "tacit/consortium/pool/saved_pooled.hpp"

namespace tacit {

void write(SavedWriter& out, const std::vector<std::string>& texts);
std::vector<std::string> read_texts(SavedReader& in);

/// There must be at least one column.
void write(SavedWriter& out, const std::vector<Column>& columns);
std::vector<Column> read_columns(SavedReader& in);

void write(SavedWriter& out, const CommitteeOptions& committee);
CommitteeOptions read_committee(SavedReader& in);

/// `inputs` is the number of inputs of the model, with one for each level of a categorical column.
void write(SavedWriter& out, const Fitted& fitted);
Fitted read_fitted(SavedReader& in, std::size_t inputs, std::size_t targets);

/// There must be at least one row.
void write(SavedWriter& out, const Samples& rows);
Samples read_rows(SavedReader& in, std::size_t inputs, std::size_t targets);

}  // namespace tacit
