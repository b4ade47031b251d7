#include "tacit/charter/charter.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/charter/landmarks.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/identity/encoding.hpp"

namespace tacit {
namespace {

auto bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

class FieldList {
 public:
  void add(std::string name, std::string value) { all.push_back({std::move(name), std::move(value)}); }
  void add(std::string name, std::size_t value) { add(std::move(name), std::to_string(value)); }
  void add(std::string name, double value) { add(std::move(name), fmt::format("{}", value + 0.0)); }  // no -0
  void flag(std::string name, bool value) { add(std::move(name), std::string(value ? "yes" : "no")); }

  std::vector<CharterField> all;
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + in_quotes(word);
  return text;
}

void add_columns(FieldList& list, const char* kind, const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  list.add(fmt::format("{}s", kind), joined(names));
  for (const Column& column : columns) {
    const std::string path = fmt::format("{} {}", kind, in_quotes(column.name));
    if (!column.part_of.empty()) list.add(path + ", part of", column.part_of);
    if (column.categorical()) {
      list.add(path + ", levels", joined(column.levels));
    } else if (column.is_date()) {
      list.add(path + ", days since", column.start);
      list.add(path + ", low", value_text(column, column.low));
      list.add(path + ", high", value_text(column, column.high));
    } else {
      list.add(path + ", low", column.low);
      list.add(path + ", high", column.high);
    }
  }
}

std::string links_text(const Charter& charter) {
  // Direction and order of links make no difference.
  std::vector<std::string> all;
  for (const auto& [a, b] : charter.links) all.push_back(a < b ? a + "-" + b : b + "-" + a);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::string text;
  for (const std::string& link : all) text += (text.empty() ? "" : " ") + link;
  return text;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
  return text;
}

Digest signed_text(const Charter& charter) {
  return digest_of({bytes("tacit charter signature 1"), charter_hash(charter)});
}

}  // namespace

std::string to_string(const LandmarkTerms& landmarks) {
  return landmarks.count ? std::to_string(*landmarks.count) : "auto";
}

Graph Charter::graph() const {
  if (!topology.empty()) return parse_topology(topology, agents.size(), 0);
  std::vector<Edge> edges;
  for (const auto& [a, b] : links) edges.emplace_back(find(a).value(), find(b).value());
  return Graph(agents.size(), std::move(edges));
}

std::optional<AgentId> Charter::find(std::string_view name) const {
  for (std::size_t i = 0; i < agents.size(); ++i)
    if (agents[i].name == name) return static_cast<AgentId>(i);
  return std::nullopt;
}

std::size_t charter_format(const Charter& charter) {
  return charter.previous || charter.protocol.refits ? 2 : 1;
}

std::vector<CharterField> charter_fields(const Charter& charter) {
  FieldList list;
  list.add("format", charter_format(charter));
  if (charter.previous) {
    list.add("number", charter.number);
    list.add("predecessor", hex(*charter.previous));
  }
  list.add("title", charter.title);
  std::vector<std::string> names;
  for (const CharterAgent& agent : charter.agents) names.push_back(agent.name);
  list.add("agents", joined(names));
  for (const CharterAgent& agent : charter.agents) {
    const std::string path = "agent " + agent.name;
    list.add(path + ", address", agent.address);
    list.add(path + ", identity", hex(agent.identity));
    list.add(path + ", certificate's fingerprint", hex(agent.fingerprint));
  }
  if (charter.topology.empty())
    list.add("network, links", links_text(charter));
  else
    list.add("network, topology", charter.topology);
  add_columns(list, "input", charter.inputs);
  add_columns(list, "target", charter.targets);
  list.add("model, kernel", charter.model.kernel);
  list.add("model, fusion", to_string(charter.model.fusion));
  list.flag("model, standardise", charter.model.standardise);
  list.add("model, length-scale", charter.model.lengthscale);
  list.add("model, signal", charter.model.signal);
  list.add("model, noise", charter.model.noise);
  list.add("model, rows of an expert", charter.model.expert_rows);
  // Without landmarks these fields are absent, so that a charter that never mentioned landmarks keeps its
  // hash.
  if (const LandmarkTerms& landmarks = charter.model.landmarks; landmarks.any()) {
    list.add("model, landmarks", to_string(landmarks));
    const auto listed = landmark_texts(landmarks.listed, charter.inputs);
    if (listed.empty()) list.add("model, landmarks' seed", landmarks.seed);
    for (std::size_t k = 0; k < listed.size(); ++k)
      list.add(fmt::format("model, landmark {}", k + 1), listed[k]);
    list.flag("model, landmarks above the ceiling", landmarks.above_ceiling);
  }
  list.flag("tuning, on", charter.tuning.on);
  list.add("tuning, low", charter.tuning.low);
  list.add("tuning, high", charter.tuning.high);
  list.add("tuning, noise floor", charter.tuning.noise_floor);
  list.add("tuning, length-scale floor", charter.tuning.lengthscale_floor);
  list.add("tuning, restarts", charter.tuning.restarts);
  list.add("tuning, seed", charter.tuning.seed);
  list.add("tuning, evaluations", charter.tuning.evaluations);
  list.add("protocol, sums", to_string(charter.protocol.sums));
  list.add("protocol, collusion", charter.protocol.collusion);
  list.add("protocol, fewest agents", charter.protocol.fewest);
  list.add("protocol, most rows", charter.protocol.rows);
  list.add("protocol, most points", charter.protocol.points);
  // Absent if false, so that charters without this field keep their hash.
  if (charter.protocol.refits) list.flag("protocol, agents may refit", true);
  list.add("protocol, unit", charter.protocol.unit ? fmt::format("{}", *charter.protocol.unit) : "planned");
  if (charter.protocol.sums == SumProtocol::consensus) {
    list.add("protocol, masks", to_string(charter.protocol.consensus.masks));
    list.add("protocol, acceleration", to_string(charter.protocol.consensus.acceleration));
    list.add("protocol, blinding", std::size_t{charter.protocol.consensus.blinding});
  }
  list.add("timeout, gather", charter.timeouts.gather);
  list.add("timeout, loss", charter.timeouts.loss);
  list.add("timeout, silence", charter.timeouts.silence);
  list.add("timeout, queue", charter.timeouts.queue);
  return std::move(list.all);
}

std::string canonical_text(const std::vector<CharterField>& fields) {
  std::string text;
  for (const CharterField& field : fields)
    text += fmt::format("{}\t{}\n", in_quotes(field.name), in_quotes(field.value));
  return text;
}

Digest charter_hash(const Charter& charter) {
  return digest_of({bytes("tacit charter 1"), bytes(canonical_text(charter_fields(charter)))});
}

std::vector<std::string> charter_differences(const std::vector<CharterField>& a, const std::string& name_a,
                                             const std::vector<CharterField>& b, const std::string& name_b) {
  const auto value_in = [](const std::vector<CharterField>& fields, const std::string& name) {
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const CharterField& field) { return field.name == name; });
    return found == fields.end() ? nullptr : &found->value;
  };
  std::vector<std::string> all;
  for (const CharterField& field : a) {
    const std::string* other = value_in(b, field.name);
    if (!other)
      all.push_back(fmt::format("{}: {} has {}, {} does not have it", field.name, name_a,
                                in_quotes(field.value), name_b));
    else if (*other != field.value)
      all.push_back(fmt::format("{}: {} has {}, {} has {}", field.name, name_a, in_quotes(field.value),
                                name_b, in_quotes(*other)));
  }
  for (const CharterField& field : b)
    if (!value_in(a, field.name))
      all.push_back(fmt::format("{}: {} has {}, {} does not have it", field.name, name_b,
                                in_quotes(field.value), name_a));
  return all;
}

