#include "tacit/cli/numbers.hpp"

#include <fmt/format.h>

namespace tacit::cli {

std::string nothing_promised(const ConsensusPlan& plan, double variance) {
  const auto enough = plan.iterations_within(1 / variance);
  return fmt::format("nothing is promised about predictions at T = {}; {}", count(plan.iterations),
                     enough ? "T ≥ " + count(*enough) + " is needed" : "a smaller L_z (--lz) is needed");
}

std::string privacy_text(const Privacy& privacy, const std::string& indent) {
  std::string text;
  if (privacy.exact)
    return privacy.collusion == 0
               ? "the sum of two agents tells each the other's value; no protocol can prevent that"
               : fmt::format("no {} learns more than the sums it is given (collusion bound {})",
                             privacy.collusion == 1
                                 ? "agent"
                                 : fmt::format("group of up to {} agents", privacy.collusion),
                             privacy.collusion);
  if (privacy.collusion == 0 && privacy.masks == MaskSource::seeded)
    text = "masks:      an agent with a single neighbour sees that neighbour's state in every round (h = 0)";
  else if (privacy.collusion == 0)
    text = "masks:      on this graph a single agent can split its neighbours' sum into parts (h* = 0)";
  else
    text = fmt::format(
        "masks:      in a round, messages tell {} (h* = {})",
        privacy.collusion == 1
            ? "an agent no more than the sum it is given"
            : fmt::format("up to {} agents no more than the sums they are given", privacy.collusion),
        privacy.collusion);
  if (privacy.collusion < privacy.collusion_paper)
    text += fmt::format("\n{}            the paper's formula would promise h = {}, which is too high here",
                        indent, privacy.collusion_paper);
  text += fmt::format("\n{}values:     {}", indent, in_words(privacy.one_round, "in one round"));
  text += fmt::format("\n{}            {}", indent, in_words(privacy.all_rounds, "from all rounds"));
  text += fmt::format("\n{}trajectory: ", indent);
  if (privacy.blinded && privacy.odds > most_odds)
    text += fmt::format(
        "the noise between neighbours is too small to count on: the odds that it hides nothing are {:.2g}\n"
        "{}            (p·M²/2 times 2^-bits; give more --blinding)",
        privacy.odds, indent);
  else if (privacy.blinded && privacy.trajectory_safe)
    text += fmt::format(
        "noise between neighbours hides all starting values and what rounding does to them, so an agent's\n"
        "{}            own states tell it only the sum, but for odds of at most {:.2g} (p·M²/2 times "
        "2^-bits)",
        indent, privacy.odds);
  else if (privacy.blinded)
    text += fmt::format(
        "noise between neighbours hides starting values, but a single agent joins parts of the graph: it\n"
        "{}            can work out the sum of each part; for a part of one agent, that is its value",
        indent);
  else if (privacy.complete)
    text += fmt::format(
        "in exact arithmetic an agent's own states determine only the sum, but rounding leaves traces of\n"
        "{}            others' values in them, which --blinding hides",
        indent);
  else
    text += fmt::format(
        "the masks do not hide an agent's own states, and from all rounds together it can work out\n"
        "{0}            combinations of others' values besides the sum, on some graphs every value; a small "
        "L_z makes it easier",
        indent);
  return text;
}

}  // namespace tacit::cli
