#include "tacit/cli/lab/privacy_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacit/cli/text/numbers.hpp"

namespace tacit::cli {
namespace {

// What the fit made known to everybody.
std::string opened_by_fit(const StudyReport& report) {
  std::string words = "the model: its kernel, length-scales and noise";
  if (report.standardisation)
    words +=
        fmt::format("; the number of rows of all, and the mean and deviation of each of {} over all rows",
                    plural(static_cast<std::uint64_t>(report.standardisation->inputs.scale.size() +
                                                      report.standardisation->outputs.scale.size()),
                           "column"));
  if (report.exact_tuning)
    words += fmt::format("; the summed log likelihood and its slopes at each of {}",
                         plural(report.exact_tuning->trials.size(), "trial"));
  if (report.tuning) words += "; its own and its neighbours' averaged steps of the search";
  if (report.landmarks)
    words += fmt::format("; sums over {} of all rows, {} numbers about rows that hold {}",
                         plural(report.landmarks->landmarks, "landmark"), count(report.landmarks->opened),
                         count(report.landmarks->held));
  words += ".";
  if (report.privacy.exact) words += " No party's part of any of these, and no row.";
  return words;
}

std::string coalition_words(const Privacy& privacy) {
  if (privacy.exact && privacy.collusion > 0)
    return "nothing besides what everybody learns, and that minus their own parts.";
  return fmt::format("{}", fmt::join(privacy_sentences(privacy), " "));
}

}  // namespace

Json who_learns_what(const SimulateOptions& o, const Parties& parties, const StudyReport& report) {
  Json all = Json::array();
  const auto say = [&](const std::string& who, const std::string& what) {
    all.push_back({{"who", who}, {"what", what}});
  };
  say("Every agent, from the fit", opened_by_fit(report));
  say("Every agent, from a prediction together",
      fmt::format("the {} asked about, and for each point and target two sums, from which the mean and the "
                  "variance follow.{}",
                  plural(static_cast<std::uint64_t>(parties.test.inputs.rows()), "point"),
                  report.privacy.exact ? " No party's own mean or variance." : ""));
  if (report.landmarks)
    say("Anybody, from a prediction at home",
        "nothing: no message is sent, neither question nor answer leaves.");
  if (report.holdout)
    say("Every agent, from the score on held-out rows",
        o.study.holdout->fused
            ? "the inputs of the held-out rows, their number, squared error and log density over all agents. "
              "No target."
            : "how many rows were held out, their squared error and log density over all agents. Not whose, "
              "and no row.");
  const std::size_t most = report.privacy.collusion;
  say(!report.privacy.exact || most == 0 ? "Agents that put together all they have received, over all rounds"
      : most == 1                        ? "An agent that also puts down what it has received"
                  : fmt::format("A group of up to {} agents that put together all they have received", most),
      coalition_words(report.privacy));
  say("Somebody who watches the network",
      "who talks to whom, when and how much. Between real agents all messages are encrypted.");
  return all;
}

Json not_promised(const SimulateOptions& o, const Parties& parties) {
  const std::size_t agents = parties.count();
  Json all = Json::array();
  all.push_back(
      "That a sum is harmless: one over few rows, or a prediction near a single patient's row, speaks about "
      "that row. There is no differential privacy.");
  all.push_back(fmt::format(
      "Protection from all but one: {} parties together know the last one's part of every sum.", agents - 1));
  all.push_back("That the points of a prediction together stay private: all parties see them.");
  all.push_back("That a party's rows are true. A party that lies about them spoils the model.");
  if (o.study.protocol.sums == SumProtocol::consensus)
    all.push_back(
        "That rounds hide values: a party's own states over many rounds often tell it others' values.");
  all.push_back(
      "Anything about this simulation itself: all its agents share one process, which protects nothing from "
      "whoever runs it.");
  return all;
}

}  // namespace tacit::cli
