// The model that a fit produces, with the seals of its roster. A model is valid only with the signature of
// every agent whose data it was fitted to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/agent/rows/row_set.hpp"
#include "tacit/charter/charter.hpp"
#include "tacit/consortium/fitted.hpp"
#include "tacit/secrecy/signature.hpp"

namespace tacit {

/// Identifies the pooled part of a model. The part itself is large and is not sent with the model: every
/// agent of the roster computed it in the fit and stores it.
struct PooledName {
  std::uint64_t rows = 0, landmarks = 0;
  Digest digest{};  ///< over rows, landmarks and totals, bit by bit

  friend bool operator==(const PooledName&, const PooledName&) = default;
};
PooledName name_of(const Pooled& pooled);

struct FittedModel : Fitted {
  std::uint64_t version = 0;    ///< an agent never signs two models of one version
  std::string fit;              ///< hexadecimal name of the fit
  Digest charter{};             ///< its hash
  std::string fitted_at;        ///< UTC
  AgentId originator = 0;       ///< the asker
  std::vector<AgentId> roster;  ///< the agents whose data it was fitted to, ascending
  Digest transcript{};          ///< at the end of the fit
  /// Identifies `pooled`. A model that was received or read has only this name.
  std::optional<PooledName> pooled_name = {};
};

/// The digest that identifies a model: over all its content, numbers bit by bit, the pooled part by its name.
Digest digest_of(const FittedModel& model);

/// The signature of one agent under a model.
struct Seal {
  AgentId agent = 0;
  Digest commitment{};  ///< to its rows
  Signature signature{};
};

Seal make_seal(const Digest& model, AgentId self, const Digest& commitment, const Identity& identity);
bool holds(const Seal& seal, const Digest& model, const IdentityKey& signer);

/// Commits an agent to its rows, including held-out rows. It reveals nothing about them without the salt.
Digest commitment_to(const RowSet& rows, const Samples& holdout, std::span<const std::byte> salt);

struct SealedModel {
  FittedModel model;
  std::vector<Seal> seals;  ///< one for each agent of the roster, in its order
  Digest digest{};          ///< of the model
};

/// Throws InputError unless the model belongs to this charter, is well formed, and is sealed by exactly its
/// roster. The error names the agent whose seal is not valid. check_plausible checks the numbers; it needs
/// the pooled part.
void check_sealed(const SealedModel& sealed, const Charter& charter);

/// The form in which models are sent (model.proto). Reading takes the charter's terms, and throws InputError
/// for input that is too large or malformed, and if check_sealed fails.
std::string to_bytes(const SealedModel& sealed);
SealedModel sealed_from_bytes(std::string_view bytes, const Charter& charter, const Terms& terms);

/// The same for a model without seals.
std::string to_bytes(const FittedModel& model);
FittedModel model_from_bytes(std::string_view bytes, const Charter& charter, const Terms& terms);

/// The maximum size of a sealed model of this charter.
std::size_t most_model_bytes(const Charter& charter);

}  // namespace tacit
