#include "tacit/cli/lab/plan_words.hpp"

#include <fmt/format.h>

#include <cctype>
#include <utility>

namespace tacit::cli {

std::string nothing_promised(const ConsensusPlan& plan, double variance) {
  const auto enough = plan.iterations_within(1 / variance);
  return fmt::format("no error bound holds for predictions at T = {}; {}", count(plan.iterations),
                     enough ? "T ≥ " + count(*enough) + " is needed" : "a smaller L_z (--lz) is needed");
}

namespace {

// A label and a text, with line breaks for a terminal.
using LabelledSentences = std::vector<std::pair<const char*, std::string>>;

std::string masks_words(const Privacy& privacy) {
  if (privacy.collusion == 0 && privacy.masks == MaskSource::seeded)
    return "an agent with a single neighbour sees that neighbour's state in every round (h = 0)";
  if (privacy.collusion == 0)
    return "on this graph, a single agent can split its neighbours' sum into parts (h* = 0)";
  return fmt::format(
      "in one round, {} (h* = {})",
      privacy.collusion == 1
          ? "an agent learns no more from messages than the sum it is given"
          : fmt::format("up to {} agents learn no more from messages than the sums they are given",
                        privacy.collusion),
      privacy.collusion);
}

std::string trajectory_words(const Privacy& privacy) {
  if (privacy.blinded && privacy.odds > most_odds)
    return fmt::format(
        "the noise between neighbours is too small: with a probability of {:.2g} it hides nothing\n"
        "(p·M²/2 times 2^-bits); use more bits of --blinding",
        privacy.odds);
  if (privacy.blinded && privacy.trajectory_safe)
    return fmt::format(
        "noise between neighbours hides all starting values and their rounding. An agent's own states\n"
        "show it only the sum, except with a probability of at most {:.2g} (p·M²/2 times 2^-bits)",
        privacy.odds);
  if (privacy.blinded)
    return "noise between neighbours hides starting values, but one agent is the only connection between "
           "parts\n"
           "of the graph. That agent can compute the sum of each part; for a part of one agent, this sum is\n"
           "the agent's value";
  if (privacy.complete)
    return "in exact arithmetic, an agent's own states determine only the sum. But rounding leaves traces\n"
           "of other agents' values in the states; --blinding hides them";
  return "the masks do not hide an agent's own states. From the states of all rounds, an agent can compute\n"
         "combinations of other agents' values besides the sum, on some graphs every value. A small L_z\n"
         "makes this easier";
}

LabelledSentences labelled(const Privacy& privacy) {
  if (privacy.exact)
    return {
        {nullptr,
         privacy.collusion == 0
             ? "each of two agents can compute the other's value from their sum; no protocol prevents this"
             : fmt::format("no {} learns more than the sums it is given (collusion bound {})",
                           privacy.collusion == 1
                               ? "agent"
                               : fmt::format("group of up to {} agents", privacy.collusion),
                           privacy.collusion)}};
  LabelledSentences all{{"masks:", masks_words(privacy)}};
  if (privacy.collusion < privacy.collusion_paper)
    all.emplace_back("", fmt::format("the paper's formula gives h = {}, which is too high for this graph",
                                     privacy.collusion_paper));
  all.emplace_back("values:", in_words(privacy.one_round, "in one round"));
  all.emplace_back("", in_words(privacy.all_rounds, "from all rounds"));
  all.emplace_back("trajectory:", trajectory_words(privacy));
  return all;
}

std::string replaced(std::string text, const std::string& at_breaks) {
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += at_breaks.size())
    text.replace(at, 1, at_breaks);
  return text;
}

}  // namespace

std::string privacy_text(const Privacy& privacy, const std::string& indent) {
  std::string text;
  for (const auto& [label, sentence] : labelled(privacy)) {
    if (!text.empty()) text += "\n" + indent;
    text += label ? fmt::format("{:<12}", label) : "";
    text += replaced(sentence, fmt::format("\n{}{:12}", indent, ""));
  }
  return text;
}

std::vector<std::string> privacy_sentences(const Privacy& privacy) {
  std::vector<std::string> all;
  for (const auto& [label, sentence] : labelled(privacy)) {
    all.push_back(replaced(sentence, " ") + (sentence.ends_with('.') ? "" : "."));
    all.back()[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(all.back()[0])));
  }
  return all;
}

}  // namespace tacit::cli
