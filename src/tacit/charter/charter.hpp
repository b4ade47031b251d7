// The charter: the public agreement that all agents hold a copy of. Its hash identifies the consortium.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tacit/consortium/terms/terms.hpp"
#include "tacit/graph/graph.hpp"
#include "tacit/identity/card.hpp"

namespace tacit {

/// One party. Its AgentId is its place in Charter::agents.
struct CharterAgent {
  std::string name;
  std::string address;  ///< host:port where the others reach it
  IdentityKey identity{};
  std::string certificate;    ///< PEM, pinned
  Fingerprint fingerprint{};  ///< of the certificate
};

struct CharterModel {
  std::string kernel = "se";  ///< as parse_kernel reads it
  Fusion fusion = Fusion::poe;
  /// Columns are standardised in private; the numbers below are then in standardised units.
  bool standardise = true;
  /// Where tuning starts, or what is used without it. Numbers in the kernel's text replace the first two.
  double lengthscale = 1, signal = 1, noise = 0.5;
  std::size_t expert_rows = 500;  ///< an agent with more rows splits them among experts
  LandmarkTerms landmarks = {};   ///< none where the file says nothing of them
};

/// "auto", or how many.
std::string to_string(const LandmarkTerms& landmarks);

struct CharterTuning {
  bool on = true;
  double low = 0.01, high = 100;  ///< the box that every parameter stays in
  /// And floors of their own: a small noise or length-scale lets a prediction follow single rows, see
  /// row_share().
  double noise_floor = 0.05, lengthscale_floor = 0.1;
  std::size_t restarts = 0;
  std::uint64_t seed = 1;
  std::size_t evaluations = 100;  ///< at most, in each search
};

struct CharterProtocol {
  SumProtocol sums = SumProtocol::exact;
  std::size_t collusion = 1;    ///< how many agents may collude without learning more than sums
  std::size_t fewest = 3;       ///< an answer needs at least this many agents; at least collusion + 2
  std::size_t rows = 10'000;    ///< the most rows an agent brings
  std::size_t points = 10'000;  ///< the most points in one request
  bool refits = false;          ///< agents may ask for fits by themselves, when their owners want that
  /// For predictions: the unit of exact sums, or L_z of the consensus; planned when absent.
  std::optional<double> unit;
  /// For the consensus only.
  Hardening consensus = {
      .masks = MaskSource::seeded, .acceleration = Acceleration::chebyshev, .blinding = 40};
};

/// In seconds. A timeout error gives the name of the limit as it is here.
struct CharterTimeouts {
  double gather = 20;    ///< to answer an announcement
  double loss = 10;      ///< without a link for this long, an agent is lost to the current runs
  double silence = 300;  ///< in a run, for a connected agent to send what is waited for
  double queue = 600;    ///< for a request to get its turn
};

struct Charter {
  std::string title;
  std::uint64_t number = 1;        ///< of the charters of a consortium, each of which follows the one before
  std::optional<Digest> previous;  ///< the hash of the one before; none for the first
  std::vector<CharterAgent> agents;
  std::string topology;  ///< "ring:4" or "complete"; empty when `links` is given
  std::vector<std::pair<std::string, std::string>> links;  ///< who talks to whom, by name
  std::vector<Column> inputs, targets;
  CharterModel model;
  CharterTuning tuning;
  CharterProtocol protocol;
  CharterTimeouts timeouts;
  std::map<std::string, Signature> signatures;  ///< by agent's name; not part of what is hashed

  Graph graph() const;
  std::optional<AgentId> find(std::string_view name) const;
  const std::string& name_of(AgentId agent) const { return agents.at(agent).name; }
};

/// Throws InputError, naming file, line, field and cure, for a charter that is not valid in itself. What
/// check_charter() finds is not checked here.
Charter read_charter(const std::filesystem::path& file);
Charter parse_charter(const std::string& file, std::string_view text);

/// The format that a charter is written in: the lowest that has what it says, so that programs of before read
/// it as long as they can.
std::size_t charter_format(const Charter& charter);

/// With comments for people. Reads back to the same charter.
std::string to_toml(const Charter& charter);

/// One thing that a charter says, in words: "agent aachen, address", "10.0.0.7:7500".
struct CharterField {
  std::string name, value;
  friend bool operator==(const CharterField&, const CharterField&) = default;
};

/// All of what a charter says, in a fixed order: comments, white space, the order of sections and signatures
/// do not matter, anything else does.
std::vector<CharterField> charter_fields(const Charter& charter);

/// The fields as one text, a line each, to be hashed or sent to somebody who holds another charter; and back,
/// which throws InputError for any other text.
std::string canonical_text(const std::vector<CharterField>& fields);
std::vector<CharterField> fields_from(std::string_view canonical);

/// BLAKE2b over the canonical text.
Digest charter_hash(const Charter& charter);

/// Every difference as a sentence, in the first charter's order; none when they are the same charter.
std::vector<std::string> charter_differences(const std::vector<CharterField>& a, const std::string& name_a,
                                             const std::vector<CharterField>& b, const std::string& name_b);

/// An agent's signature of the hash, bound to this purpose.
Signature sign_charter(const Charter& charter, const Identity& identity);

/// Who has signed this text, who has not, and whose signature is void: it belongs to another text, as after a
/// change of the charter.
struct CharterSignatures {
  std::vector<std::string> good, missing, bad;
  bool complete() const { return missing.empty() && bad.empty(); }
};
CharterSignatures check_signatures(const Charter& charter);

/// Who has signed: "by aachen and bonn; the signature of celle is void: it belongs to another text, so celle
/// must sign again; not signed by dresden".
std::string in_words(const CharterSignatures& signatures);
/// The same without those who have signed: why an agent does not start. Empty when all have.
std::string lacking_in_words(const CharterSignatures& signatures);

/// The text of a charter's file with this signature in it, everything else as it was. Throws InputError when
/// the section [signatures] is not the file's last.
std::string with_signature(const std::string& file, std::string text, const std::string& agent,
                           const Signature& signature);

}  // namespace tacit
