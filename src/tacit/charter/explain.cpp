#include "tacit/charter/explain.hpp"

#include <fmt/format.h>

#include "tacit/charter/check.hpp"
#include "tacit/charter/row_share.hpp"
#include "tacit/charter/terms.hpp"
#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/consortium/pool/place_landmarks.hpp"
#include "tacit/consortium/terms/public_facts.hpp"
#include "tacit/identity/encoding.hpp"

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
          "Each party's rows stay on its own machine. They have the inputs {} and the targets {}. Rows "
          "outside of these ranges are refused.",
          columns(charter.inputs), columns(charter.targets)),
      fmt::format(
          "Every party holds and signs this charter; its hash is {}. An agent talks only to agents with the "
          "same charter, whose keys are in it.",
          hex(charter_hash(charter)).substr(0, 16)),
      "There is no server: what leaves a party's machine goes to other parties only, encrypted."};
}

// What the agents compute with before any data are seen: scaling and numbers as at the start.
struct Opened {
  std::size_t standardising = 0, a_trial = 0, trials = 0, a_point = 0, a_score = 0;
  std::size_t moments = 0;    // that say where landmarks are
  std::size_t landmarks = 0;  // at most
  std::uint64_t pooled = 0;   // by the sum over these
  std::uint64_t fit() const { return standardising + moments + a_trial * trials + pooled; }
};

Opened opened_by(const Charter& charter) {
  const Terms terms = terms_of(charter);
  Fitted start;
  start.priors.assign(terms.targets.size(),
                      checked_prior(terms.model.start, static_cast<Index>(width(terms.inputs))));
  if (terms.model.standardise) start.standardisation.emplace().rows = terms.agents() * terms.limits.rows;
  Opened opened;
  if (terms.model.standardise)
    for (const SumShape& shape : standardise_sums(column_facts(terms)))
      opened.standardising += shape.dimension;
  if (const auto& search = terms.tuning.search) {
    opened.a_trial =
        likelihood_sum(tune_facts(terms, start.standardisation), *search, start.priors).dimension;
    opened.trials = charter.tuning.evaluations * (charter.tuning.restarts + 1);
  }
  if (const LandmarkTerms& agreed = terms.model.landmarks; agreed.any()) {
    const std::size_t priors = most_priors(terms);
    if (agreed.listed.rows() == 0 || !terms.model.standardise)
      opened.moments = moments_sum(column_facts(terms), terms.model.standardise).dimension;
    opened.landmarks = agreed.count.value_or(landmark_ceiling(
        terms.agents() * terms.limits.rows, terms.inputs.size(), terms.targets.size(), priors));
    opened.pooled = landmark_numbers(opened.landmarks, terms.targets.size(), priors);
  }
  opened.a_point = prediction_shape(terms, start, 1).dimension;
  opened.a_score =
      score_sum({.outputs = terms.targets.size(), .rows = 1, .error = 1, .signal = 1, .noise = 1}).dimension;
  return opened;
}

Points in_a_fit(const Charter& charter, const Opened& opened) {
  Points points;
  if (charter.model.standardise)
    points.push_back(
        fmt::format("{} about all rows together: how many rows there are, and the mean and the spread of "
                    "every column.",
                    several(opened.standardising, "number")));
  if (charter.tuning.on)
    points.push_back(
        fmt::format("At each of up to {} of the model's settings {}: how well the setting suits all parties' "
                    "rows together, and in which direction it would suit better.",
                    several(opened.trials, "trial"), several(opened.a_trial, "number")));
  if (const LandmarkTerms& agreed = charter.model.landmarks; agreed.any()) {
    if (opened.moments > 0)
      points.push_back(
          fmt::format("{} about the inputs of all rows together, their means and how they go together; they "
                      "say where the landmarks are: public points, which belong to no row.",
                      several(opened.moments, "number")));
    points.push_back(fmt::format(
        "Once, {}{}: what all parties' rows together say about the targets at {}. With these every party "
        "holds a model of all rows and asks it at home. They are many numbers: {} From more numbers than the "
        "rows themselves hold, the pool of rows may be worked out, though not whose they are.",
        agreed.count ? "" : "up to ", several(opened.pooled, "number"), several(opened.landmarks, "landmark"),
        agreed.above_ceiling
            ? "the parties agree in this charter that they may be more than a quarter of those that the rows "
              "hold."
            : "never more than a quarter of those that the rows hold (rows times columns)."));
    points.emplace_back(
        "A fit again on the same rows opens the same numbers, and nothing further. Fits on other terms add "
        "up: each owner's agent counts what they open together, and refuses a fit past as many as the rows "
        "hold, until its rows have changed (policy.most_opened).");
  }
  if (points.empty()) points.emplace_back("Nothing: the model's numbers are those of the charter.");
  points.push_back(fmt::format(
      "That is {}{} about everybody's rows together, none about a single party's. The model that every party "
      "keeps is worked out from these, and counts only with the signatures of all who took part.",
      charter.tuning.on || !charter.model.landmarks.count ? "at most " : "",
      several(opened.fit(), "number")));
  return points;
}

