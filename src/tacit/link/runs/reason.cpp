#include "tacit/link/runs/reason.hpp"

#include <fmt/format.h>

namespace tacit {

std::string in_words(const Reason& reason) {
  const std::uint64_t detail = reason.detail;
  switch (reason.code) {
    case ReasonCode::malformed:
      return "it cannot read the request; do all agents run the same version?";
    case ReasonCode::not_signed:
      return "the request is not signed by the agent that it names";
    case ReasonCode::seen_before:
      return "it has already seen this run or a later one of the same asker; ask again, and check the clock "
             "of "
             "the machine that asks";
    case ReasonCode::stopping:
      return "it is about to stop; ask again when it is back";
    case ReasonCode::undecided:
      return "it cannot decide; its log says why";
    case ReasonCode::must_wait:
      return fmt::format(
          "the asker has announced or begun runs and not gone through with them, and must wait {} s", detail);
    case ReasonCode::may_not_ask:
      return "its owner's policy does not allow this asker or this kind of request; talk to its owner";
    case ReasonCode::limit_reached:
      return fmt::format(
          "its owner's policy allows no more today ({} left); ask again tomorrow or talk to its owner",
          detail);
    case ReasonCode::too_few:
      return fmt::format("too few agents would take part; it takes at least {}", detail);
    case ReasonCode::not_without:
      return "its owner's policy does not allow to go without the members that are left out; talk to its "
             "owner "
             "or ask everybody";
    case ReasonCode::other_roster:
      return "the request needs exactly the agents that the model was fitted with";
    case ReasonCode::no_model:
      return "it does not have this model, and the request does not bring it with all signatures; fit again";
    case ReasonCode::newer_model:
      return fmt::format("it holds a newer model, version {}; bring the asker up to date or fit again",
                         detail);
    case ReasonCode::version_taken:
      return fmt::format("a model of this version was signed already, the newest has version {}; fit again",
                         detail);
    case ReasonCode::rows_changed:
      return "its rows have changed since the fit, and it takes part in nothing but a new fit; fit again";
    case ReasonCode::outside_agreement:
      return "the request is outside of what the charter allows: points outside of ranges or levels, or too "
             "many";
    case ReasonCode::wrong_time:
      return "the request's time is not a time, or lies in the future; check the clock of the machine that "
             "asks";
    case ReasonCode::opened_enough:
      return fmt::format(
          "fits on its rows have opened {} numbers together, and its owner's policy allows no more until its "
          "rows have changed; wait for that, or talk to its owner",
          detail);
    case ReasonCode::own_input:
      return "its own data or numbers do not fit what was agreed; its log says why";
    case ReasonCode::failed:
      return "something went wrong there; its log says why";
    case ReasonCode::misbehaved:
      return fmt::format("agent {} said what no honest agent says; its log says what", detail);
    case ReasonCode::lost_agent:
      return fmt::format("it lost agent {}; see whether that agent and the link between the two are well",
                         detail);
    case ReasonCode::no_part:
      return "it takes no part in the run, or no longer";
    case ReasonCode::too_many_landmarks:
      return fmt::format("the charter asks for more landmarks than the rows of all agents allow, at most {}",
                         reason.detail);
    case ReasonCode::withdrawn:
      return "whoever asked for it has withdrawn it";
    case ReasonCode::overflowed:
      return "it was sent more than it had asked for; its log says by whom";
  }
  return fmt::format("a reason that this version does not know ({}); install the same release everywhere",
                     static_cast<std::uint32_t>(reason.code));
}

}  // namespace tacit
