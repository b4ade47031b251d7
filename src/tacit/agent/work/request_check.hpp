// Checks that a request is well formed, within the charter and the owner's policy, and about a model that
// this agent holds or may adopt. The check runs before this agent consents to a run. What can change since
// then is checked again when the run starts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacit/agent/model/model_store.hpp"
#include "tacit/agent/work/ledger.hpp"
#include "tacit/agent/work/policy.hpp"
#include "tacit/agent/work/typed_request.hpp"
#include "tacit/link/runs/run.hpp"

namespace tacit {

/// A request that passed the check. A run keeps it from consent to start.
struct CheckedRequest final : DecodedRequest {
  std::shared_ptr<const TypedRequest> typed;
  std::shared_ptr<const SealedModel> model = {};  ///< for a prediction or an evaluation
  bool taken_over = false;                        ///< the model comes from the request and must be stored
};

class RequestCheck {
 public:
  /// All references must outlive this object.
  /// `only_home` is the reason why this agent does not take part in runs; empty if it does.
  RequestCheck(const Charter& charter, const Terms& terms, AgentId self, const Policy& policy,
               const ModelStore& models, const Ledger& ledger, std::string rows, std::string only_home = "");

  /// Throws Refused if this agent does not take part. Decodes the request, unless an earlier check or this
  /// agent itself has made Request::decoded.
  CheckedRequest check(const RunDescription& run) const;

  /// The fewest agents of a roster that charter and policy allow.
  std::size_t fewest() const;
  /// The roster of a fit without these members. Throws Refused if charter or policy do not allow it.
  std::vector<AgentId> roster_without(const std::vector<std::string>& names) const;
  /// Throws Refused if this agent cannot take part in runs, because its ledger or another file cannot be
  /// used.
  void check_able() const;
  /// Throws Refused if fits have opened as much about this agent's rows as the policy allows.
  void check_opened() const;

 private:
  void check_fit(const RunDescription& run, const FitRequest& fit) const;
  void check_model(const RunDescription& run, const AskedModel& about, CheckedRequest& request) const;
  void take_over(const RunDescription& run, const AskedModel& about, const HeldModel* held,
                 CheckedRequest& request) const;
  void check_version(const RunDescription& run, const SealedModel& asked, const HeldModel* held) const;

  const Charter& charter_;
  const Terms& terms_;
  const AgentId self_;
  const Policy& policy_;
  const ModelStore& models_;
  const Ledger& ledger_;
  const std::string rows_;  // their salted digest, as in the ledger
  const std::string only_home_;
};

/// The maximum size of a request body: the points that the charter allows, and a model.
std::size_t most_request_bytes(const Charter& charter);

}  // namespace tacit
