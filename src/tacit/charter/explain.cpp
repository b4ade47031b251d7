#include "tacit/charter/explain.hpp"

#include <fmt/format.h>

#include "tacit/charter/check.hpp"
#include "tacit/charter/opened.hpp"
#include "tacit/charter/row_share.hpp"
#include "tacit/charter/terms.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/protocol/exact/exact.hpp"

namespace tacit {
namespace {

using Points = std::vector<std::string>;

std::string list(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k)
    text += (k == 0 ? "" : k + 1 == words.size() ? " and " : ", ") + words[k];
  return text;
}

std::string names_of(const Charter& charter) {
  std::vector<std::string> names;
  for (const CharterAgent& agent : charter.agents) names.push_back(agent.name);
  return list(names);
}

std::string names_of(const Charter& charter, const Coalition& coalition) {
  std::vector<std::string> names;
  for (AgentId agent : coalition) names.push_back(charter.name_of(agent));
  return list(names);
}

std::string columns(const std::vector<Column>& all) {
  std::vector<std::string> words;
  for (const Column& column : all)
    words.push_back(column.categorical() ? fmt::format("{} ({} levels)", column.name, column.levels.size())
                    : column.is_date()
                        ? fmt::format("{} (dates, {})", column.name, range_text(column))
                        : fmt::format("{} ({:g} to {:g})", column.name, column.low, column.high));
  return list(words);
}

std::string several(std::uint64_t n, const std::string& word) {
  return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
}

bool consensus(const Charter& charter) { return charter.protocol.sums == SumProtocol::consensus; }

bool by_tree(const Charter& charter) {
  return charter.protocol.sums == SumProtocol::tree ||
         (!consensus(charter) && charter.agents.size() > most_verified);
}

Points who(const Charter& charter) {
  return {
      fmt::format("{} agents take part, one for each party: {}.", charter.agents.size(), names_of(charter)),
      fmt::format(
          "Each party's rows stay on its own machine. They have the inputs {} and the targets {}. An agent "
          "refuses rows outside these ranges.",
          columns(charter.inputs), columns(charter.targets)),
      fmt::format(
          "Every party holds and signs this charter. Its hash begins with {}. An agent connects only to "
          "agents with the same charter whose keys are in it.",
          hex(charter_hash(charter)).substr(0, 16)),
      "There is no server. Everything that leaves a party's machine goes only to other parties, over "
      "encrypted connections."};
}

Points in_a_fit(const Charter& charter, const Opened& opened) {
  Points points;
  if (charter.model.standardise)
    points.push_back(
        fmt::format("{} about all rows together: the number of rows, and the mean and the spread of every "
                    "column.",
                    several(opened.standardising, "number")));
  if (charter.tuning.on)
    points.push_back(
        fmt::format("In each of up to {} of the model's settings, {}: how well the settings fit the rows of "
                    "all parties together, and which changes of the settings improve the fit.",
                    several(opened.trials, "trial"), several(opened.a_trial, "number")));
  if (const LandmarkTerms& agreed = charter.model.landmarks; agreed.any()) {
    if (opened.moments > 0)
      points.push_back(fmt::format(
          "{} about the inputs of all rows together: their means, and how they vary together. "
          "They determine the positions of the landmarks. Landmarks are public points that belong "
          "to no row.",
          several(opened.moments, "number")));
    points.push_back(fmt::format(
        "Once, {}{}: what the rows of all parties together show about the targets at {}. With these numbers, "
        "every party holds a model of all rows and uses it on its own machine. {} If more numbers are opened "
        "than the "
        "rows contain, the rows may be reconstructed. Which party each row belongs to stays unknown.",
        agreed.count ? "" : "up to ", several(opened.pooled, "number"), several(opened.landmarks, "landmark"),
        agreed.above_ceiling ? "In this charter the parties agree that these may be more than a quarter of "
                               "the numbers that all rows contain."
                             : "They are never more than a quarter of the numbers that all rows contain "
                               "(rows times columns)."));
    points.emplace_back(
        "Another fit on the same rows opens the same numbers, and nothing further. Fits with other terms "
        "open further numbers. Each party's agent counts the numbers that fits on the same rows open in "
        "total. It refuses a fit that would open more than the rows contain, until its rows have changed "
        "(policy.most_opened).");
  }
  if (points.empty()) points.emplace_back("Nothing: the charter gives all numbers of the model.");
  points.push_back(fmt::format(
      "In total these are {}{} about the rows of all parties together, and none about the rows of a single "
      "party. The model that every party keeps is computed from them. It is valid only with the signatures "
      "of all parties that took part.",
      charter.tuning.on || !charter.model.landmarks.count ? "at most " : "",
      several(opened.fit(), "number")));
  return points;
}

Points in_a_prediction(const Charter& charter, const Opened& opened, const RowShare& share) {
  Points points{
      charter.model.landmarks.any()
          ? "Nothing, if a party asks at home, as tacit predict does by default. Its own agent then answers "
            "from the model of all rows, which it holds, and from its own rows. It sends no message, so no "
            "other party learns what was asked."
          : "Nothing, if a party asks at home, as tacit predict does by default. Its own agent then answers "
            "from its own rows. It sends no message, so no other party learns what was asked.",
      fmt::format(
          "If a party asks together with all others (`together`), all parties see the inputs "
          "of the points, up to {} points in one request. A question about a patient shows that patient's "
          "inputs to all parties.",
          charter.protocol.points),
      fmt::format("They also see {} for each point: sums from which the mean and the uncertainty of the "
                  "prediction follow. No party sees another party's part in them.",
                  several(opened.a_point, "number"))};
  for (std::string& sentence : in_words(share)) points.push_back(std::move(sentence));
  return points;
}

Points in_an_evaluation(const Opened& opened) {
  return {
      fmt::format("All parties see {} about the held-out rows of all parties together: how many there are, "
                  "and the squared error and the log density of their predictions.",
                  several(opened.a_score, "number")),
      "The held-out rows themselves stay on their party's machine. Each party predicts its own held-out rows "
      "with its own part of the model, so the inputs of a row are shown to no other party."};
}

Points by_colluding(const Charter& charter, const Opened& opened) {
  const std::size_t c = charter.protocol.collusion, all = charter.agents.size();
  Points points;
  if (!consensus(charter)) {
    if (c > 0)
      points.push_back(fmt::format(
          "A coalition of up to {} may share all that it has and run any program. It learns the totals "
          "above, and nothing else about the other parties: no party's part in a total, and no row. This "
          "relies on the cryptographic functions of libsodium and OpenSSL.",
          several(c, "agent")));
    else
      points.emplace_back("The charter does not promise protection against agents that collude.");
    points.push_back(rests_on(charter));
  } else {
    const Privacy privacy = charter_privacy(charter, opened);
    points.push_back(fmt::format(
        "The charter requires protection against {}. The rounds of the consensus reveal more than "
        "the total, so what a coalition can learn depends on the network:",
        several(c, "colluding agent")));
    const auto weakest = [&](const Weakest& found, const char* when) {
      if (found.withstands > 0)
        points.push_back(fmt::format("No coalition of up to {} can compute the value of another party {}.{}",
                                     several(found.withstands, "agent"), when,
                                     found.complete ? "" : " Not all larger coalitions were examined."));
      if (found.exposure)
        points.push_back(fmt::format("{} could compute the value of {} {}.",
                                     names_of(charter, found.exposure->coalition),
                                     charter.name_of(found.exposure->learns), when));
    };
    weakest(privacy.one_round, "from the messages and weighted sums of one round");
    weakest(privacy.all_rounds, "from all rounds");
    if (privacy.blinded)
      points.push_back(
          fmt::format("Values are hidden behind noise. In a run of {} numbers, the most that this charter "
                      "allows, the probability that the noise does not hide the values is at most {:.2g}. "
                      "These probabilities add up over runs.",
                      opened.largest, privacy.odds));
    else
      points.emplace_back(
          "The charter does not use blinding. Rounding errors over all rounds therefore reveal more.");
    points.push_back(rests_on(charter));
  }
  points.push_back(
      fmt::format("If all {} parties but one share what they have, they can always compute the part of the "
                  "last one: it is the total minus their own parts. No total is formed over fewer than {} "
                  "parties.",
                  all, charter.protocol.fewest));
  return points;
}

Points absences_and_repeats(const Charter& charter) {
  Points points{
      "Two totals that differ by one party reveal that party's part. So all parties of the charter take part "
      "in a model. Evaluations, and predictions asked together, need exactly the parties of the model that "
      "they use. If one of them is absent, there is no answer.",
      "A fit without a party must be requested by name (`without=NAME`). It is refused unless "
      "every owner's policy allows it; by default, no policy does. If models with and without a party "
      "exist, the agents report this, and what the two models together reveal.",
      "Many questions at chosen points reveal more about the rows than one question. Every agent refuses "
      "points outside the ranges above. Each owner's policy states who may ask for what, and how much per "
      "day.",
      "An agent learns from a snapshot of its rows. It takes a new snapshot only if enough rows were added "
      "or removed (policy.fewest_new_rows). Otherwise, two fits whose rows differ by a few patients would "
      "reveal sums over those few. After a new snapshot, the agent takes part only in a new fit.",
      "Every agent keeps a ledger of everything that it took part in: when, who asked for what, with which "
      "parties, and how many numbers it opened. tacit ledger shows it."};
  if (charter.protocol.refits)
    points.emplace_back(
        "Agents may request fits automatically, if their owners configure that. Such a fit opens the same "
        "numbers as any other fit, and appears in the ledger of every agent.");
  return points;
}

Points by_lying(const Charter& charter) {
  Points points{
      "A party can contribute false rows within the ranges. That spoils the model, but opens no numbers "
      "beyond those counted above.",
      "A party can refuse, or stop during a run. Then there is no result, and the other parties learn which "
      "party it was."};
  if (consensus(charter))
    points.emplace_back(
        "With the consensus, a party can also send wrong messages in a round and spoil a result unnoticed.");
  else if (by_tree(charter))
    points.emplace_back(
        "With tree sums, a relay or the asker can also spoil a total unnoticed. It learns nothing from "
        "that.");
  if (!consensus(charter))
    points.emplace_back(
        "If a party sends contradictory messages, or forges, repeats or changes messages, the run ends with "
        "an error that names the sender. This opens no numbers.");
  return points;
}

Points not_promised() {
  return {
      "That a total reveals nothing about a person. A mean over few rows reveals something about them. So "
      "does a prediction at a point near the row of only one patient. There is no differential privacy.",
      "That rows are true, or belong to the party that contributes them.",
      "That two fits reveal nothing about the rows that changed between them.",
      "That traffic is hidden. Links are encrypted, but an observer of the network can see which agents "
      "communicate, when, and how much.",
      "That the service is always available: any party can refuse.",
      "Protection of a party whose own machine, keys or administrators cannot be trusted."};
}

void wrap(std::string& page, const std::string& first, const std::string& rest, const std::string& text) {
  constexpr std::size_t most = 100;
  std::string line = first;
  bool empty = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!empty && line.size() + 1 + word.size() > most) {
      page += line + '\n';
      line = rest;
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    empty = false;
    at = end + 1;
  }
  page += line + '\n';
}

}  // namespace

