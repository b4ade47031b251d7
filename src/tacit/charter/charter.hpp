// The charter: the public agreement of which all agents hold a copy. Its hash identifies the consortium.
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
#include "tacit/gp/defaults.hpp"
#include "tacit/graph/graph.hpp"
#include "tacit/identity/card.hpp"

namespace tacit {

/// One party. Its AgentId is its index in Charter::agents.
struct CharterAgent {
  std::string name;
  std::string address;  ///< host:port at which the others reach it
  IdentityKey identity{};
  std::string certificate;    ///< PEM, pinned
  Fingerprint fingerprint{};  ///< of the certificate
};

struct CharterModel {
  std::string kernel{consortium_defaults.kernel};  ///< in the syntax of parse_kernel
  Fusion fusion = Fusion::poe;
  /// Columns are standardised privately. The values below are then in standardised units.
  bool standardise = true;
  /// The starting values of tuning, or the values without tuning. Numbers in the kernel's text replace the
  /// first two.
  double lengthscale = 1, signal = consortium_defaults.signal, noise = consortium_defaults.noise;
  std::size_t expert_rows =
      consortium_defaults.expert_rows;  ///< an agent with more rows splits them among experts
  LandmarkTerms landmarks = {};         ///< none if the file does not mention landmarks
};

/// "auto", or the number of landmarks.
std::string to_string(const LandmarkTerms& landmarks);

struct CharterTuning {
  bool on = true;
  double low = consortium_defaults.low, high = consortium_defaults.high;  ///< the range of every parameter
  /// Floors for noise and length-scale: if these are small, a prediction can follow single rows, see
  /// row_share().
  double noise_floor = consortium_defaults.noise_floor, lengthscale_floor = 0.1;
  std::size_t restarts = consortium_defaults.restarts;
  std::uint64_t seed = consortium_defaults.seed;
  std::size_t evaluations = consortium_defaults.evaluations;  ///< at most, in each search
};

struct CharterProtocol {
  SumProtocol sums = SumProtocol::exact;
  std::size_t collusion = 1;    ///< this many agents may collude without learning more than sums
  std::size_t fewest = 3;       ///< an answer needs at least this many agents; at least collusion + 2
  std::size_t rows = 10'000;    ///< the most rows of an agent
  std::size_t points = 10'000;  ///< the most points in one request
  bool refits = false;          ///< agents may request fits automatically, if their owners configure that
  /// For predictions: the unit of exact sums, or L_z of the consensus. Planned if absent.
  std::optional<double> unit;
  /// For the consensus only.
  Hardening consensus = hardening_of_agents;
};

/// In seconds. A timeout error gives the name of the limit as in this structure.
struct CharterTimeouts {
  double gather = 20;    ///< to answer an announcement
  double loss = 10;      ///< without a link for this time, an agent is lost to the current runs
  double silence = 300;  ///< in a run, for the next message of a connected agent
  double queue = 600;    ///< for a request to get its turn
};

struct Charter {
  std::string title;
  std::uint64_t number = 1;        ///< the position in the consortium's sequence of charters
  std::optional<Digest> previous;  ///< the hash of the previous charter; none for the first
  std::vector<CharterAgent> agents;
  std::string topology;  ///< "ring:4" or "complete"; empty if `links` is given
  std::vector<std::pair<std::string, std::string>> links;  ///< pairs of linked agents, by name
  std::vector<Column> inputs, targets;
  CharterModel model;
  CharterTuning tuning;
  CharterProtocol protocol;
  CharterTimeouts timeouts;
  std::map<std::string, Signature> signatures;  ///< by the agent's name; not part of the hash

  Graph graph() const;
  std::optional<AgentId> find(std::string_view name) const;
  const std::string& name_of(AgentId agent) const { return agents.at(agent).name; }
};

/// Throws InputError, with file, line, field and the fix, for a charter that is invalid in itself. They do
/// not check what check_charter() checks.
Charter read_charter(const std::filesystem::path& file);
Charter parse_charter(const std::string& file, std::string_view text);
/// The same. A file with exactly the text of to_toml(known) is not parsed again.
Charter read_charter(const std::filesystem::path& file, const Charter& known);

/// The format in which a charter is written: the lowest one with all its fields, so that earlier releases can
/// read it if possible.
std::size_t charter_format(const Charter& charter);

/// TOML with comments for people. Reading it gives the same charter.
std::string to_toml(const Charter& charter);

/// One field of a charter: its name in words and its value, such as "agent aachen, address", "10.0.0.7:7500".
struct CharterField {
  std::string name, value;
  friend bool operator==(const CharterField&, const CharterField&) = default;
};

/// All fields of a charter in a fixed order. Comments, white space, the order of sections and the signatures
/// make no difference. Everything else does.
std::vector<CharterField> charter_fields(const Charter& charter);

/// The fields as one text, one line each, to be hashed or sent to an agent with another charter.
/// fields_from() reads such a text and throws InputError for any other.
std::string canonical_text(const std::vector<CharterField>& fields);
std::vector<CharterField> fields_from(std::string_view canonical);

/// BLAKE2b over the canonical text.
Digest charter_hash(const Charter& charter);

/// One sentence for each difference, in the first charter's order. Empty if the charters are the same.
std::vector<std::string> charter_differences(const std::vector<CharterField>& a, const std::string& name_a,
                                             const std::vector<CharterField>& b, const std::string& name_b);

/// An agent's signature of the hash. It is valid only as a signature of a charter.
Signature sign_charter(const Charter& charter, const Identity& identity);

/// The members with a valid signature of this text, with none, and with a void one. A signature is void if it
/// belongs to another text, for example after a change of the charter.
struct CharterSignatures {
  std::vector<std::string> good, missing, bad;
  bool complete() const { return missing.empty() && bad.empty(); }
};
CharterSignatures check_signatures(const Charter& charter);

/// Who has signed: "by aachen and bonn; the signature of celle is void: it belongs to another text, so celle
/// must sign again; not signed by dresden".
std::string in_words(const CharterSignatures& signatures);
/// Only the members without a valid signature: the reason why an agent does not start. Empty if there are
/// none.
std::string lacking_in_words(const CharterSignatures& signatures);

/// The text of a charter's file, and the charter that it contains.
struct CharterFile {
  std::string text;
  Charter charter;
};

/// The file with these signatures added, by the agents' names, otherwise unchanged. Throws InputError unless
/// [signatures] is the last section of the file.
CharterFile with_signatures(const std::string& file, std::string text,
                            const std::map<std::string, Signature>& added);

}  // namespace tacit
