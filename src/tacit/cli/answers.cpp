#include "tacit/cli/answers.hpp"

#include <fmt/format.h>

#include "tacit/cli/numbers.hpp"
#include "tacit/cli/stage_report.hpp"

namespace tacit::cli {
namespace {

template <class Names>
std::string listed(const Names& names) {
  std::string text;
  for (int k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
  return text;
}

template <class Names>
Json list(const Names& names) {
  Json all = Json::array();
  for (const std::string& name : names) all.push_back(name);
  return all;
}

FittedModel parsed(const std::string& model) {
  return model_from("the agent's model", model, Json::parse(model).at("model").at("charter"));
}

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string peer_text(const control::Peer& peer) {
  std::string state = !peer.neighbour()         ? "reached through others"
                      : !peer.refusal().empty() ? "refused: " + peer.refusal()
                      : !peer.up()              ? "down"
                                   : fmt::format("up, round trip {}", duration(peer.round_trip()));
  if (peer.neighbour())
    state += fmt::format(", sent {}, received {}", size(peer.bytes_sent()), size(peer.bytes_received()));
  for (const control::Left& left : peer.left())
    state += fmt::format(", may ask for {} more {} today", count(left.count()),
                         left.kind() == "predict" ? "predictions" : left.kind() + "s");
  return state;
}

}  // namespace

std::string whose_data(const control::Progress& answer) {
  const std::string present = fmt::format("on the data of {}", listed(answer.present()));
  return answer.absent().empty()
             ? present
             : fmt::format("{}; {} absent", present,
                           listed(answer.absent()) + (answer.absent_size() == 1 ? " was" : " were"));
}

Json model_json(const std::string& model) {
  return model.empty() ? Json(nullptr) : Json::parse(model).at("model");
}

std::string model_text(const std::string& model) {
  if (model.empty()) return "none yet; run tacit fit";
  const FittedModel fitted = parsed(model);
  std::string text =
      fmt::format("version {}, fitted {} by {}", fitted.version, fitted.fitted_at, fitted.originator);
  for (const Prior& prior : fitted.priors) {
    text += "\n        ";
    const std::vector<std::string> names = prior.names();
    for (std::size_t k = 0; k + 1 < names.size(); ++k)
      text += fmt::format(" {} = {:.4g},", names[k], prior.kernel.numbers()[k]);
    text += fmt::format(" noise = {:.4g}", prior.noise);
  }
  return text;
}

Json fit_json(const control::Progress& answer) {
  return {{"model", model_json(answer.fitted().model())},
          {"present", list(answer.present())},
          {"absent", list(answer.absent())}};
}

Json predictions_json(const control::Progress& answer) {
  const PointPredictions found = predictions_of(answer.predicted());
  Json points = Json::array();
  for (Index r = 0; r < found.mean.rows(); ++r) {
    Json mean = Json::array(), latent = Json::array(), observed = Json::array();
    for (Index c = 0; c < found.mean.cols(); ++c) {
      mean.push_back(number(found.mean(r, c)));
      latent.push_back(number(found.latent_deviation(r, c)));
      observed.push_back(number(found.observed_deviation(r, c)));
    }
    points.push_back({{"mean", mean}, {"latent_sd", latent}, {"observed_sd", observed}});
  }
  return {{"targets", list(answer.predicted().targets())},
          {"present", list(answer.present())},
          {"absent", list(answer.absent())},
          {"predictions", points}};
}

std::string predictions_csv(const control::Progress& answer) {
  const PointPredictions found = predictions_of(answer.predicted());
  std::string text;
  for (const std::string& target : answer.predicted().targets())
    for (const char* what : {"_mean", "_latent_sd", "_observed_sd"})
      text += (text.empty() ? "" : ",") + cell(target + what);
  text += '\n';
  for (Index r = 0; r < found.mean.rows(); ++r) {
    for (Index c = 0; c < found.mean.cols(); ++c)
      text += fmt::format("{}{},{},{}", c == 0 ? "" : ",", found.mean(r, c), found.latent_deviation(r, c),
                          found.observed_deviation(r, c));
    text += '\n';
  }
  return text;
}

Json status_json(const control::StatusReply& status) {
  Json peers = Json::array();
  for (const control::Peer& peer : status.peers()) {
    Json left = Json::object();
    for (const control::Left& one : peer.left()) left[one.kind()] = one.count();
    peers.push_back({{"name", peer.name()},
                     {"address", peer.address()},
                     {"neighbour", peer.neighbour()},
                     {"up", peer.up()},
                     {"refusal", peer.refusal()},
                     {"round_trip", number(peer.round_trip())},
                     {"bytes_sent", peer.bytes_sent()},
                     {"bytes_received", peer.bytes_received()},
                     {"links", peer.links()},
                     {"left", left}});
  }
  return {{"name", status.name()},
          {"title", status.title()},
          {"charter", status.charter()},
          {"listen", status.listen()},
          {"up_seconds", number(status.up_seconds())},
          {"rows", status.rows()},
          {"holdout_rows", status.holdout_rows()},
          {"model", model_json(status.model())},
          {"runs",
           {{"done", status.runs_done()}, {"failed", status.runs_failed()}, {"waiting", status.waiting()}}},
          {"running", status.running()},
          {"fewest_agents", status.fewest_agents()},
          {"peers", peers}};
}

std::string status_text(const control::StatusReply& status) {
  std::string text = fmt::format("Agent    {}, up for {}, listening on {}\n", status.name(),
                                 duration(status.up_seconds()), status.listen());
  text += fmt::format("Charter  {} ({})\n", status.charter(), status.title());
  text += fmt::format("Data     {}, {} held out\n", plural(status.rows(), "row"),
                      plural(status.holdout_rows(), "row"));
  text += fmt::format("Model    {}\n", model_text(status.model()));
  text += fmt::format("Runs     {} done, {} failed, {} waiting{}\n", count(status.runs_done()),
                      count(status.runs_failed()), count(status.waiting()),
                      status.running().empty() ? "" : "; now " + status.running());
  text += fmt::format("Policy   an answer needs the data of at least {}\n",
                      plural(status.fewest_agents(), "agent"));
  for (const control::Peer& peer : status.peers())
    text += fmt::format("Peer     {:<12} {:<22} {}\n", peer.name(), peer.address(), peer_text(peer));
  return text;
}

}  // namespace tacit::cli