Points in_a_prediction(const Charter& charter, const Opened& opened) {
  Points points{
      charter.model.landmarks.any()
          ? "Nothing, as long as a party asks at home, which tacit predict does: the party's own agent "
            "answers from the model of all rows, which it holds, and from its own rows. No message leaves, "
            "so nobody learns what was asked."
          : "Nothing, as long as a party asks at home, which tacit predict does: its own agent answers from "
            "its own rows. No message leaves, so nobody learns what was asked.",
      fmt::format(
          "Where a party asks together with all others (tacit predict --together), all parties see the "
          "inputs of the points: up to {} in one request. Asking about a patient shows that patient's inputs "
          "to all parties.",
          charter.protocol.points),
      fmt::format("All parties see {} for each point: sums from which the mean and the uncertainty of the "
                  "prediction follow. No party sees another's part in them.",
                  several(opened.a_point, "number"))};
  for (std::string& sentence : in_words(row_share(charter))) points.push_back(std::move(sentence));
  return points;
}

Points in_an_evaluation(const Opened& opened) {
  return {
      fmt::format("All parties see {} about the rows that all of them hold out together: how many there are, "
                  "the squared error and the log density of the predictions.",
                  several(opened.a_score, "number")),
      "The held-out rows themselves stay where they are; each party predicts them with its own part of the "
      "model, so that no row's inputs are shown."};
}

Points by_colluding(const Charter& charter) {
  const std::size_t c = charter.protocol.collusion, all = charter.agents.size();
  Points points;
  if (!consensus(charter)) {
    if (c > 0)
      points.push_back(fmt::format(
          "Up to {} that put together all they have, and run any program they like, learn the totals above "
          "and nothing else about the others: no party's part in a total, and no row. What it rests on are "
          "the cryptographic functions of libsodium and OpenSSL.",
          several(c, "agent")));
    else
      points.emplace_back("The charter promises nothing against agents that collude.");
    points.push_back(rests_on(charter));
  } else {
    const Privacy privacy = charter_privacy(charter);
    points.push_back(
        fmt::format("The charter asks that {} may collude. The rounds of the consensus tell more than the "
                    "total, which is why this has to be worked out for the network:",
                    several(c, "agent")));
    const auto weakest = [&](const Weakest& found, const char* when) {
      if (found.withstands > 0)
        points.push_back(fmt::format("No coalition of up to {} can work out anybody's value {}{}.",
                                     several(found.withstands, "agent"), when,
                                     found.complete ? "" : "; larger ones were not all looked at"));
      if (found.exposure)
        points.push_back(fmt::format("{} could work out {}'s value {}.",
                                     names_of(charter, found.exposure->coalition),
                                     charter.name_of(found.exposure->learns), when));
    };
    weakest(privacy.one_round, "in one round, from its messages and the sums they are given");
    weakest(privacy.all_rounds, "from all rounds");
    if (privacy.blinded)
      points.push_back(
          fmt::format("Values are hidden behind noise. For each number that is summed, the odds that it does "
                      "not hide what it should are at most {:.2g}; they add up over numbers and runs.",
                      privacy.odds));
    else
      points.emplace_back(
          "Values are not hidden behind noise, so over all rounds traces of rounding tell more still.");
    points.push_back(rests_on(charter));
  }
  points.push_back(
      fmt::format("All {} but one together always work out the last one's part: it is the total minus their "
                  "own. Therefore no total is formed over fewer than {} parties.",
                  all, charter.protocol.fewest));
  return points;
}