std::string rests_on(const Charter& charter) {
  if (consensus(charter))
    return "The consensus relies on members that follow the protocol. A member that deviates from it can "
           "spoil a result unnoticed.";
  if (by_tree(charter))
    return "Totals are formed over a tree. A relay or the asker can spoil a total, equally for all agents, "
           "but learns nothing from that. It cannot send different totals to different agents unnoticed.";
  return "Every agent computes each total itself, from values that all agents have signed. It need not "
         "trust a relay or the asker.";
}

std::vector<ExplainedPart> explain_charter(const Charter& charter) {
  const Terms terms = terms_of(charter);
  const Opened opened = opened_by(terms);
  return {{"Who takes part", who(charter)},
          {"What each party sees in a fit", in_a_fit(charter, opened)},
          {"What each party sees in a prediction", in_a_prediction(charter, opened, row_share(terms))},
          {"What each party sees in an evaluation", in_an_evaluation(opened)},
          {"What colluding parties can learn", by_colluding(charter, opened)},
          {"What absences and repetition may reveal, and what prevents it", absences_and_repeats(charter)},
          {"What a dishonest party can still do", by_lying(charter)},
          {"What is not promised", not_promised()}};
}

std::string page_of(const Charter& charter, const std::vector<ExplainedPart>& parts, bool markdown) {
  std::string page;
  const std::string title = fmt::format("{}: what the parties learn from each other", charter.title);
  page += markdown ? "# " + title + "\n" : title + "\n";
  for (const ExplainedPart& part : parts) {
    page += (markdown ? "\n## " : "\n") + part.heading + (markdown ? "\n\n" : "\n");
    for (const std::string& point : part.points) wrap(page, "- ", "  ", point);
  }
  return page;
}

}  // namespace tacit
