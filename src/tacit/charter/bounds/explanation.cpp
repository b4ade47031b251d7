// The audit in plain words.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/charter/bounds/audit.hpp"

namespace tacit {
namespace {

// An estimate this much better than a guess is worth reporting.
constexpr double telling = 0.1;
// A sentence with more names or sums than this is hard to read.
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

std::string sums_of(const std::vector<MaskPart>& parts) {
  std::vector<std::string> words;
  for (const MaskPart& part : parts) words.push_back("that of " + agents(part));
  if (words.size() > most_named) {
    const std::size_t more = words.size() - most_named + 1;
    words.resize(most_named - 1);
    words.push_back(fmt::format("{} more", more));
  }
  return list(words);
}

std::string sum_of(const Coalition& coalition, AgentId aggregator) {
  return coalition.size() == 1 ? "the sum that it gets"
                               : fmt::format("the sum that agent {} gets", aggregator);
}

std::string up_to(std::size_t size) {
  return size == 1 ? "single agent" : fmt::format("coalition of up to {} agents", size);
}

constexpr const char* in_one_round = "in one round, from its messages and the sums that members get";
constexpr const char* in_all_rounds = "from all rounds and the total";

std::string of_the_masks(const AuditReport& report) {
  const Witness& w = *report.witness;
  std::string text;
  if (report.privacy.collusion > 0)
    text = fmt::format(
        "In a round, messages tell no {} more than the weighted sums that its members are given; what these "
        "tell when they are put together is another question. ",
        up_to(report.privacy.collusion));
  if (w.parts.size() > 1)
    return text + sentence(fmt::format("{} can split {} in a round into {}.", subject(w.coalition),
                                       sum_of(w.coalition, w.agent), sums_of(w.parts)));
  return text + sentence(fmt::format("{} can see the state of {} in every round, as no other honest agent is "
                                     "in the sum that agent {} gets.",
                                     subject(w.coalition), agents(w.parts.front()), w.agent));
}

// What the worst coalition's own states tell, with errors.
std::vector<std::string> of_the_trajectory(const CoalitionFindings& worst, const AuditSettings& settings) {
  const AttackErrors& errors = worst.errors;
  double least = errors.guess;
  for (const auto& e : errors.agents) least = e ? std::min(least, *e) : least;
  std::vector<std::pair<double, AgentId>> known;
  for (AgentId i = 0; i < errors.agents.size(); ++i)
    if (errors.agents[i] && *errors.agents[i] < telling * errors.guess)
      known.emplace_back(*errors.agents[i], i);
  std::sort(known.begin(), known.end());
  std::vector<std::string> sentences;
  const std::string who = sentence(subject(worst.coalition));
  if (known.size() == 1) {
    sentences.push_back(fmt::format("{} can compute agent {}'s contribution to within {:.2g}.", who,
                                    known[0].second, known[0].first));
  } else if (known.size() > 1) {
    std::vector<AgentId> named;
    for (const auto& [error, agent] : known) named.push_back(agent);
    std::sort(named.begin(), named.end());
    sentences.push_back(fmt::format(
        "{} can compute the contributions of {} each, to within {:.2g} (agent {}) to {:.2g} (agent {}).", who,
        agents(named), known.front().first, known.front().second, known.back().first, known.back().second));
  }
  std::vector<std::string> sums;
  for (std::size_t k = 0; k < worst.trajectory.only_together.size(); ++k) {
    const auto& group = worst.trajectory.only_together[k];
    const bool everybody = group.size() + worst.coalition.size() == errors.agents.size();
    const double unknown = errors.guess * std::sqrt(static_cast<double>(group.size()));
    if (!everybody && errors.together[k] < telling * unknown)
      sums.push_back(fmt::format("{} to within {:.2g}", agents(group), errors.together[k]));
  }
  if (sums.size() > most_named) {
    const std::size_t more = sums.size() - most_named + 1;
    sums.resize(most_named - 1);
    sums.push_back(fmt::format("{} more", more));
  }
  if (!sums.empty())
    sentences.push_back(fmt::format("{} can compute the sum{} of {}, but not who contributed what.", who,
                                    sums.size() == 1 ? "" : "s", list(sums)));
  if (sentences.empty())
    sentences.push_back(
        fmt::format("In exact arithmetic the states of {} determine {} combination{} of others' values "
                    "besides the sum, but at L_z = {:g} and T = {} the best linear estimate of a "
                    "contribution is off by {:.2g}, where a guess is off by {:.2g}.",
                    agents(worst.coalition), worst.trajectory.beyond, worst.trajectory.beyond == 1 ? "" : "s",
                    settings.lz, settings.iterations, least, errors.guess));
  return sentences;
}

}  // namespace

std::string in_words(const Exposure& exposure, const std::string& when) {
  return fmt::format("{} can work out agent {}'s value{}{}", subject(exposure.coalition), exposure.learns,
                     when.empty() ? "" : " ", when);
}

std::string in_words(const Weakest& weakest, const std::string& when) {
  const std::string none = weakest.withstands == 0 ? std::string()
                                                   : fmt::format("No {} can work out anybody's value {}",
                                                                 up_to(weakest.withstands), when);
  if (weakest.exposure) {
    const std::string some = in_words(*weakest.exposure, none.empty() ? when : "");
    return none.empty() ? sentence(some) + "." : fmt::format("{}; but {}.", none, some);
  }
  if (weakest.complete)
    return none.empty() ? "Two agents know each other's value from the total." : none + ".";
  return fmt::format(
      "{}; larger ones are too many to look at all of them.",
      none.empty() ? fmt::format("Nothing is known about who can work out a value {}", when) : none);
}

std::string shortfall(const Privacy& privacy, std::size_t required) {
  if (privacy.exact)
    return privacy.collusion >= required
               ? std::string()
               : fmt::format("coalitions of more than {} agents may learn more than the total",
                             privacy.collusion);
  const auto of = [&](const Weakest& weakest, const char* when, const char* rounds) -> std::string {
    if (weakest.withstands >= required) return {};
    if (weakest.exposure) return in_words(*weakest.exposure, when);
    return fmt::format(
        "for {} it could be shown only of coalitions of up to {} agents that they cannot work out a value",
        rounds, weakest.withstands);
  };
  std::string why = of(privacy.one_round, in_one_round, "one round");
  // Seeded masks leave no sum in parts; and the parts of blinded sums tell noise.
  if (why.empty() && privacy.masks == MaskSource::shares && !privacy.blinded && privacy.collusion < required)
    why = fmt::format("from {} agents on, messages add to the sums that members are given",
                      privacy.collusion + 1);
  return why.empty() ? of(privacy.all_rounds, in_all_rounds, "all rounds") : why;
}

std::vector<std::string> findings_in_words(const AuditReport& report, const AuditSettings& settings) {
  std::vector<std::string> sentences;
  if (report.witness) sentences.push_back(of_the_masks(report));
  if (report.privacy.collusion_paper > report.privacy.collusion)
    sentences.push_back(fmt::format("The paper's formula promises h = {}, which is too high here: h* = {}.",
                                    report.privacy.collusion_paper, report.privacy.collusion));
  for (const BrokenSum& broken : report.worst.broken)
    if (settings.coalition)
      sentences.push_back(fmt::format("{} can split the sum that agent {} gets into {}.",
                                      sentence(subject(*settings.coalition)), broken.aggregator,
                                      sums_of(broken.parts)));
  sentences.push_back(in_words(report.privacy.one_round, in_one_round));
  sentences.push_back(in_words(report.privacy.all_rounds, in_all_rounds));
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
    sentences.push_back(
        fmt::format("{} of {} coalitions learn more than the sum.", report.leaking, report.examined));
  if (static_cast<double>(report.examined) < report.coalitions)
    sentences.push_back(
        fmt::format("Only the first {} of {:.4g} coalitions were examined for what their states tell; name "
                    "others with --coalition.",
                    report.examined, report.coalitions));
  if (report.compared < report.examined)
    sentences.push_back(fmt::format(
        "The worst was looked for among the {} coalitions whose states determine most.", report.compared));
  if (settings.hardening.blinding == 0)
    sentences.push_back(
        "This covers only linear attacks. Rounding errors leave further traces in an agent's states, on a "
        "complete graph too, which a search over possible values can use where honest agents are few "
        "(docs/threat-model.md).");
  else
    sentences.push_back(fmt::format(
        "Blinding hides what is said to be hidden but for odds of at most {:.2g} in a run of {} number{} per "
        "agent: p·M²/2 times 2^-{}.",
        report.privacy.odds, settings.dimension, settings.dimension == 1 ? "" : "s",
        settings.hardening.blinding));
  sentences.push_back(
      "The rounds of the consensus rest on members that keep to the protocol: one that does not can spoil a "
      "result unnoticed.");
  if (settings.required > 0)
    sentences.push_back(fmt::format(
        "Required: coalitions of {} can work out nobody's value. {}", settings.required,
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
            fmt::format("Add the edge{} {}: messages then add nothing to the sums of coalitions of {}.",
                        words.size() == 1 ? "" : "s", list(words), wanted));
      }
      sentences.push_back(
          "Use --masks seeded: with them messages add nothing to members' sums, on any graph, for coalitions "
          "of one agent fewer than the smallest neighbourhood has.");
    } else {
      sentences.push_back(
          fmt::format("Give agent {} more neighbours: seeded masks keep sums whole for coalitions of one "
                      "agent fewer than the smallest neighbourhood has.",
                      report.witness->agent));
    }
  }
  if (!report.requirement_met && report.privacy.one_round.withstands < settings.required)
    sentences.push_back(
        "Use --protocol exact, where no coalition of up to M - 2 agents learns more than the total, or join "
        "everybody to everybody: sums over neighbourhoods that differ little tell single values.");
  if (report.worst.trajectory.beyond > 0) {
    if (settings.hardening.blinding == 0)
      sentences.push_back(
          "Use --blinding 40, so that states show noise; or --protocol exact, which has no rounds. Joining "
          "everybody to everybody (--topology complete) leaves traces of rounding only. A coarser --lz makes "
          "estimates worse, and the result too.");
    else
      sentences.push_back(
          "Add edges: blinding protects sums only within a piece of the graph that the coalition does not "
          "cut.");
  }
  return sentences;
}

}  // namespace tacit