Points absences_and_repeats(const Charter& charter) {
  Points points{
      "Two totals that differ by one party show that party's part. So the parties of a model are everybody "
      "in the charter, and predictions and evaluations need exactly the parties of the model that they use. "
      "If one is away, there is no answer.",
      "A fit without a party has to be asked for by name (tacit fit --without NAME), and is refused unless "
      "every owner's policy allows it, which it does not by default. Where models with and without a party "
      "exist, agents say so and what the two together show.",
      "Many questions at chosen points tell more about the rows than one. Points outside of the ranges above "
      "are refused by every agent, and each owner's policy says who may ask for what, and for how much in a "
      "day.",
      "An agent learns from a snapshot of its rows, and takes a new one only when enough rows came or went "
      "(policy.fewest_new_rows): two fits whose rows differ by a few patients would show sums over those "
      "few. "
      "After a new snapshot it takes part in nothing but a new fit.",
      "Every agent keeps a ledger of all it took part in: when, who asked for what, with which parties, and "
      "how many numbers it opened. tacit ledger shows it."};
  if (charter.protocol.refits)
    points.emplace_back(
        "Agents may ask for fits by themselves, where their owners want that. Such a fit opens what any fit "
        "opens, and is in everybody's ledger.");
  return points;
}

Points by_lying(const Charter& charter) {
  Points points{
      "A party can bring rows that are not true, within the ranges. That spoils the model; it shows the "
      "party nothing more about others' rows.",
      "A party can refuse, or stop in the middle. Then there is no result, and the others learn who it was."};
  if (consensus(charter))
    points.emplace_back(
        "With the consensus a party can also send wrong messages in a round, and spoil a result unnoticed.");
  else if (by_tree(charter))
    points.emplace_back(
        "With tree sums a relay or the asker can also spoil a total unnoticed. It learns nothing by it.");
  if (!consensus(charter))
    points.emplace_back(
        "A party that tells the others different things, forges, repeats or changes messages ends the run "
        "with an error that names who said what; nothing is opened by it.");
  return points;
}

Points not_promised() {
  return {
      "That a total tells nothing about a person. A mean over few rows, or a prediction at a point where one "
      "patient's row is the only one near, says something about that row. There is no differential privacy.",
      "That rows are true, or belong to those who bring them.",
      "That two fits on rows that changed in between show nothing about the change.",
      "That nobody sees who talks to whom, when, and how much: links are encrypted, not hidden.",
      "That the service is always there: any party can refuse.",
      "Protection of a party whose own machine, keys or administrators are not to be trusted."};
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
    return "The rounds of the consensus rest on members that keep to the protocol: one that does not can "
           "spoil a result unnoticed.";
  if (by_tree(charter))
    return "Totals are formed over a tree: a relay or the asker can spoil a total, for everybody alike, but "
           "learns nothing by it, and cannot tell agents different totals unnoticed.";
  return "Every agent adds up for itself what all have signed: no relay's and no asker's word is taken for a "
         "total.";
}

std::vector<ExplainedPart> explain_charter(const Charter& charter) {
  const Opened opened = opened_by(charter);
  return {
      {"Who takes part", who(charter)},
      {"What each party sees in a fit", in_a_fit(charter, opened)},
      {"What each party sees in a prediction", in_a_prediction(charter, opened)},
      {"What each party sees in an evaluation", in_an_evaluation(opened)},
      {"What colluding parties can learn", by_colluding(charter)},
      {"What absences and repeated questions would show, and what stops them", absences_and_repeats(charter)},
      {"What a lying party can still do", by_lying(charter)},
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
