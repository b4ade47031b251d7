#include "tacit/charter/explain.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tacit/charter/check.hpp"
#include "tacit/charter/row_share.hpp"
#include "tacit/consortium/fitted.hpp"
#include "tacit/identity/identity_testing.hpp"

namespace tacit {
namespace {

using namespace testing;

// Joins the lines, which may be broken anywhere between words.
std::string unbroken(std::string page) {
  std::string text;
  for (const char c : page)
    if (c != '\n')
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  for (std::size_t at = 0; (at = text.find("  ", at)) != text.npos;) text.erase(at, 1);
  return text;
}

class Explained : public ::testing::Test {
 protected:
  PaperConsortium four;
  Charter& charter = four.charter;

  std::string page() const { return unbroken(page_of(charter, explain_charter(charter), false)); }
};

TEST_F(Explained, StatesWhatLandmarksOpenAndThatQuestionsStayAtHome) {
  const std::string text = page();
  for (const char* words :
       {// n, three inputs, their products
        "3 numbers about the inputs of all rows together",
        // 243 · 246 / 2, a quarter of 4 · 10,000 · 3
        "Once, up to 29889 numbers: what the rows of all parties together show about the targets at 243 "
        "landmarks",
        "never more than a quarter of the numbers that all rows contain",
        "at most 30301 numbers about the rows of all parties together",
        "Its own agent then answers from the model of all rows, which it holds, and from its own rows. It "
        "sends no message, so no other party learns what was asked."})
    EXPECT_TRUE(says(text, words)) << words << "\n" << text;
  charter.model.landmarks = {.count = 300, .above_ceiling = true};
  EXPECT_TRUE(says(page(), "Once, 45450 numbers"));
  EXPECT_TRUE(says(page(), "the parties agree that these may be more than a quarter"));
}

TEST_F(Explained, StatesWhatEachPartySees) {
  charter.model.landmarks.count = 0;
  const std::string text = page();
  for (const char* words :
       {"4 agents take part, one for each party: agent-a, agent-b, agent-c and agent-d.",
        "age (0 to 120) and sex \\ gender (2 levels)",
        // n, three inputs and a target; then their squares
        "9 numbers about all rows together",
        // likelihood, length-scale, signal, noise
        "In each of up to 100 trials of the model's settings, 4 numbers",
        "at most 409 numbers about the rows of all parties together, and none about the rows of a single "
        "party",
        "They also see 2 numbers for each point", "up to 10000 points in one request",
        "All parties see 3 numbers about the held-out rows of all parties together",
        "A coalition of up to 2 agents may share all that it has and run any program. It learns the totals "
        "above, and nothing else",
        "Every agent computes each total itself, from values that all agents have signed",
        "No total is formed over fewer than 4 parties", "`without=NAME`", "tacit ledger",
        "A party can contribute false rows", "There is no differential privacy"})
    EXPECT_TRUE(says(text, words)) << words << "\n" << text;
  charter.tuning.on = false;
  charter.model.standardise = false;
  EXPECT_TRUE(says(page(), "Nothing: the charter gives all numbers of the model."));
}

TEST_F(Explained, StatesTheAssumptionsOfTreeAndConsensus) {
  charter.protocol.sums = SumProtocol::tree;
  EXPECT_TRUE(says(page(), "A relay or the asker can spoil a total, equally for all agents"));
  const auto notes = check_charter(charter).notes;
  EXPECT_TRUE(std::count(notes.begin(), notes.end(), rests_on(charter)));
  charter.protocol.sums = SumProtocol::consensus;
  charter.protocol.collusion = 1;
  charter.topology = "ring:2";
  charter.model.landmarks.count = 0;
  charter.protocol.consensus.blinding = 0;
  const std::string text = page();
  EXPECT_TRUE(says(text,
                   "relies on members that follow the protocol. A member that deviates from it can spoil a "
                   "result unnoticed"));
  EXPECT_TRUE(says(text, "No coalition of up to 1 agent can compute the value of another party from"));
  EXPECT_TRUE(says(text, "agent-a and agent-d could compute the value of agent-b from the messages")) << text;
  EXPECT_TRUE(says(text, "agent-a could compute the value of agent-c from all rounds")) << text;
  EXPECT_FALSE(check_charter(charter).problems.empty());
  charter.protocol.consensus.blinding = 40;
  EXPECT_TRUE(says(page(),
                   "In a run of 20000 numbers, the most that this charter allows, the probability "
                   "that the noise does not hide the values is at most 1.5e-07"));
}

// Both judge the largest run that the charter allows, by the same search.
TEST_F(Explained, AgreesWithTheCheck) {
  charter.protocol.sums = SumProtocol::consensus;
  charter.protocol.collusion = 1;
  charter.topology = "ring:2";
  charter.model.landmarks.count = 0;
  for (const unsigned blinding : {0u, 20u, 32u}) {
    charter.protocol.consensus.blinding = blinding;
    const Privacy privacy = charter_privacy(charter, opened_by(terms_of(charter)));
    EXPECT_EQ(privacy.trajectory_safe, blinding == 32);
    const CharterReport report = check_charter(charter);
    std::string notes, text = page();
    for (const std::string& note : report.notes) notes += note + " ";
    if (blinding == 0) {
      EXPECT_FALSE(report.problems.empty()) << notes;
      continue;
    }
    const std::string odds = fmt::format("at most {:.2g}", privacy.odds);
    EXPECT_TRUE(
        says(notes, "In a run with 20000 numbers per agent, blinding fails with a probability of " + odds))
        << notes;
    EXPECT_TRUE(says(text, "the probability that the noise does not hide the values is " + odds)) << text;
  }
}

TEST_F(Explained, MarkdownHasHeadings) {
  const std::string text = page_of(charter, explain_charter(charter), true);
  EXPECT_TRUE(
      text.starts_with("# A \"test\": what the parties learn from each other\n\n## Who takes part\n\n- "));
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    EXPECT_LE(text.find('\n', at) - at, 100u);
}

TEST_F(Explained, ShareOfARow) {
  charter.tuning.high = 3;
  charter.tuning.noise_floor = 2;
  charter.model.noise = 2;
  charter.model.signal = 1;
  const RowShare share = row_share(terms_of(charter));
  EXPECT_DOUBLE_EQ(share.most, 9.0 / 13);
  EXPECT_DOUBLE_EQ(share.at_start, 1.0 / 5);
  ASSERT_EQ(in_words(share).size(), 1u);
  EXPECT_TRUE(says(in_words(share)[0], "69.2 %"));
  charter.tuning.noise_floor = 0.05;
  const auto warned = check_charter(charter).notes;
  EXPECT_TRUE(std::any_of(warned.begin(), warned.end(), [](const std::string& note) {
    return says(note, "Warning: ") && says(note, "target can be computed from a prediction at its inputs") &&
           says(note, "towards 1,");
  }));
  charter.tuning.on = false;  // the starting values are final
  EXPECT_DOUBLE_EQ(row_share(terms_of(charter)).most, 1.0 / 5);
}

// A model below a floor cannot have come from the charter.
TEST_F(Explained, FloorsAreKept) {
  charter.model.standardise = false;
  charter.tuning.noise_floor = 0.2;
  charter.tuning.lengthscale_floor = 0.3;
  const Terms terms = terms_of(charter);
  EXPECT_EQ(terms.tuning.search->noise_low, 0.2);
  EXPECT_EQ(terms.tuning.search->lengthscale_low, 0.3);
  const auto refused = [&](double lengthscale, double noise) {
    Fitted fitted;
    fitted.priors = {{se(lengthscale, 1), noise}};
    return !refusal([&] { check_plausible(fitted, terms); }).empty();
  };
  EXPECT_FALSE(refused(0.3, 0.2));
  EXPECT_TRUE(refused(0.3, 0.19));
  EXPECT_TRUE(refused(0.29, 0.2));
}

}  // namespace
}  // namespace tacit
