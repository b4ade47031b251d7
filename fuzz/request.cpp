// A request as an agent checks it: the kind, then the body. A model in the request receives valid seals.
#include "tacit/agent/work/requests.pb.h"

#include "consortium.hpp"
#include "fuzz.hpp"
#include "tacit/agent/work/ledger.hpp"
#include "tacit/agent/work/request_check.hpp"

using namespace tacit;

namespace {

struct Agent {
  Charter charter = fuzz::charter();
  Terms terms = fuzz::terms();
  Rows rows = rows_here({Matrix{{30, 1, 0}}, Matrix{{100}}});
  Samples none{Matrix(0, 3), Matrix(0, 1)};
  LogSink log = [](LogLevel, const std::string&) {};
  Policy policy{{}, "b", "/nowhere/policy.json"};
  ModelStore models{"/nowhere", charter, terms, 1, *rows, none, log};
  Ledger ledger{"/dev/null", "", log};
  RequestCheck check{charter, terms, 1, policy, models, ledger, ""};

  // A request that passes the check must be within the charter.
  void handle(const std::string& kind, const std::string& body) const {
    RunDescription run;
    run.request = {kind, body};
    run.roster = {0, 1, 2};
    fuzz::refusable([&] {
      const CheckedRequest request = check.check(run);
      fuzz::must(to_string(request.typed->kind()) == kind);
      fuzz::must(kind == "fit" || request.model);
      const auto* predict = std::get_if<PredictRequest>(&request.typed->what);
      if (!predict) return;
      const Matrix& points = predict->points;
      fuzz::must(points.rows() >= 1 && points.rows() <= 100);
      fuzz::must(points.col(0).minCoeff() >= 0 && points.col(0).maxCoeff() <= 120);
    });
  }
};

template <class Message>
void with_seals(const Agent& agent, const std::string& kind, const std::string& body) {
  Message message;
  requests::SignedModel inside;
  if (!message.ParseFromString(body) || !inside.ParseFromString(message.about().signed_model())) return;
  const std::string sealed = fuzz::sealed_by_all(inside.model());
  if (sealed.empty()) return;
  message.mutable_about()->set_signed_model(sealed);
  message.mutable_about()->set_digest(
      fuzz::text_of(sealed_from_bytes(sealed, agent.charter, agent.terms).digest));
  agent.handle(kind, message.SerializeAsString());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Agent agent;
  if (size == 0) return 0;
  static const char* const kinds[] = {"fit", "predict", "evaluate"};
  const std::string kind = kinds[data[0] % 3], body(fuzz::text_of(data + 1, size - 1));
  agent.handle(kind, body);
  if (kind == "predict") with_seals<requests::Predict>(agent, kind, body);
  if (kind == "evaluate") with_seals<requests::Evaluate>(agent, kind, body);
  return 0;
}
