// What agents keep of a fit, under the seals of everybody whose data it rests on. Nobody's word is taken for
// a model: it counts only with the signature of each agent of its roster.
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

/// What a model says of its pooled part. The part itself is large and does not travel with the model: every
/// agent of the roster has worked it out in the fit, and keeps it.
struct PooledName {
  std::uint64_t rows = 0, landmarks = 0;
  Digest digest{};  ///< over rows, landmarks and totals, numbers by their bits

  friend bool operator==(const PooledName&, const PooledName&) = default;
};
PooledName name_of(const Pooled& pooled);

struct FittedModel : Fitted {
  std::uint64_t version = 0;    ///< no agent signs two models of one version
  std::string fit;              ///< hexadecimal name of the fit
  Digest charter{};             ///< its hash
  std::string fitted_at;        ///< UTC
  AgentId originator = 0;       ///< who asked for it
  std::vector<AgentId> roster;  ///< whose data it rests on, ascending
  Digest transcript{};          ///< of the fit, at its end
  /// Of `pooled`, also where that is not at hand: a model that was sent or read has only this.
  std::optional<PooledName> pooled_name = {};
};

/// Over everything that the model says, numbers by their bits, its pooled part by its name. It names the
/// model.
Digest digest_of(const FittedModel& model);

/// One agent's word for a model.
struct Seal {
  AgentId agent = 0;
  Digest commitment{};  ///< to its rows
  Signature signature{};
};

Seal make_seal(const Digest& model, AgentId self, const Digest& commitment, const Identity& identity);
bool holds(const Seal& seal, const Digest& model, const IdentityKey& signer);

/// Binds an agent to its rows, held-out ones too, and shows nothing of them to whoever does not know the
/// salt.
Digest commitment_to(const RowSet& rows, const Samples& holdout, std::span<const std::byte> salt);

struct SealedModel {
  FittedModel model;
  std::vector<Seal> seals;  ///< of exactly the roster, in its order
  Digest digest{};          ///< of the model
};

/// Throws InputError unless the model is of this charter, well formed, and sealed by exactly its roster; the
/// error names the agent whose seal does not hold. What the numbers say is check_plausible's, which needs the
/// pooled part.
void check_sealed(const SealedModel& sealed, const Charter& charter);

/// As it travels (model.proto). Reading throws InputError for anything too large or not well formed, and for
/// a model that check_sealed does not let pass.
std::string to_bytes(const SealedModel& sealed);
SealedModel sealed_from_bytes(std::string_view bytes, const Charter& charter);

/// The same of a model that nobody has sealed yet.
std::string to_bytes(const FittedModel& model);
FittedModel model_from_bytes(std::string_view bytes, const Charter& charter);

/// No sealed model of this charter takes more bytes.
std::size_t most_model_bytes(const Charter& charter);

}  // namespace tacit
