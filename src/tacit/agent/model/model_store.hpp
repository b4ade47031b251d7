// Stores, in an agent's state folder, its current model and a record of the last model that it signed.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

#include "tacit/agent/model/model.hpp"
#include "tacit/link/node/node_options.hpp"

namespace tacit {

struct HeldModel {
  SealedModel sealed;
  /// The agent's rows differ from those that it sealed the model with, or cannot be compared with them.
  bool rows_changed = false;
};

/// Pooled parts are in separate files, named by their digests. Safe to call from several threads. Charter,
/// terms and rows must outlive it.
class ModelStore {
 public:
  /// Reads the stored files. A file that cannot be used is renamed to *.set-aside, and the reason is logged.
  /// Throws NewerFormat for a file of a later release, which is not changed.
  ModelStore(std::filesystem::path folder, const Charter& charter, const Terms& terms, AgentId self,
             const RowSet& rows, const Samples& holdout, LogSink log);

  /// Null before the first fit.
  std::shared_ptr<const HeldModel> held() const;

  /// The highest version that this agent holds or has signed; 0 if none.
  std::uint64_t highest() const;
  /// The digest of the last model that this agent signed, if it has this version.
  std::optional<Digest> signed_as(std::uint64_t version) const;

  /// Returns the stored pooled part of the model, or null without landmarks. Throws InputError if the part is
  /// missing or damaged.
  std::shared_ptr<const Pooled> pooled_of(const FittedModel& model) const;

  /// Whether this agent's rows differ from those of the model, or cannot be compared with them.
  bool rows_differ(const SealedModel& sealed) const;

  /// Call it before sending this agent's seal. Commits to the rows under a fresh salt. Stores on disk that
  /// this version is taken, and the pooled part.
  Digest commit(const FittedModel& model);

  /// Stores a model that has passed check_sealed and check_plausible.
  void keep(const SealedModel& sealed);

 private:
  struct Signed {
    std::uint64_t version = 0;
    Digest digest{};
    std::string salt;  // hexadecimal
    std::optional<Digest> pooled = {};
  };
  std::filesystem::path model_file() const { return folder_ / "model.json"; }
  std::filesystem::path signed_file() const { return folder_ / "signed.json"; }
  std::filesystem::path pooled_file(const Digest& digest) const;
  void keep_pooled(const FittedModel& model) const;
  std::shared_ptr<const Pooled> read_pooled_of(const FittedModel& model) const;
  void forget_pooled() const;  // deletes the parts that no model refers to
  void set_aside(const std::filesystem::path& file, const std::string& why,
                 LogLevel level = LogLevel::error) const;
  void read_model();
  void read_signed();
  bool rows_differ(const SealedModel& sealed, const std::string& salt) const;
  std::string salt_of(const SealedModel& sealed) const;  // the salt used for signing; empty if unknown

  const std::filesystem::path folder_;
  const Charter& charter_;
  const Terms& terms_;
  const AgentId self_;
  const RowSet& rows_;
  const Samples& holdout_;
  const LogSink log_;
  mutable std::mutex guard_;
  std::shared_ptr<const HeldModel> held_;
  Signed signed_;
};

}  // namespace tacit
