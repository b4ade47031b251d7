#include "tacit/charter/check.hpp"

#include <fmt/format.h>

#include "tacit/base/error.hpp"
#include "tacit/charter/bounds/audit.hpp"
#include "tacit/charter/bounds/exact_audit.hpp"
#include "tacit/charter/explain.hpp"
#include "tacit/charter/row_share.hpp"
#include "tacit/charter/setting_words.hpp"
#include "tacit/charter/terms.hpp"
#include "tacit/consortium/pool/place_landmarks.hpp"
#include "tacit/graph/connectivity.hpp"

namespace tacit {
namespace {

void append(std::vector<std::string>& all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

void require_bound(CharterReport& report, const Privacy& privacy, std::size_t required,
                   const std::vector<std::string>& advice) {
  const std::string why = shortfall(privacy, required);
  if (why.empty()) return;
  report.problems.push_back(
      fmt::format("protocol.collusion: the charter requires protection against {} colluding agent{}, but {}",
                  required, required == 1 ? "" : "s", why));
  append(report.problems, advice);
}

ExactPlan exact_plan(const Charter& charter, const Graph& graph) {
  ExactRequest request;
  request.agents = graph.agents();
  request.collusion = charter.protocol.collusion;
  request.fewest = charter.protocol.fewest;
  request.tree = charter.protocol.sums == SumProtocol::tree;
  return make_exact_plan(request);
}

// The largest run of the consensus that the charter allows. Its privacy is that of smaller runs, or less.
AuditSettings audit_settings(const Charter& charter, const Graph& graph, std::size_t largest) {
  PlanRequest request = protocol_terms(charter).consensus;
  request.dimension = largest;
  AuditSettings settings = AuditSettings::of(make_plan(graph, request));
  settings.required = charter.protocol.collusion;
  return settings;
}

void audit_charter(const Charter& charter, const Graph& graph, std::size_t largest, CharterReport& report) {
  const std::size_t required = charter.protocol.collusion;
  if (charter.protocol.sums != SumProtocol::consensus) {
    const ExactAudit audit = audit_exact(graph, exact_plan(charter, graph), std::nullopt, required);
    append(report.notes, findings_in_words(audit));
    report.notes.push_back(rests_on(charter));
    return require_bound(report, audit.privacy, required, advice_in_words(audit));
  }
  const AuditSettings settings = audit_settings(charter, graph, largest);
  const AuditReport audit = tacit::audit(graph, settings);
  append(report.notes, findings_in_words(audit, settings));
  require_bound(report, audit.privacy, required, advice_in_words(audit, settings));
}

bool loopback(const std::string& address) {
  const std::string host = host_and_port(address).first;
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

void check_addresses(const Charter& charter, CharterReport& report) {
  std::size_t local = 0;
  for (const CharterAgent& agent : charter.agents) {
    const std::string host = host_and_port(agent.address).first;
    local += loopback(agent.address) ? 1 : 0;
    if (host == "0.0.0.0" || host == "::")
      report.problems.push_back(fmt::format(
          "agent {}, address: {} means every address of a machine; write the one at which the other "
          "agents reach it",
          agent.name, agent.address));
  }
  if (local > 0 && local < charter.agents.size())
    for (const CharterAgent& agent : charter.agents)
      if (loopback(agent.address))
        report.problems.push_back(fmt::format(
            "agent {}, address: {} can be reached only from its own machine, but other agents run on other "
            "machines; write an address that they can reach",
            agent.name, agent.address));
}

}  // namespace

Privacy charter_privacy(const Charter& charter, const Opened& opened) {
  const Graph graph = charter.graph();
  if (charter.protocol.sums != SumProtocol::consensus)
    return exact_privacy(exact_plan(charter, graph), graph);
  return privacy_of(graph, audit_settings(charter, graph, opened.largest));
}

CharterReport check_charter(const Charter& charter) {
  CharterReport report;
  check_addresses(charter, report);
  std::optional<Terms> terms;
  try {
    terms = terms_of(charter);
    check_model(*terms);
  } catch (const InputError& e) {
    report.problems.push_back(fmt::format("model.kernel: {}", e.what()));
  }
  try {
    if (terms) check_landmarks(*terms);
  } catch (const InputError& e) {
    report.problems.push_back(fmt::format("model.landmarks: {}", e.what()));
  }
  const Graph graph = charter.graph();
  try {
    check_connected(graph);
    audit_charter(charter, graph, terms ? opened_by(*terms).largest : 1, report);
    if (terms) {
      append(report.notes, in_words(row_share(*terms)));
      check_numbers(*terms);
    }
  } catch (const InputError& e) {
    report.problems.push_back(fmt::format("network and protocol: {}", e.what()));
  }
  for (const CharterAgent& agent : charter.agents) {
    try {
      check_certificate(agent.certificate, agent.name, "certificates." + agent.name);
    } catch (const InputError& e) {
      report.problems.push_back(e.what());
    }
  }
  for (std::vector<std::string>* texts : {&report.problems, &report.notes})
    for (std::string& text : *texts) text = in_charter_words(text);
  report.signatures = check_signatures(charter);
  return report;
}

void require_sound(const CharterReport& report, const std::string& file) {
  if (!report.problems.empty()) throw InputError(fmt::format("{}: {}", file, report.problems.front()));
}

void require_signed_and_sound(const Charter& charter, const std::string& file) {
  const CharterReport report = check_charter(charter);
  require_sound(report, file);
  if (!report.signatures.complete())
    throw InputError(fmt::format("{}: {}. Each of them signs with tacit charter sign.", file,
                                 lacking_in_words(report.signatures)));
}

}  // namespace tacit
