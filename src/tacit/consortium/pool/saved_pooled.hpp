// Saves the pooled part of a model exactly, to the bit.
#pragma once

#include <filesystem>
#include <memory>

#include "tacit/consortium/fitted.hpp"
#include "tacit/gp/saved_file.hpp"

namespace tacit {

void write(SavedWriter& out, const Pooled& pooled);
/// Throws InputError for data that do not fit these priors, or that no rows can produce.
std::shared_ptr<const Pooled> read_pooled(SavedReader& in, const Priors& priors);

/// Save to and load from a separate file, which only its owner may read. Throw Error and InputError as
/// SavedWriter and SavedReader do.
void save_pooled(const std::filesystem::path& file, const Pooled& pooled);
std::shared_ptr<const Pooled> load_pooled(const std::filesystem::path& file, const Priors& priors);

}  // namespace tacit
