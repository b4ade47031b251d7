// Handles the runs that an agent is asked to take part in: checks each against charter and policy, computes
// with the agent's data, and records it in the ledger.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tacit/agent/model/model_store.hpp"
#include "tacit/agent/rows/row_set.hpp"
#include "tacit/agent/work/ledger.hpp"
#include "tacit/agent/work/policy.hpp"
#include "tacit/agent/work/request_check.hpp"
#include "tacit/agent/work/requests.pb.h"
#include "tacit/charter/charter.hpp"
#include "tacit/consortium/portable_model.hpp"
#include "tacit/consortium/predict/fitted_experts.hpp"
#include "tacit/consortium/programme.hpp"
#include "tacit/link/runs/run.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/run/run.hpp"

namespace tacit {

/// The input of a run handler. It must not change while the handler exists.
struct WorkMaterial {
  Charter charter;
  AgentId self = 0;
  Rows data;
  Samples holdout;
  std::filesystem::path state;  ///< the folder of model and ledger
  /// Rows of `data` and `holdout` that were skipped because of a missing cell.
  std::size_t dropped = 0, holdout_dropped = 0;
  std::string taken_at = {};  ///< UTC, time of the snapshot of the rows
  /// Why the agent does not take part in runs and answers only at home; empty if it takes part.
  std::string only_home = {};
};

/// A request of this agent, and the agents that must take part in it.
struct OwnRequest {
  Request request;
  std::vector<AgentId> roster;
};

/// Safe to call from several threads.
class RunHandler {
 public:
  /// Loads the stored model, or sets it aside if it cannot be used. Identity and policy must outlive this
  /// object.
  RunHandler(WorkMaterial material, const Identity& identity, Policy& policy, LogSink log);

  /// Decides whether this agent takes part in an announced run, and decodes its request. Peers receive a
  /// code, never the words.
  Consent consent(const RunDescription& run) const;

  /// This agent's side of a run, whose request is decoded if consent() has not done that. Returns the result
  /// in the form of requests.proto. It charges the policy and writes the ledger before it uses any data.
  Task<std::string> program(Run& net, const RunDescription& run);

  /// This agent's own requests, named by `ask`. They throw InputError without a model, for points outside the
  /// charter, and for requests that this agent would refuse. `version` is the version of the new model; 0
  /// means the next one that is free here. `automatic` marks a fit that the agent requests automatically.
  OwnRequest fit(const std::string& ask, const std::vector<std::string>& without = {},
                 std::uint64_t version = 0, bool automatic = false) const;
  OwnRequest predict(const std::string& ask, Matrix points) const;
  OwnRequest evaluate(const std::string& ask) const;

  /// An answer from the pooled part of the model and this agent's own current rows. It sends no message and
  /// charges no policy. Throws InputError as predict does.
  struct AtHome {
    requests::Predicted predicted;
    std::vector<AgentId> roster;     ///< the agents whose rows it uses
    std::vector<std::string> notes;  ///< for the user
  };
  AtHome predict_at_home(const Matrix& points);

  /// The model for export, with this agent's own rows if `with_experts`. Throws InputError without a model,
  /// for a model without landmarks and without experts, and if not all rows are in this process.
  PortableModel portable(bool with_experts) const;

  /// Null before the first fit.
  std::shared_ptr<const HeldModel> held() const { return models_.held(); }
  /// The fewest agents of a roster that charter and policy allow.
  std::size_t fewest() const { return check_.fewest(); }
  ModelStore& models() { return models_; }
  const Ledger& ledger() const { return ledger_; }

  /// The current run: the name of its request, and a message for the user. Nullopt if there is no run.
  struct Doing {
    std::string ask, words;
    bool sealing = false;  ///< the end of a fit, which may be complete for other agents
  };
  std::optional<Doing> doing() const;
  /// Waits until `enough(doing())` is true. It is checked at once, after every change and after nudge(), and
  /// must not call this object.
  void wait(const std::function<bool(const std::optional<Doing>&)>& enough) const;
  void nudge() const;

  const WorkMaterial& material() const { return material_; }
  /// The salted digest of the rows.
  const std::string& rows() const { return rows_; }

 private:
  class Busy;
  struct Part;
  Task<std::string> program_of(const FitRequest& body, Part& part, Run& net, const RunDescription& run);
  Task<std::string> program_of(const PredictRequest& body, Part& part, Run& net, const RunDescription& run);
  Task<std::string> program_of(const EvaluateRequest& body, Part& part, Run& net, const RunDescription& run);
  void report(const std::string& words, bool sealing = false);
  std::shared_ptr<const FittedExperts> experts_of(const SealedModel& sealed);
  Asked asked(const RunDescription& run) const { return {run.originator, fewest()}; }
  std::shared_ptr<const HeldModel> fitted()
      const;  // throws InputError without a model; not for the thread of a run
  std::shared_ptr<const SealedModel> usable() const;
  bool by_tree() const;

  const WorkMaterial material_;
  const Terms terms_;
  const Identity& identity_;
  Policy& policy_;
  const LogSink log_;
  Ledger ledger_;
  const std::string rows_;  // the salted digest of the rows, as in the ledger
  const std::shared_ptr<const Crew> crew_;
  ModelStore models_;
  const RequestCheck check_;
  mutable std::mutex guard_;
  mutable std::condition_variable changed_;       // doing_ changed, or nudge() was called
  std::shared_ptr<const FittedExperts> experts_;  // of the model of the last request
  Digest experts_of_{};                           // the digest of that model
  std::optional<Doing> doing_;
};

/// A random name for a request or a fit.
std::string random_hex_name();

}  // namespace tacit
