// Writes a charter as TOML for people; declared in charter.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/charter/charter.hpp"
#include "tacit/charter/landmarks.hpp"
#include "tacit/identity/encoding.hpp"

namespace tacit {
namespace {

std::string column_lines(const std::vector<Column>& columns) {
  std::string text;
  for (const Column& column : columns) {
    if (column.is_date()) {
      text += fmt::format("  {{ name = {}, date = \"{}\", low = \"{}\", high = \"{}\" }},\n",
                          in_quotes(column.name), column.start, value_text(column, column.low),
                          value_text(column, column.high));
      continue;
    }
    if (!column.categorical()) {
      const std::string part =
          column.part_of.empty() ? "" : fmt::format(", part_of = {}", in_quotes(column.part_of));
      text += fmt::format("  {{ name = {}{}, low = {}, high = {} }},\n", in_quotes(column.name), part,
                          real(column.low), real(column.high));
      continue;
    }
    std::string levels;
    for (const std::string& level : column.levels) levels += (levels.empty() ? "" : ", ") + in_quotes(level);
    text += fmt::format("  {{ name = {}, levels = [{}] }},\n", in_quotes(column.name), levels);
  }
  return text;
}

std::string dates_comment(const std::vector<Column>& columns) {
  const bool any = std::any_of(columns.begin(), columns.end(), [](const Column& c) { return c.is_date(); });
  return any ? "# A column with `date` holds dates: the model uses the days since that date, which is the\n"
               "# same for all parties.\n"
             : "";
}

std::string landmark_lines(const LandmarkTerms& landmarks, const std::vector<Column>& inputs) {
  std::string text =
      "# Landmarks: public points through which every agent learns from the rows of all. \"auto\" uses\n"
      "# as many as possible without opening more than a quarter of the numbers that all rows hold.\n"
      "# 0 uses none: then each agent learns only from its own rows, until all are asked together.\n";
  text += landmarks.count ? fmt::format("landmarks = {}\n", *landmarks.count) : "landmarks = \"auto\"\n";
  if (!landmarks.any()) return text;
  if (landmarks.listed.rows() == 0) {
    text += fmt::format("landmarks_seed = {}          # determines their positions\n", landmarks.seed);
  } else {
    text += "landmark_points = [   # a value for each input\n";
    for (const std::string& one : landmark_texts(landmarks.listed, inputs))
      text += fmt::format("  [{}],\n", one);
    text += "]\n";
  }
  return text +
         fmt::format(
             "landmarks_above_ceiling = {}  # true: all parties agree to open more than that quarter\n",
             landmarks.above_ceiling);
}

std::string network_lines(const Charter& charter) {
  if (!charter.topology.empty()) return fmt::format("topology = {}\n", in_quotes(charter.topology));
  std::string text = "links = [\n";
  for (const auto& [a, b] : charter.links) text += fmt::format("  [{}, {}],\n", in_quotes(a), in_quotes(b));
  return text + "]\n";
}

std::string protocol_lines(const CharterProtocol& protocol) {
  std::string text = fmt::format(
      "sums = {}\n"
      "# This many agents may collude without {}.\n"
      "collusion = {}\n"
      "# An answer needs the data of at least this many agents: at least three, and at least collusion + 2.\n"
      "fewest_agents = {}\n"
      "# The most rows of an agent and the most points of a request. The protocol is planned for these.\n"
      "most_rows = {}\n"
      "most_points = {}\n",
      in_quotes(to_string(protocol.sums)),
      protocol.sums == SumProtocol::consensus ? "being able to compute the values of others"
                                              : "learning more than these sums",
      protocol.collusion, protocol.fewest, protocol.rows, protocol.points);
  text += protocol.unit
              ? fmt::format("unit = {}\n", real(*protocol.unit))
              : "# unit = 1e-9   # predictions are summed in multiples of this; planned if absent\n";
  if (protocol.refits)
    text +=
        "agents_may_refit = true   # an agent may request fits automatically, if its owner configures it\n";
  if (protocol.sums == SumProtocol::consensus)
    text += fmt::format(
        "# Options of the consensus; see docs/threat-model.md.\n"
        "masks = {}\n"
        "acceleration = {}\n"
        "blinding = {}\n",
        in_quotes(to_string(protocol.consensus.masks)), in_quotes(to_string(protocol.consensus.acceleration)),
        protocol.consensus.blinding);
  return text;
}

std::string place_lines(const Charter& charter) {
  if (!charter.previous) return "";
  return fmt::format(
      "# The charters of a consortium are numbered. Each one names the hash of the previous one.\n"
      "number = {}\n"
      "previous = \"{}\"\n",
      charter.number, hex(*charter.previous));
}

}  // namespace

std::string to_toml(const Charter& charter) {
  std::string text = fmt::format(
      "# The charter of a Tacit consortium. Every party holds the same copy and signs it. Agents refuse\n"
      "# links to agents with a different charter. Comments and white space may be changed. Any other\n"
      "# change makes a new charter, which all parties must sign again. Check it with `tacit charter "
      "check`.\n"
      "charter = {}\n"
      "title = {}\n{}\n"
      "# How the parties' agents reach each other.\n"
      "[network]\n{}\n"
      "# What the model learns from (inputs) and what it predicts (targets). The ranges are public. Agents\n"
      "# refuse rows outside them. Before the first fit, only these ranges are known of a column.\n"
      "{}"
      "[columns]\n"
      "inputs = [\n{}]\n"
      "targets = [\n{}]\n\n",
      charter_format(charter), in_quotes(charter.title), place_lines(charter), network_lines(charter),
      dates_comment(charter.inputs), column_lines(charter.inputs), column_lines(charter.targets));
  text += fmt::format(
      "# The model: a Gaussian process with this kernel at every agent, combined by this fusion rule.\n"
      "[model]\n"
      "kernel = {}               # such as \"se-ard + linear + constant\"; docs/models.md lists all kernels\n"
      "fusion = {}              # poe, gpoe, bcm or rbcm\n"
      "standardise = {}          # scale columns to mean 0, deviation 1, by sums that hide each part\n"
      "lengthscale = {}            # starting value of tuning, in standardised units if standardise is true\n"
      "signal = {}\n"
      "noise = {}\n"
      "expert_rows = {}          # an agent with more rows splits them among several experts\n"
      "{}\n"
      "# How `tacit fit` searches for better values than these, by sums that hide each agent's part.\n"
      "[tuning]\n"
      "on = {}\n"
      "low = {}                   # lengthscale, signal and noise stay between low and high\n"
      "high = {}\n"
      "# Floors for noise and lengthscale. The lower they are, the more one row can contribute to one\n"
      "# prediction; `tacit charter check` reports how much.\n"
      "noise_floor = {}\n"
      "lengthscale_floor = {}\n"
      "restarts = {}\n"
      "seed = {}\n"
      "evaluations = {}\n\n",
      in_quotes(charter.model.kernel), in_quotes(to_string(charter.model.fusion)), charter.model.standardise,
      real(charter.model.lengthscale), real(charter.model.signal), real(charter.model.noise),
      charter.model.expert_rows, landmark_lines(charter.model.landmarks, charter.inputs), charter.tuning.on,
      real(charter.tuning.low), real(charter.tuning.high), real(charter.tuning.noise_floor),
      real(charter.tuning.lengthscale_floor), charter.tuning.restarts, charter.tuning.seed,
      charter.tuning.evaluations);
  text += fmt::format(
      "# How the parties compute sums without showing their numbers. \"exact\" reveals only the sum, which\n"
      "# every agent computes itself. \"tree\" is for very many parties. \"consensus\" is the published\n"
      "# protocol. It reveals more on most networks, and relies on members that follow it\n"
      "# (docs/threat-model.md).\n"
      "[protocol]\n{}\n"
      "# In seconds. A timeout error names the limit that expired.\n"
      "[timeouts]\n"
      "gather = {}      # to answer an announcement\n"
      "loss = {}        # without a connection for this long, an agent is lost to the current runs\n"
      "silence = {}    # in a run, for the next message of a connected agent\n"
      "queue = {}      # for a request to get its turn\n\n"
      "# Who takes part. Identity and fingerprint are on the card that `tacit keygen` wrote for the party.\n",
      protocol_lines(charter.protocol), real(charter.timeouts.gather), real(charter.timeouts.loss),
      real(charter.timeouts.silence), real(charter.timeouts.queue));
  for (const CharterAgent& agent : charter.agents)
    text += fmt::format("[[agent]]\nname = {}\naddress = {}\nidentity = \"{}\"\nfingerprint = \"{}\"\n\n",
                        in_quotes(agent.name), in_quotes(agent.address), hex(agent.identity),
                        hex(agent.fingerprint));
  text += "# The certificates with the fingerprints above. Agents accept no others.\n[certificates]\n";
  for (const CharterAgent& agent : charter.agents)
    text += fmt::format("{} = \"\"\"\n{}\"\"\"\n", agent.name, agent.certificate);
  text += "\n# Written by `tacit charter sign`. Keep this section last.\n[signatures]\n";
  for (const auto& [name, signature] : charter.signatures)
    text += fmt::format("{} = \"{}\"\n", name, hex(signature));
  return text;
}

CharterFile with_signatures(const std::string& file, std::string text,
                            const std::map<std::string, Signature>& added) {
  const std::string header = "[signatures]\n";
  std::size_t at = text.rfind("\n" + header);
  if (at == std::string::npos) {
    if (!text.empty() && text.back() != '\n') text += '\n';
    at = text.size() - 1;
    text += header;
  }
  CharterFile result{text.substr(0, at + 1 + header.size()), {}};
  std::string rest = text.substr(result.text.size());
  while (!rest.empty()) {  // keeps the section without earlier signatures of these agents
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    const std::string line = rest.substr(0, end);
    rest.erase(0, end);
    const std::size_t key = std::min(line.find_first_not_of(" \t\""), line.size());
    const std::size_t key_end = std::min(line.find_first_of(" \t=\"", key), line.size());
    if (!added.contains(line.substr(key, key_end - key))) result.text += line;
  }
  if (result.text.back() != '\n') result.text += '\n';
  for (const auto& [agent, signature] : added)
    result.text += fmt::format("{} = \"{}\"\n", agent, hex(signature));
  result.charter = parse_charter(file, result.text);
  for (const auto& [agent, signature] : added) {
    const auto found = result.charter.signatures.find(agent);
    if (found == result.charter.signatures.end() || found->second != signature)
      throw InputError(file + ": the section [signatures] must be the last one in the file; move it there");
  }
  return result;
}

}  // namespace tacit
