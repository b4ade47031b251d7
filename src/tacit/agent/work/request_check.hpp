// Is a request sound, within the agreement and the owner's policy, and about a model that this agent holds or
// may take over? Asked before a run is consented to, and again when it starts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacit/agent/model/model_store.hpp"
#include "tacit/agent/work/ledger.hpp"
#include "tacit/agent/work/policy.hpp"
#include "tacit/agent/work/requests.pb.h"
#include "tacit/base/error.hpp"
#include "tacit/link/runs/run.hpp"

namespace tacit {

/// This agent does not take part. Peers get the reason; the words are for its own people.
class Refused : public InputError {
 public:
  Refused(Reason reason, const std::string& words) : InputError(words), reason_(reason) {}
  const Reason& reason() const { return reason_; }

 private:
  Reason reason_;
};

/// A request that an agent takes part in.
struct CheckedRequest {
  RequestKind kind = RequestKind::fit;
  std::string ask;
  requests::Fit fit;                              ///< of a fit
  Matrix points;                                  ///< of a prediction
  std::shared_ptr<const SealedModel> model = {};  ///< of the others
  bool taken_over = false;                        ///< the model is the request's: it is to be kept
  std::uint64_t amount() const {
    return kind == RequestKind::predict ? static_cast<std::uint64_t>(points.rows()) : 1;
  }
};

class RequestCheck {
 public:
  /// All must outlive it.
  RequestCheck(const Charter& charter, const Terms& terms, AgentId self, const Policy& policy,
               const ModelStore& models, const Ledger& ledger, std::string rows);

  /// Throws Refused.
  CheckedRequest check(const Run& run) const;

  /// The fewest agents of a roster, by charter and owner.
  std::size_t fewest() const;
  /// The roster of a fit that goes without some members. Throws Refused when that may not be.
  std::vector<AgentId> roster_without(const std::vector<std::string>& names) const;
  /// Throws Refused when fits have opened enough of this agent's rows.
  void check_opened() const;

 private:
  void check_fit(const Run& run, CheckedRequest& request) const;
  void check_model(const Run& run, const requests::About& about, CheckedRequest& request) const;

  const Charter& charter_;
  const Terms& terms_;
  const AgentId self_;
  const Policy& policy_;
  const ModelStore& models_;
  const Ledger& ledger_;
  const std::string rows_;  // their digest, as in the ledger
};

/// No request's body is larger: the points that the charter allows, and a model.
std::size_t most_request_bytes(const Charter& charter);

}  // namespace tacit
