// The two data sets of the paper's evaluation.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "tacit/lab/study/parties.hpp"

namespace tacit {

struct DataSet {
  std::string name;
  std::vector<std::string> inputs, targets;
  Samples samples;
  std::size_t train_rows = 0, test_rows = 0;  ///< how many the paper takes of each
  double noise = 0;  ///< σ_ε by default: the paper gives none (docs/reproduction.md)
};

/// How the ten inputs of Diabetes are scaled: as scikit-learn ships them and the paper must have used them,
/// every column centred and of norm 1 over the 442 rows (entries near 0.05), or every column of variance 1.
enum class DiabetesInputs { unit_norm, standardised };

/// Bundled with the program.
DataSet diabetes(DiabetesInputs inputs = DiabetesInputs::unit_norm);

/// Looks in `folder` for sarcos.csv, sarcos_inv.mat or sarcos_inv_test.mat, in this order. Nothing when there
/// is none; throws InputError for one that cannot be used.
std::optional<DataSet> find_sarcos(const std::filesystem::path& folder);

/// For people who have no SARCOS file: what to get, where, and where to put it.
std::string how_to_get_sarcos(const std::filesystem::path& folder);

/// Draws test rows and training rows at random without replacement; agents get the training rows.
Parties deal(const DataSet& data, std::size_t agents, std::uint64_t seed);

/// The same data with only its first output.
DataSet first_output(const DataSet& data);

}  // namespace tacit
