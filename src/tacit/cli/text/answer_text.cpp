#include "tacit/cli/text/answer_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/answers/numbers.hpp"
#include "tacit/cli/options/setting_words.hpp"

namespace tacit::cli {
namespace {

template <class Names>
Roster roster_of(const Names& names) {
  return {names.begin(), names.end()};
}

std::string peer_text(const control::Peer& peer) {
  std::string state = !peer.neighbour()         ? "reached through other agents"
                      : !peer.refusal().empty() ? "refused: " + peer.refusal()
                      : !peer.up()              ? peer.why().empty() ? "down" : "down: " + peer.why()
                                   : fmt::format("up, round trip {}", duration(peer.round_trip()));
  if (peer.neighbour())
    state += fmt::format(", sent {}, received {}", size(peer.bytes_sent()), size(peer.bytes_received()));
  if (!peer.release().empty()) state += ", Tacit " + peer.release();
  for (const control::Left& left : peer.left())
    state += fmt::format(", may request {} more {} today", count(left.count()),
                         left.kind() == "predict" ? "predictions" : left.kind() + "s");
  return state;
}

}  // namespace

std::string whose_data(const Roster& roster, const Roster& without) {
  return fmt::format("on the data of {}{}", listed(roster),
                     without.empty() ? "" : ", without " + listed(without));
}

std::string whose_data(const control::Progress& answer) {
  return whose_data(roster_of(answer.roster()), roster_of(answer.without()));
}

std::string model_text(const requests::ShownModel& model) {
  std::string text = fmt::format("version {}, {}, fitted {} by {}\n         signed by {}", model.version(),
                                 model.digest().substr(0, 12), model.fitted_at(), model.originator(),
                                 listed(roster_of(model.roster())));
  for (const requests::ShownPrior& prior : model.priors()) {
    text += "\n        ";
    for (int k = 0; k < std::min(prior.names_size(), prior.numbers_size()); ++k)
      text += fmt::format(" {} = {:.4g},", prior.names(k), prior.numbers(k));
    text += fmt::format(" noise = {:.4g}", prior.noise());
  }
  if (model.has_pooled()) {
    const requests::ShownPooled& pooled = model.pooled();
    text += fmt::format("\n         {} over {}: {} numbers opened, {:.1f} % of the {} that the rows hold",
                        plural(pooled.landmarks(), "landmark"), plural(pooled.rows(), "row"),
                        count(pooled.opened()),
                        100 * static_cast<double>(pooled.opened()) / static_cast<double>(pooled.held()),
                        count(pooled.held()));
  }
  return text;
}

std::string status_text(const control::StatusReply& status) {
  std::string text = fmt::format("Agent    {}, up for {}, listening on {}, Tacit {}\n", status.name(),
                                 duration(status.up_seconds()), status.listen(), status.release());
  text +=
      fmt::format("Charter  number {}, {} ({})\n", status.charter_number(), status.charter(), status.title());
  text += fmt::format("Data     {}, {} held out; snapshot of {}, {}\n", plural(status.rows(), "row"),
                      count(status.holdout_rows()), status.rows_taken_at(), status.rows_name().substr(0, 12));
  if (!status.rows_waiting().empty())
    text += fmt::format("         In the source, {}.\n", status.rows_waiting());
  if (status.dropped() + status.holdout_dropped() > 0)
    text += fmt::format("         {} and {} held-out ones dropped because of a missing cell\n",
                        plural(status.dropped(), "row"), count(status.holdout_dropped()));
  text += fmt::format("Model    {}\n",
                      status.has_model() ? model_text(status.model())
                      : status.last_version() > 0
                          ? fmt::format("none under this charter; version {} was set aside. Run tacit fit",
                                        status.last_version())
                          : "none yet; run tacit fit");
  if (status.rows_changed())
    text += fmt::format(
        "         Rows have changed since version {} was fitted. This agent takes part only in a new fit.\n",
        status.model().version());
  if (!status.refit().empty())
    text += fmt::format("         This agent will request a new fit automatically at {}.\n", status.refit());
  text += fmt::format("Runs     {} done, {} failed, {} withdrawn, {} refused here, {} waiting{}\n",
                      count(status.runs_done()), count(status.runs_failed()), count(status.runs_withdrawn()),
                      count(status.requests_refused()), count(status.waiting()),
                      status.running().empty() ? "" : "; running: " + status.running());
  text += fmt::format("Policy   an answer needs the data of at least {}\n",
                      plural(status.fewest_agents(), "agent"));
  text += fmt::format("Ledger   {}{}\n", plural(status.ledger_lines(), "line"),
                      status.ledger_lines() == 0 ? "" : ", last hash " + status.ledger_hash().substr(0, 12));
  for (const std::string& note : status.notes()) text += fmt::format("Note     {}\n", in_options(note));
  for (const control::Peer& peer : status.peers())
    text += fmt::format("Peer     {:<12} {:<22} {}\n", peer.name(), peer.address(), peer_text(peer));
  return text;
}

}  // namespace tacit::cli