Signature sign_charter(const Charter& charter, const Identity& identity) {
  return identity.sign(signed_text(charter));
}

CharterSignatures check_signatures(const Charter& charter) {
  const Digest text = signed_text(charter);
  CharterSignatures found;
  for (const CharterAgent& agent : charter.agents) {
    const auto signature = charter.signatures.find(agent.name);
    if (signature == charter.signatures.end())
      found.missing.push_back(agent.name);
    else
      (verify(agent.identity, text, signature->second) ? found.good : found.bad).push_back(agent.name);
  }
  return found;
}

std::string lacking_in_words(const CharterSignatures& signatures) {
  std::string text;
  if (const auto& bad = signatures.bad; bad.size() == 1)
    text = fmt::format("the signature of {0} is void: it belongs to another text, so {0} must sign again",
                       bad[0]);
  else if (!bad.empty())
    text = fmt::format(
        "the signatures of {} are void: they belong to another text, so these members must "
        "sign again",
        list_of(bad));
  if (!signatures.missing.empty())
    text += (text.empty() ? "not signed by " : "; not signed by ") + list_of(signatures.missing);
  return text;
}

std::string in_words(const CharterSignatures& signatures) {
  const std::string lacking = lacking_in_words(signatures);
  if (signatures.good.empty() && signatures.bad.empty()) return "by no member yet";
  if (lacking.empty()) return "by all members: " + list_of(signatures.good);
  return fmt::format("by {}; {}", signatures.good.empty() ? "no member" : list_of(signatures.good), lacking);
}

}  // namespace tacit
