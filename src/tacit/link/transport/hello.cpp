#include "tacit/link/transport/hello.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tacit/base/sanitised_text.hpp"

namespace tacit {
namespace {

// The number of the charter within its consortium. The first charter has no such field.
template <class Fields, class AsPair>
std::string number_in(const Fields& fields, AsPair&& as_pair) {
  for (const auto& field : fields)
    if (const auto& [name, value] = as_pair(field); name == "number") return value;
  return "1";
}

}  // namespace

std::string who(const NodeOptions& options, AgentId agent) {
  const std::string name = agent < options.everybody.size() ? options.everybody[agent].name : "unknown";
  return fmt::format("agent {} ({})", agent, name);
}

std::string release_in(const wire::Hello& hello) { return sanitised_text(hello.release(), 30); }

namespace {

// "agent 1 (bonn) runs an older Tacit (0.2.0, wire 3) than agent 0 (aachen) (0.3.0, wire 4): upgrade bonn".
// Both sides produce the same sentence.
std::string outdated_side(const wire::Hello& theirs, AgentId peer, const NodeOptions& options) {
  struct Side {
    AgentId agent;
    std::string release;
    std::uint32_t wire;
  };
  Side older{options.self, options.release, wire_version}, newer{peer, release_in(theirs), theirs.version()};
  if (newer.wire < older.wire) std::swap(older, newer);
  const auto words = [](const Side& side) {
    return fmt::format("{}wire {}", side.release.empty() ? "" : side.release + ", ", side.wire);
  };
  return fmt::format("{} runs an older Tacit ({}) than {} ({}): upgrade {}", who(options, older.agent),
                     words(older), who(options, newer.agent), words(newer),
                     options.everybody[older.agent].name);
}

}  // namespace

std::optional<wire::Refusal> objection_to(const wire::Hello& hello, AgentId peer,
                                          const NodeOptions& options) {
  wire::Refusal refusal;
  const std::string& name = options.everybody.at(peer).name;
  if (hello.version() != wire_version) {
    refusal.set_reason(outdated_side(hello, peer, options));
  } else if (hello.charter().size() != sizeof(Digest) ||
             std::memcmp(hello.charter().data(), options.agreement.hash.data(), sizeof(Digest)) != 0) {
    refusal.set_reason(
        fmt::format("{} and {} hold different charters", who(options, options.self), who(options, peer)));
    for (const auto& [key, value] : options.agreement.fields) {
      wire::Field& field = *refusal.add_charter();
      field.set_name(key);
      field.set_value(value);
    }
  } else if (hello.agent() != peer || hello.name() != name) {  // ids are comparable only under one charter
    refusal.set_reason(fmt::format("the peer with the certificate of {} claims to be agent {} ({})",
                                   who(options, peer), hello.agent(), sanitised_text(hello.name())));
  } else if (hello.boot().size() != sizeof(Name)) {
    refusal.set_reason(fmt::format("the hello of {} is malformed", who(options, peer)));
  } else {
    return std::nullopt;
  }
  return refusal;
}

std::string first_difference(const Agreement& ours, const wire::Refusal& theirs) {
  const auto count = static_cast<std::size_t>(theirs.charter_size());
  const std::string mine = number_in(ours.fields, [](const auto& field) { return field; });
  const std::string other = number_in(
      theirs.charter(), [](const wire::Field& field) { return std::pair(field.name(), field.value()); });
  if (mine != other)
    return fmt::format(
        "number: ours {}, theirs {}; the side with the lower number must install the newer charter and run "
        "tacit agent reload",
        mine, sanitised_text(other));
  for (std::size_t k = 0; k < std::max(ours.fields.size(), count); ++k) {
    if (k >= ours.fields.size())
      return fmt::format("{}: absent in ours, theirs {}",
                         sanitised_text(theirs.charter(static_cast<int>(k)).name()),
                         sanitised_text(theirs.charter(static_cast<int>(k)).value()));
    const auto& [name, value] = ours.fields[k];
    if (k >= count) return fmt::format("{}: ours {}, absent in theirs", name, value);
    const wire::Field& field = theirs.charter(static_cast<int>(k));
    if (field.name() != name)
      return fmt::format("{}: absent in theirs, which has {} there", name, sanitised_text(field.name()));
    if (field.value() != value)
      return fmt::format("{}: ours {}, theirs {}", name, sanitised_text(value),
                         sanitised_text(field.value()));
  }
  return "none, only the hash differs";
}

}  // namespace tacit
