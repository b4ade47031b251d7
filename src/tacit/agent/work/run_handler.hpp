// What an agent does when it is asked to take part in something: charter and owner's policy decide, its data
// answer, its ledger remembers.
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
#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/task.hpp"

namespace tacit {

/// What the agent works with; must not change while it does.
struct WorkMaterial {
  Charter charter;
  AgentId self = 0;
  Rows data;
  Samples holdout;
  std::filesystem::path state;  ///< model and ledger are kept here
  /// Rows of the two that were left out for a missing cell; everything else is about those that stay.
  std::size_t dropped = 0, holdout_dropped = 0;
  std::string taken_at = {};  ///< UTC: the snapshot that the rows are
};

/// A request of this agent's own, and who must take part in it.
struct OwnRequest {
  Request request;
  std::vector<AgentId> roster;
};

/// Safe to call from several threads.
class RunHandler {
 public:
  /// Loads the kept model; one that cannot be used is set aside. Identity and policy must outlive this
  /// object.
  RunHandler(WorkMaterial material, const Identity& identity, Policy& policy, LogSink log);

  /// About a run that this agent hears of. Peers get a code, never this agent's words.
  Consent consent(const Run& run) const;

  /// This agent's side of it; gives the result as requests.proto has it. The policy is charged and the ledger
  /// written before any data are used.
  Task<std::string> program(Channel& net, const Run& run);

  /// This agent's own requests, named by `ask`. Throw InputError without a model, for points outside of the
  /// agreement, and for what this agent itself would refuse. A fit gives version `version`, or the next that
  /// is free here when it is 0. `by_itself` is one that nobody has asked the agent for.
  OwnRequest fit(const std::string& ask, const std::vector<std::string>& without = {},
                 std::uint64_t version = 0, bool by_itself = false) const;
  OwnRequest predict(const std::string& ask, const Matrix& points) const;
  OwnRequest evaluate(const std::string& ask) const;

  /// An answer from what this agent holds, without asking anybody: the pooled part of the model and its own
  /// rows, as they are today. No message, no charge. Throws InputError as predict does.
  struct AtHome {
    requests::Predicted predicted;
    std::vector<AgentId> roster;     ///< whose rows it rests on
    std::vector<std::string> notes;  ///< what people should know besides
  };
  AtHome predict_at_home(const Matrix& points);

  /// The model to take away, with this agent's own rows if asked for. Throws InputError without a model, for
  /// one without landmarks that is to go without rows, and for rows that are not all here.
  PortableModel portable(bool with_experts) const;

  /// None before the first fit.
  std::shared_ptr<const HeldModel> held() const { return models_.held(); }
  /// The fewest agents of a roster, by charter and owner.
  std::size_t fewest() const { return check_.fewest(); }
  ModelStore& models() { return models_; }
  const Ledger& ledger() const { return ledger_; }

  /// What the run under way is doing: its ask and a message for people; none when there is no run.
  struct Doing {
    std::string ask, words;
    bool sealing = false;  ///< a fit that others may have seen end
  };
  std::optional<Doing> doing() const;
  /// Waits until `enough(doing())`, which is checked at once, after every change and after nudge(). It must
  /// not call this object.
  void wait(const std::function<bool(const std::optional<Doing>&)>& enough) const;
  void nudge() const;

  const WorkMaterial& material() const { return material_; }
  /// The salted digest that names them.
  const std::string& rows() const { return rows_; }

 private:
  Task<std::string> fit_program(Channel& net, const Run& run);
  Task<std::string> predict_program(Channel& net, const Run& run);
  Task<std::string> evaluate_program(Channel& net, const Run& run);
  class Busy;
  struct Part;
  void say(const std::string& words, bool sealing = false);
  std::shared_ptr<const FittedExperts> experts_of(const SealedModel& sealed);
  Asked asked(const Run& run) const { return {run.originator, fewest()}; }
  std::shared_ptr<const HeldModel> fitted() const;  // throws InputError for none; not for a run's own thread
  SealedModel usable() const;
  bool by_tree() const;

  const WorkMaterial material_;
  const Terms terms_;
  const Identity& identity_;
  Policy& policy_;
  const LogSink log_;
  Ledger ledger_;
  const std::string rows_;  // their digest, as in the ledger
  const std::shared_ptr<const Crew> crew_;
  ModelStore models_;
  const RequestCheck check_;
  mutable std::mutex guard_;
  mutable std::condition_variable changed_;       // what is being done, or what somebody waits for
  std::shared_ptr<const FittedExperts> experts_;  // of the model that was asked about last
  Digest experts_of_{};                           // that model's
  std::optional<Doing> doing_;
};

/// A random name for an ask or a fit.
std::string random_hex_name();

}  // namespace tacit
