#include "tacit/page/page_json.hpp"

#include <algorithm>

#include "tacit/base/settings.hpp"
#include "tacit/charter/amend.hpp"
#include "tacit/charter/explain.hpp"
#include "tacit/charter/setting_words.hpp"
#include "tacit/identity/encoding.hpp"

namespace tacit {
namespace {

// Dates are written as text.
Json column_json(const Column& column) {
  if (column.categorical()) return {{"name", column.name}, {"levels", column.levels}};
  const auto value = [&](double bound) {
    return column.is_date() ? Json(value_text(column, bound)) : number(bound);
  };
  return {{"name", column.name}, {"low", value(column.low)}, {"high", value(column.high)}};
}

Json columns_json(const std::vector<Column>& columns) {
  Json all = Json::array();
  for (const Column& column : columns) all.push_back(column_json(column));
  return all;
}

Json words_json(const Charter& charter) {
  Json all = Json::array();
  for (const ExplainedPart& part : explain_charter(charter))
    all.push_back({{"heading", part.heading}, {"sentences", part.points}});
  return all;
}

Json links_json(const Charter& charter) {
  Json all = Json::array();
  const Graph graph = charter.graph();
  for (AgentId i = 0; i < charter.agents.size(); ++i)
    for (const AgentId j : graph.neighbours(i))
      if (i < j) all.push_back({charter.name_of(i), charter.name_of(j)});
  return all;
}

}  // namespace

Json in_page_words(Json json) {
  return worded(std::move(json),
                [](std::string_view text) { return in_plain_words(in_charter_words(text)); });
}

Json charter_json(const Charter& charter, const std::optional<Charter>& before, const std::string& self) {
  const CharterSignatures signatures = check_signatures(charter);
  Json agents = Json::array();
  for (const CharterAgent& agent : charter.agents)
    agents.push_back({{"name", agent.name},
                      {"address", agent.address},
                      {"identity", hex(agent.identity)},
                      {"self", agent.name == self},
                      {"signed", std::ranges::count(signatures.good, agent.name) > 0}});
  return {{"title", charter.title},
          {"number", charter.number},
          {"hash", hex(charter_hash(charter))},
          {"previous", charter.previous ? Json(hex(*charter.previous)) : Json(nullptr)},
          {"self", self},
          {"words", words_json(charter)},
          {"agents", agents},
          {"links", links_json(charter)},
          {"signed_by", signatures.good},
          {"inputs", columns_json(charter.inputs)},
          {"targets", columns_json(charter.targets)},
          {"changes", before ? Json{{"from", before->number}, {"words", changes_in_words(*before, charter)}}
                             : Json(nullptr)}};
}

Json policy_json(const PolicyRules& rules, const control::StatusReply& status) {
  Json may = Json::object(), per_day = Json::object(), left = Json::array();
  for (const RequestKind kind : all_request_kinds) {
    const auto who = rules.may.find(kind);
    may[to_string(kind)] = who == rules.may.end() ? Json::array() : list_json(who->second);
    if (const auto limit = rules.a_day.find(kind); limit != rules.a_day.end())
      per_day[to_string(kind)] = limit->second;
  }
  for (const control::Peer& peer : status.peers())
    for (const control::Left& one : peer.left())
      left.push_back({{"asker", peer.name()}, {"kind", one.kind()}, {"count", one.count()}});
  return {{"fewest_agents", status.fewest_agents()},
          {"without", rules.without},
          {"most_opened", number(rules.most_opened)},
          {"fewest_new_rows", rules.fewest_new_rows},
          {"may", may},
          {"per_day", per_day},
          {"left", left}};
}

Json runs_json(const Past& past) {
  Json all = Json::array();
  for (auto one = past.requests.rbegin(); one != past.requests.rend(); ++one)
    all.push_back({{"time", one->time},
                   {"kind", one->request.kind},
                   {"asker", one->request.asker},
                   {"outcome", one->request.outcome},
                   {"reason", one->request.reason},
                   {"seconds", number(one->request.seconds)}});
  return {{"runs", all}};
}

Json quality_json(const Past& past) {
  Json all = Json::array();
  for (auto one = past.scores.rbegin(); one != past.scores.rend(); ++one)
    all.push_back({{"time", one->time},
                   {"version", one->version},
                   {"rows", one->rows},
                   {"rmse", number(one->rmse)},
                   {"log_density", number(one->log_density)}});
  return {{"evaluations", all}};
}

}  // namespace tacit
