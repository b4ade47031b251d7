// The pooled part of a model in a file, to the bit.
#pragma once

#include <filesystem>
#include <memory>

#include "tacit/consortium/fitted.hpp"
#include "tacit/gp/saved_file.hpp"

namespace tacit {

void write(SavedWriter& out, const Pooled& pooled);
/// Throws InputError for anything that is not of these priors, or cannot have come from rows.
std::shared_ptr<const Pooled> read_pooled(SavedReader& in, const Priors& priors);

/// A file of its own; only its owner may read it. Throw Error and InputError as SavedWriter and SavedReader
/// do.
void save_pooled(const std::filesystem::path& file, const Pooled& pooled);
std::shared_ptr<const Pooled> load_pooled(const std::filesystem::path& file, const Priors& priors);

}  // namespace tacit
