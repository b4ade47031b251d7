#include "tacit/answers/answers.hpp"

#include "tacit/agent/model/model_for_display.hpp"

namespace tacit {

Json sealed_model_json(const requests::ShownModel& model) {
  Json json = model_json(model);
  json["digest"] = model.digest();
  return json;
}

Json fit_json(const control::Progress& answer) {
  return {{"model", sealed_model_json(answer.fitted().model())},
          {"roster", list_json(answer.roster())},
          {"without", list_json(answer.without())},
          {"notes", list_json(answer.notes())}};
}

Json evaluate_json(const control::Progress& answer) {
  const requests::Evaluated& score = answer.evaluated();
  return {{"rows", score.rows()},
          {"rmse", number(score.rmse())},
          {"log_density", number(score.log_density())},
          {"inputs_shown", false},
          {"roster", list_json(answer.roster())},
          {"without", list_json(answer.without())}};
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
                     {"why_down", peer.why()},
                     {"release", peer.release()},
                     {"round_trip", number(peer.round_trip())},
                     {"bytes_sent", peer.bytes_sent()},
                     {"bytes_received", peer.bytes_received()},
                     {"links", peer.links()},
                     {"left", left}});
  }
  return {{"name", status.name()},
          {"release", status.release()},
          {"title", status.title()},
          {"charter", status.charter()},
          {"charter_number", status.charter_number()},
          {"listen", status.listen()},
          {"up_seconds", number(status.up_seconds())},
          {"rows", status.rows()},
          {"holdout_rows", status.holdout_rows()},
          {"dropped", status.dropped()},
          {"holdout_dropped", status.holdout_dropped()},
          {"model", status.has_model() ? sealed_model_json(status.model()) : Json(nullptr)},
          {"rows_changed", status.rows_changed()},
          {"snapshot",
           {{"taken_at", status.rows_taken_at()},
            {"name", status.rows_name()},
            {"waiting", status.rows_waiting()}}},
          {"refit", status.refit().empty() ? Json(nullptr) : Json(status.refit())},
          {"load", status.load()},
          {"ledger", {{"lines", status.ledger_lines()}, {"hash", status.ledger_hash()}}},
          {"notes", list_json(status.notes())},
          {"runs",
           {{"done", status.runs_done()},
            {"failed", status.runs_failed()},
            {"withdrawn", status.runs_withdrawn()},
            {"refused", status.requests_refused()},
            {"waiting", status.waiting()}}},
          {"running", status.running()},
          {"fewest_agents", status.fewest_agents()},
          {"peers", peers}};
}

}  // namespace tacit
