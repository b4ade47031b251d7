#include "tacit/cli/lab/privacy_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacit/cli/lab/plan_words.hpp"

namespace tacit::cli {
namespace {

// What the fit revealed to all agents.
std::string opened_by_fit(const StudyReport& report) {
  std::string words = "the model: its kernel, length-scales and noise";
  if (report.standardising)
    words += fmt::format("; the total number of rows, and the mean and deviation of each of {} over all rows",
                         plural(static_cast<std::uint64_t>(report.standardising->found.inputs.scale.size() +
                                                           report.standardising->found.outputs.scale.size()),
                                "column"));
  if (report.tuning.exact)
    words += fmt::format("; the summed log likelihood and its gradient at each of {}",
                         plural(report.tuning.exact->trials.size(), "trial"));
  if (report.tuning.paper) words += "; the averaged search steps of itself and its neighbours";
  if (report.model.landmarks)
    words += fmt::format("; sums of all rows over {}, which are {} numbers about rows that hold {}",
                         plural(report.model.landmarks->landmarks, "landmark"),
                         count(report.model.landmarks->opened), count(report.model.landmarks->held));
  words += ".";
  if (report.privacy.exact) words += " It learns neither a single party's contribution nor any row.";
  return words;
}

std::string coalition_words(const Privacy& privacy) {
  if (privacy.exact && privacy.collusion > 0)
    return "only what every agent learns, and that minus their own contributions.";
  return fmt::format("{}", fmt::join(privacy_sentences(privacy), " "));
}

}  // namespace

Json who_learns_what(const SimulateOptions& o, const Parties& parties, const StudyReport& report) {
  Json all = Json::array();
  const auto add = [&](const std::string& who, const std::string& what) {
    all.push_back({{"who", who}, {"what", what}});
  };
  add("Every agent, from the fit", opened_by_fit(report));
  add("Every agent, from a prediction together",
      fmt::format("the {} of the question, and two sums for each point and target, which determine the mean "
                  "and the variance.{}",
                  plural(static_cast<std::uint64_t>(parties.test.inputs.rows()), "point"),
                  report.privacy.exact ? " It does not learn the mean or variance of a single party." : ""));
  if (report.model.landmarks)
    add("Other agents, from a prediction at home",
        "nothing. The agent sends no message; question and answer stay with it.");
  if (report.holdout)
    add("Every agent, from the score on held-out rows",
        o.study.holdout->fused ? "the inputs of the held-out rows, and their number, squared error and log "
                                 "density over all agents. It learns no target."
                               : "the number of held-out rows, and their squared error and log density over "
                                 "all agents. It learns neither a row nor whose rows they are.");
  const std::size_t most = report.privacy.collusion;
  add(!report.privacy.exact || most == 0
          ? "Agents that combine all messages they have received, over all rounds"
      : most == 1
          ? "An agent that records all messages it receives"
          : fmt::format("A group of up to {} agents that combine all messages they have received", most),
      coalition_words(report.privacy));
  add("An observer of the network",
      "which agents communicate, when and how much. Between real agents, all messages are encrypted.");
  return all;
}

Json not_promised(const SimulateOptions& o, const Parties& parties) {
  const std::size_t agents = parties.count();
  Json all = Json::array();
  all.push_back(
      "That a sum reveals nothing about a single row. A sum over few rows does, and so does a prediction "
      "near a single patient's row. There is no differential privacy.");
  all.push_back(
      fmt::format("Protection from all other parties together. {} parties can compute the last party's "
                  "contribution to every sum.",
                  agents - 1));
  all.push_back("That the points of a prediction together stay private. All parties see them.");
  all.push_back("That a party's rows are true. A party that uses false rows spoils the model.");
  if (o.study.protocol.sums == SumProtocol::consensus)
    all.push_back(
        "That rounds hide values. A party's own states over many rounds often reveal the values of others to "
        "it.");
  all.push_back(
      "Privacy within this simulation. All its agents share one process, and the user who runs it can read "
      "all their data.");
  return all;
}

}  // namespace tacit::cli
