// What an agent keeps of a fit: the priors found and the scaling, which all agents know, under a version.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "tacit/regression/local.hpp"
#include "tacit/regression/standardise.hpp"

namespace tacit {

struct FittedModel {
  std::uint64_t version = 0;  ///< counted by whoever asked for the fit
  std::string fit;            ///< hexadecimal name of the fit; agents with another do not predict together
  std::string charter;        ///< the charter's hash in hexadecimal
  std::string fitted_at;      ///< UTC, for people
  std::string originator;     ///< who asked
  std::optional<Standardisation> standardisation;
  Priors priors;                ///< by target, in the units of the model
  double likelihood = 0;        ///< Σ_i h_i where tuning ended; 0 without tuning
  std::size_t evaluations = 0;  ///< that tuning took
};

/// JSON with a checksum, which reads back to the same bits. Reading throws InputError, naming the file, for
/// one that was cut off, changed or made for another charter than `charter` (a hash in hexadecimal).
std::string to_text(const FittedModel& model);
FittedModel model_from(const std::string& file, const std::string& text, const std::string& charter);

}  // namespace tacit
