#include "tacit/cli/text/answer_text.hpp"

#include <fmt/format.h>

#include "tacit/agent/daemon/agent_config.hpp"
#include "tacit/agent/model/rosters.hpp"
#include "tacit/answers/numbers.hpp"

namespace tacit::cli {
namespace {

template <class Names>
std::string in_words(const Names& names) {
  return listed(Roster(names.begin(), names.end()));
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

// None for a socket, which has no configuration.
std::optional<AgentConfig> config_of(const std::string& agent) {
  std::error_code ignored;
  if (std::filesystem::is_socket(agent, ignored)) return std::nullopt;
  return read_agent_config(agent);
}

}  // namespace

std::filesystem::path socket_of(const std::string& agent) {
  const auto config = config_of(agent);
  return config ? config->control : std::filesystem::path(agent);
}

ReadOptions reading_of(const std::string& agent) {
  const auto config = config_of(agent);
  return config ? config->data.how : ReadOptions();
}

std::string whose_data(const control::Progress& answer) {
  return fmt::format("on the data of {}{}", in_words(answer.roster()),
                     answer.without().empty() ? "" : ", without " + in_words(answer.without()));
}

std::string model_text(const std::string& model) {
  if (model.empty()) return "none yet; run tacit fit";
  const Json json = model_json(model);
  const auto field = [&](const char* name) { return json.at(name).get<std::string>(); };
  std::string text =
      fmt::format("version {}, {}, fitted {} by {}\n         signed by {}",
                  json.at("version").get<std::uint64_t>(), field("digest").substr(0, 12), field("fitted_at"),
                  field("originator"), listed(json.at("roster").get<Roster>()));
  for (const Json& one : json.at("priors")) {
    const Prior prior(parse_kernel(one.at("kernel").get<std::string>()), one.at("noise"));
    text += "\n        ";
    const std::vector<std::string> names = prior.names();
    for (std::size_t k = 0; k + 1 < names.size(); ++k)
      text += fmt::format(" {} = {:.4g},", names[k], prior.kernel.numbers()[k]);
    text += fmt::format(" noise = {:.4g}", prior.noise);
  }
  if (json.contains("pooled")) {
    const Json& pooled = json.at("pooled");
    const auto opened = pooled.at("opened").get<std::uint64_t>(),
               held = pooled.at("held").get<std::uint64_t>();
    text += fmt::format("\n         {} over {}: {} numbers opened, {:.1f} % of the {} that the rows hold",
                        plural(pooled.at("landmarks").get<std::uint64_t>(), "landmark"),
                        plural(pooled.at("rows").get<std::uint64_t>(), "row"), count(opened),
                        100 * static_cast<double>(opened) / static_cast<double>(held), count(held));
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
  const bool none_any_more = status.model().empty() && status.last_version() > 0;
  text += fmt::format("Model    {}\n",
                      none_any_more
                          ? fmt::format("none under this charter; version {} was set aside. Run tacit fit",
                                        status.last_version())
                          : model_text(status.model()));
  if (status.rows_changed())
    text += fmt::format(
        "         Rows have changed since version {} was fitted. This agent takes part only in a new fit.\n",
        model_json(status.model()).at("version").get<std::uint64_t>());
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
  for (const std::string& note : status.notes()) text += fmt::format("Note     {}\n", note);
  for (const control::Peer& peer : status.peers())
    text += fmt::format("Peer     {:<12} {:<22} {}\n", peer.name(), peer.address(), peer_text(peer));
  return text;
}

}  // namespace tacit::cli
