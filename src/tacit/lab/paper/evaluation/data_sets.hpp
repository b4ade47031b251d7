// The two data sets of the paper's evaluation.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "tacit/lab/study/parties/parties.hpp"

namespace tacit {

struct DataSet {
  std::string name;
  std::vector<std::string> inputs, targets;
  Samples samples;
  std::size_t train_rows = 0, test_rows = 0;  ///< the numbers that the paper uses
  double noise = 0;  ///< the default σ_ε; the paper gives none (docs/reproduction.md)
};

/// How the ten inputs of Diabetes are scaled. unit_norm is how scikit-learn ships them and how the paper must
/// have used them: each column is centred and has norm 1 over the 442 rows (entries near 0.05). With
/// standardised, each column has variance 1.
enum class DiabetesInputs { unit_norm, standardised };

/// The Diabetes data, which are bundled with the program.
DataSet diabetes(DiabetesInputs inputs = DiabetesInputs::unit_norm);

/// Looks in `folder` for sarcos.csv, sarcos_inv.mat or sarcos_inv_test.mat, in this order. Returns nothing if
/// there is none. Throws InputError for an unusable file.
std::optional<DataSet> find_sarcos(const std::filesystem::path& folder);

/// Tells users without a SARCOS file which file to get, from where, and where to put it.
std::string how_to_get_sarcos(const std::filesystem::path& folder);

/// Draws test rows and training rows at random without replacement and divides the training rows among the
/// agents.
Parties deal(const DataSet& data, std::size_t agents, std::uint64_t seed);

/// The same data with only its first output.
DataSet first_output(const DataSet& data);

}  // namespace tacit
