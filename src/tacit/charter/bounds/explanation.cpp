// The audit's findings and advice, as sentences for people.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/charter/bounds/audit.hpp"

namespace tacit {
namespace {

// An estimate is reported if its error is below this fraction of a guess's error.
constexpr double worth_reporting = 0.1;
// Longer lists of names or sums are cut to this many items.
constexpr std::size_t most_named = 8;

std::string list(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k)
    text += (k == 0 ? "" : k + 1 == words.size() ? " and " : ", ") + words[k];
  return text;
}

// "agent 3", "agents 1, 2 and 5", "12 agents (1, 2, 5, ...)"
std::string agents(const std::vector<AgentId>& who) {
  std::vector<std::string> words;
  for (AgentId i : who) words.push_back(std::to_string(i));
  if (who.size() == 1) return "agent " + words[0];
  if (who.size() <= most_named) return "agents " + list(words);
  words.resize(3);
  return fmt::format("{} agents ({}, {}, {}, ...)", who.size(), words[0], words[1], words[2]);
}

// "agent 3 alone", "agents 1 and 2 together"
std::string subject(const Coalition& coalition) {
  return agents(coalition) + (coalition.size() == 1 ? " alone" : " together");
}

std::string sentence(std::string text) {
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

// "2 parts: agents 1 and 2; agents 3 and 4"
std::string parts_in_words(const std::vector<MaskPart>& parts) {
  std::vector<std::string> words;
  for (const MaskPart& part : parts) words.push_back(agents(part));
  if (words.size() > most_named) {
    const std::size_t more = words.size() - most_named + 1;
    words.resize(most_named - 1);
    words.push_back(fmt::format("{} more", more));
  }
  return fmt::format("{} parts: {}", parts.size(), fmt::join(words, "; "));
}

// "Agent 0 alone can split the sum that it receives in one round into 2 parts: ..."
std::string split_in_words(const Coalition& coalition, AgentId aggregator,
                           const std::vector<MaskPart>& parts) {
  return fmt::format(
      "{} can split the sum that {} receives in one round into {}.", sentence(subject(coalition)),
      coalition.size() == 1 ? "it" : fmt::format("agent {}", aggregator), parts_in_words(parts));
}

std::string up_to(std::size_t size) {
  return size == 1 ? "single agent" : fmt::format("coalition of up to {} agents", size);
}

constexpr const char* from_one_round = "from the messages and weighted sums of one round";
constexpr const char* from_all_rounds = "from all rounds and the total";

std::string of_the_masks(const AuditReport& report) {
  const Witness& w = *report.witness;
  std::string text;
  if (report.privacy.collusion > 0)
    text = fmt::format(
        "In one round, messages add nothing to the weighted sums that a {} receives. What several of these "
        "sums reveal in combination is reported below. ",
        up_to(report.privacy.collusion));
  if (w.parts.size() > 1) return text + split_in_words(w.coalition, w.agent, w.parts);
  text += fmt::format(
      "{} can see the state of {} in every round, because the sum that agent {} receives contains no other "
      "honest agent.",
      sentence(subject(w.coalition)), agents(w.parts.front()), w.agent);
  return text;
}

// What the worst coalition's own states reveal, with errors.
std::vector<std::string> of_the_trajectory(const CoalitionFindings& worst, const AuditSettings& settings) {
  const AttackErrors& errors = worst.errors;
  double least = errors.guess;
  for (const auto& e : errors.agents) least = e ? std::min(least, *e) : least;
  std::vector<std::pair<double, AgentId>> known;
  for (AgentId i = 0; i < errors.agents.size(); ++i)
    if (errors.agents[i] && *errors.agents[i] < worth_reporting * errors.guess)
      known.emplace_back(*errors.agents[i], i);
  std::sort(known.begin(), known.end());
  std::vector<std::string> sentences;
  const std::string who = sentence(subject(worst.coalition));
  if (known.size() == 1) {
    sentences.push_back(fmt::format("{} can estimate the value of agent {} with an RMS error of {:.2g}.", who,
                                    known[0].second, known[0].first));
  } else if (known.size() > 1) {
    std::vector<AgentId> named;
    for (const auto& [error, agent] : known) named.push_back(agent);
    std::sort(named.begin(), named.end());
    sentences.push_back(fmt::format(
        "{} can estimate the values of {} with RMS errors from {:.2g} (agent {}) to {:.2g} (agent {}).", who,
        agents(named), known.front().first, known.front().second, known.back().first, known.back().second));
  }
  std::vector<std::string> sums;
  for (std::size_t k = 0; k < worst.trajectory.only_together.size(); ++k) {
    const auto& group = worst.trajectory.only_together[k];
    const bool all_others = group.size() + worst.coalition.size() == errors.agents.size();
    const double unknown = errors.guess * std::sqrt(static_cast<double>(group.size()));
    if (!all_others && errors.together[k] < worth_reporting * unknown)
      sums.push_back(fmt::format("{} (RMS error {:.2g})", agents(group), errors.together[k]));
  }
  if (sums.size() > most_named) {
    const std::size_t more = sums.size() - most_named + 1;
    sums.resize(most_named - 1);
    sums.push_back(fmt::format("{} more", more));
  }
  if (!sums.empty())
    sentences.push_back(fmt::format("{} can estimate the sum{} of {}, but not the single values.", who,
                                    sums.size() == 1 ? "" : "s", list(sums)));
  if (sentences.empty())
    sentences.push_back(fmt::format(
        "In exact arithmetic, the states of {} determine {} combination{} of other agents' values "
        "besides the sum. At L_z = {:g} and T = {}, however, the best linear estimate of a value "
        "has an RMS error of {:.2g}; a guess from the sum alone has {:.2g}.",
        agents(worst.coalition), worst.trajectory.beyond, worst.trajectory.beyond == 1 ? "" : "s",
        settings.lz, settings.iterations, least, errors.guess));
  return sentences;
}

}  // namespace

std::string in_words(const Exposure& exposure, const std::string& when) {
  return fmt::format("{} can compute the value of agent {}{}{}", subject(exposure.coalition), exposure.learns,
                     when.empty() ? "" : " ", when);
}

std::string in_words(const Weakest& weakest, const std::string& when) {
  const std::string none =
      weakest.withstands == 0
          ? std::string()
          : fmt::format("No {} can compute the value of another agent {}. ", up_to(weakest.withstands), when);
  if (weakest.exposure) return none + sentence(in_words(*weakest.exposure, none.empty() ? when : "")) + ".";
  if (weakest.complete)
    return none.empty() ? "Each of two agents can compute the other's value from the total."
                        : none.substr(0, none.size() - 1);
  return none.empty() ? fmt::format(
                            "The search ended before it could check whether a single agent can compute the "
                            "value of another agent {}.",
                            when)
                      : none + "There are too many larger coalitions to check.";
}

std::string shortfall(const Privacy& privacy, std::size_t required) {
  if (privacy.exact)
    return privacy.collusion >= required
               ? std::string()
               : fmt::format("coalitions of more than {} agent{} may learn more than the total",
                             privacy.collusion, privacy.collusion == 1 ? "" : "s");
  const auto of = [&](const Weakest& weakest, const char* when, const char* rounds) -> std::string {
    if (weakest.withstands >= required) return {};
    if (weakest.exposure) return in_words(*weakest.exposure, when);
    return fmt::format("for {}, the search could not check all {}", rounds,
                       weakest.withstands == 0
                           ? "single agents"
                           : fmt::format("coalitions of {} agents", weakest.withstands + 1));
  };
  std::string why = of(privacy.one_round, from_one_round, "one round");
  // Seeded masks never split a sum, and the parts of blinded sums show only noise.
  if (why.empty() && privacy.masks == MaskSource::shares && !privacy.blinded && privacy.collusion < required)
    why = fmt::format("messages may add to the sums that a coalition of {} agent{} receives",
                      privacy.collusion + 1, privacy.collusion == 0 ? "" : "s");
  return why.empty() ? of(privacy.all_rounds, from_all_rounds, "all rounds") : why;
}

std::vector<std::string> findings_in_words(const AuditReport& report, const AuditSettings& settings) {
  std::vector<std::string> sentences;
  if (report.witness) sentences.push_back(of_the_masks(report));
  if (report.privacy.collusion_paper > report.privacy.collusion)
    sentences.push_back(
        fmt::format("The paper's formula gives h = {}. That is too high for this graph; its exact bound is "
                    "h* = {}.",
                    report.privacy.collusion_paper, report.privacy.collusion));
  for (const BrokenSum& broken : report.worst.broken)
    if (settings.coalition)
      sentences.push_back(split_in_words(*settings.coalition, broken.aggregator, broken.parts));
  sentences.push_back(in_words(report.privacy.one_round, from_one_round));
  sentences.push_back(in_words(report.privacy.all_rounds, from_all_rounds));
  if (report.worst.trajectory.beyond > 0) {
    for (std::string& found : of_the_trajectory(report.worst, settings))
      sentences.push_back(std::move(found));
  } else if (settings.coalition) {
    sentences.push_back(
        fmt::format("{} cannot learn more than the sum.", sentence(subject(*settings.coalition))));
  } else if (static_cast<double>(report.examined) < report.coalitions) {
    sentences.push_back("None of the coalitions examined learns more than the sum.");
  } else {
    sentences.push_back(fmt::format("No {} learns more than the sum.", up_to(settings.size)));
  }
  if (!settings.coalition && report.examined > 1 && report.leaking > 0)
    sentences.push_back(fmt::format("{} of the {} coalitions examined learn{} more than the sum.",
                                    report.leaking, report.examined, report.leaking == 1 ? "s" : ""));
  if (static_cast<double>(report.examined) < report.coalitions)
    sentences.push_back(
        fmt::format("Only the states of the first {} of {:.4g} coalitions were examined. Use `coalition` to "
                    "examine another one.",
                    report.examined, report.coalitions));
  if (report.compared < report.examined)
    sentences.push_back(fmt::format(
        "The worst coalition was selected from the {} whose states determine most.", report.compared));
  if (settings.hardening.blinding == 0)
    sentences.push_back(
        "This covers only linear attacks. Rounding errors leave further traces in an agent's states, even on "
        "a complete graph. Where honest agents are few, a search over possible values can use these traces "
        "(docs/threat-model.md).");
  else
    sentences.push_back(fmt::format(
        "In a run with {} number{} per agent, blinding fails with a probability of at most {:.2g} (p·M²/2 "
        "times 2^-{}).",
        settings.dimension, settings.dimension == 1 ? "" : "s", report.privacy.odds,
        settings.hardening.blinding));
  sentences.push_back(
      "The consensus relies on members that follow the protocol. A member that deviates from it can spoil a "
      "result unnoticed.");
  if (settings.required > 0)
    sentences.push_back(fmt::format(
        "Required: no {} can compute the value of another agent. {}", up_to(settings.required),
        report.requirement_met ? "Met."
                               : fmt::format("Not met: {}.", shortfall(report.privacy, settings.required))));
  return sentences;
}

std::vector<std::string> advice_in_words(const AuditReport& report, const AuditSettings& settings) {
  std::vector<std::string> sentences;
  const std::size_t wanted = std::max<std::size_t>(1, settings.required);
  if (report.privacy.collusion < wanted) {
    if (settings.hardening.masks == MaskSource::shares) {
      if (report.edges) {
        std::vector<std::string> words;
        for (const auto& [a, b] : *report.edges) words.push_back(fmt::format("{}-{}", a, b));
        sentences.push_back(
            fmt::format("Add the edge{} {}. Messages then add nothing to the sums that a {} receives.",
                        words.size() == 1 ? "" : "s", list(words), up_to(wanted)));
      }
      sentences.push_back(
          "Use `masks=seeded`. On any graph, messages then add nothing to the sums that a coalition receives "
          "if it has fewer agents than the smallest neighbourhood.");
    } else {
      sentences.push_back(
          fmt::format("Give agent {} more neighbours. Seeded masks hide all but the sums from a coalition "
                      "that has fewer agents than the smallest neighbourhood.",
                      report.witness->agent));
    }
  }
  if (!report.requirement_met && report.privacy.one_round.withstands < settings.required)
    sentences.push_back(
        "Use `protocol=exact`, where no coalition of up to M - 2 agents learns more than the total. Or "
        "connect every pair of agents (`topology=complete`): sums over neighbourhoods that differ little "
        "reveal single values.");
  if (report.worst.trajectory.beyond > 0) {
    if (settings.hardening.blinding == 0)
      sentences.push_back(
          "Use `blinding=40`, which hides states behind noise, or `protocol=exact`, which has no rounds. On "
          "a complete graph (`topology=complete`), only traces of rounding remain. A coarser `lz` makes the "
          "attack's estimates less accurate, but also the result.");
    else
      sentences.push_back(
          "Add edges. A coalition that cuts the graph into parts learns the sum of each part in spite of "
          "blinding.");
  }
  return sentences;
}

}  // namespace tacit
