// The model that an agent holds, and the last one that it has signed, in its state folder.
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
  /// The agent's rows are not those that it had when it sealed the model, or it cannot tell.
  bool rows_changed = false;
};

/// Pooled parts are in files of their own, named by their digests. Safe to call from several threads.
/// Charter, terms and rows must outlive it.
class ModelStore {
 public:
  /// Reads what was kept. A file that cannot be used is renamed to *.set-aside, and the log says why. Throws
  /// NewerFormat for one of a later release, which stays as it is.
  ModelStore(std::filesystem::path folder, const Charter& charter, const Terms& terms, AgentId self,
             const RowSet& rows, const Samples& holdout, LogSink log);

  /// None before the first fit.
  std::shared_ptr<const HeldModel> held() const;

  /// The highest version that this agent holds or has signed; 0 for none.
  std::uint64_t highest() const;
  /// The digest of the last model that it has signed, if that has this version.
  std::optional<Digest> signed_as(std::uint64_t version) const;

  /// The pooled part that the model names, from what this agent keeps; none without landmarks. Throws
  /// InputError when it does not have it, or has it damaged.
  std::shared_ptr<const Pooled> pooled_of(const FittedModel& model) const;

  /// Would this agent's rows count as changed with this model?
  bool rows_differ(const SealedModel& sealed) const;

  /// To be called before this agent's seal leaves it: commits to the rows under a fresh salt, and remembers
  /// on disk that this version is taken, and its pooled part.
  Digest commit(const FittedModel& model);

  /// Keeps a model that check_sealed and check_plausible let pass.
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
  void forget_pooled() const;  // what no model names any more
  void set_aside(const std::filesystem::path& file, const std::string& why,
                 LogLevel level = LogLevel::error) const;
  void read_model();
  void read_signed();
  bool rows_differ(const SealedModel& sealed, const std::string& salt) const;
  std::string salt_of(const SealedModel& sealed) const;  // as it was signed; empty when that is not known

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
