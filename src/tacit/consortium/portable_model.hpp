// A fitted model to take away: one file that answers without agent and network.
//
//   const PortableModel model = PortableModel::load("model.tacit");
//   const ConsortiumPosterior p = model.predict(points);
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tacit/consortium/fitted.hpp"

namespace tacit {

struct PortableModel {
  // Where it comes from, for people.
  std::string title;    ///< of the charter
  std::string charter;  ///< its hash, hexadecimal
  std::string owner;    ///< the agent that has written it
  std::string fitted_at;
  std::uint64_t version = 0;
  std::vector<std::string> roster;  ///< whose rows the fit rests on

  std::vector<Column> inputs, targets;
  Fusion fusion = Fusion::poe;
  CommitteeOptions committee;
  Fitted fitted;
  std::optional<Samples> rows;  ///< the owner's, in the data's units, where it has its experts with it

  /// What the owner's agent answers at home, to the bit, where the rows are in it. Without them the pooled
  /// part alone: what landmarks leave unexplained is as uncertain as it was before any data. Throws
  /// InputError for points outside of the agreed ranges. The same for any number of threads.
  ConsortiumPosterior predict(const Matrix& points, unsigned threads = 1) const;

  /// The whole file. Throws InputError for a model that has neither a pooled part nor rows.
  std::string to_file() const;
  /// Throws InputError, in one sentence, for a file that cannot be read, is something else, damaged, or of
  /// another version.
  static PortableModel load(const std::filesystem::path& file);
};

}  // namespace tacit
