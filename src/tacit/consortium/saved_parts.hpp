// Parts of models in files, to the bit. Whatever is read throws InputError where it is damaged.
#pragma once

#include <string>
#include <vector>

#include "tacit/consortium/fitted.hpp"
#include "tacit/consortium/pool/saved_pooled.hpp"

namespace tacit {

void write(SavedWriter& out, const std::vector<std::string>& texts);
std::vector<std::string> read_texts(SavedReader& in);

/// At least one.
void write(SavedWriter& out, const std::vector<Column>& columns);
std::vector<Column> read_columns(SavedReader& in);

void write(SavedWriter& out, const CommitteeOptions& committee);
CommitteeOptions read_committee(SavedReader& in);

/// Of this many inputs, as the model sees them, and targets.
void write(SavedWriter& out, const Fitted& fitted);
Fitted read_fitted(SavedReader& in, std::size_t inputs, std::size_t targets);

/// At least one row.
void write(SavedWriter& out, const Samples& rows);
Samples read_rows(SavedReader& in, std::size_t inputs, std::size_t targets);

}  // namespace tacit
