// A fitted model in one file, which predicts without an agent and without a network.
//
//   const PortableModel model = PortableModel::load("model.tacit");
//   const Prediction p = model.predict(points);
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tacit/consortium/fitted.hpp"

namespace tacit {

struct PortableModel {
  // Its origin, for the user.
  std::string title;    ///< of the charter
  std::string charter;  ///< the charter's hash, hexadecimal
  std::string owner;    ///< the agent that has written the file
  std::string fitted_at;
  std::uint64_t version = 0;
  std::vector<std::string> roster;  ///< the agents whose rows were used in the fit

  std::vector<Column> inputs, targets;
  Fusion fusion = Fusion::poe;
  CommitteeOptions committee;
  Fitted fitted;
  std::optional<Samples> rows;  ///< the owner's rows, in the data's units, if exported with experts

  /// Returns the prediction at these points. With rows, it equals what the owner's agent answers at home, to
  /// the bit. Without rows, only the pooled part predicts; the variance that landmarks do not explain remains
  /// that of the prior. Throws InputError for points outside the agreed ranges. The result does not depend on
  /// the number of threads.
  Prediction predict(const Matrix& points, unsigned threads = 1) const;

  /// Returns the whole file. Throws InputError if the model has neither a pooled part nor rows.
  std::string to_file() const;
  /// Throws InputError, with a message of one sentence, if the file cannot be read, is of another kind or
  /// version, or is damaged.
  static PortableModel load(const std::filesystem::path& file);
};

}  // namespace tacit
