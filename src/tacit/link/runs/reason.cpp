#include "tacit/link/runs/reason.hpp"

#include <fmt/format.h>

namespace tacit {

std::string in_words(const Reason& reason) {
  const std::uint64_t detail = reason.detail;
  switch (reason.code) {
    case ReasonCode::malformed:
      return "it cannot read the request; check that all agents run the same release";
    case ReasonCode::not_signed:
      return "the request is not signed by the agent that it names";
    case ReasonCode::seen_before:
      return "it has already seen this run or a later one of the same asker; ask again, and check the clock "
             "of the asker's machine";
    case ReasonCode::stopping:
      return "it is about to stop; ask again when it is back";
    case ReasonCode::undecided:
      return "it could not decide; its log has the reason";
    case ReasonCode::must_wait:
      return fmt::format("the asker announced or began runs without completing them, and must wait {} s",
                         detail);
    case ReasonCode::may_not_ask:
      return "its owner's policy does not allow this asker or this kind of request; contact its owner";
    case ReasonCode::limit_reached:
      return fmt::format(
          "the request exceeds the daily limit of its owner's policy ({} left today); ask again tomorrow, or "
          "contact its owner",
          detail);
    case ReasonCode::too_few:
      return fmt::format("too few agents would take part; it requires at least {}", detail);
    case ReasonCode::not_without:
      return "its owner's policy does not allow excluding these members; contact its owner, or ask all "
             "members";
    case ReasonCode::other_roster:
      return "the request needs exactly the agents with which the model was fitted";
    case ReasonCode::no_model:
      return "it does not have this model, and the request does not include it with all signatures; fit "
             "again";
    case ReasonCode::newer_model:
      return fmt::format("it holds a newer model, version {}; update the asker's model, or fit again",
                         detail);
    case ReasonCode::version_taken:
      return fmt::format("a model of this version was already signed (the newest is version {}); fit again",
                         detail);
    case ReasonCode::rows_changed:
      return "its rows have changed since the fit, so it takes part only in a new fit; fit again";
    case ReasonCode::outside_agreement:
      return "the request is outside the charter: points outside the ranges or levels, or too many points";
    case ReasonCode::wrong_time:
      if (detail == 0) return "the request has no valid time; check that all agents run the same release";
      return fmt::format("the clocks of the two machines differ by {} s; correct both clocks", detail);
    case ReasonCode::opened_enough:
      return fmt::format(
          "fits on its rows have opened {} numbers in total, and its owner's policy allows no more until its "
          "rows change; wait for that, or contact its owner",
          detail);
    case ReasonCode::own_input:
      return "its own data or numbers do not fit the agreement; its log has the details";
    case ReasonCode::failed:
      return "an error occurred there; its log has the details";
    case ReasonCode::misbehaved:
      return fmt::format("it found that agent {} violated the protocol; its log has the details", detail);
    case ReasonCode::lost_agent:
      return fmt::format("it lost agent {}; check that agent and its link", detail);
    case ReasonCode::no_part:
      return "it does not take part in the run, or has left it";
    case ReasonCode::too_many_landmarks:
      return fmt::format(
          "the charter asks for more landmarks than the rows of all agents allow; the most is {}", detail);
    case ReasonCode::withdrawn:
      return "the asker withdrew the request";
    case ReasonCode::overflowed:
      return "it received more than it had asked for; its log names the sender";
  }
  return fmt::format("a reason that this release does not know ({}); install the same release at all agents",
                     static_cast<std::uint32_t>(reason.code));
}

}  // namespace tacit
