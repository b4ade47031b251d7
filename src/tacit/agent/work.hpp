// What an agent does when it is asked to take part in something: its owner's policy decides, its data answer.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "tacit/agent/model.hpp"
#include "tacit/agent/policy.hpp"
#include "tacit/consortium/fitted_experts.hpp"
#include "tacit/consortium/programme.hpp"
#include "tacit/identity/charter.hpp"
#include "tacit/link/run.hpp"
#include "tacit/protocol/channel.hpp"
#include "tacit/protocol/task.hpp"

namespace tacit {

/// What the agent works with; must not change while it does.
struct WorkMaterial {
  Charter charter;
  AgentId self = 0;
  Samples data, holdout;
  std::filesystem::path state;  ///< the model is kept here
};

/// Safe to call from several threads.
class Work {
 public:
  /// Loads the saved model. Throws InputError when it cannot be used. The policy must outlive this object.
  Work(WorkMaterial material, Policy& policy);

  /// About a run that this agent hears of: is the request sound, does the owner allow it, is it about a model
  /// that this agent holds or may take over?
  Consent consent(const Run& run) const;

  /// This agent's side of it; gives the result as requests.proto has it. The policy is charged before any
  /// data are used.
  Task<std::string> program(Channel& net, const Run& run);

  /// This agent's own requests, named by `ask`. Throw InputError without a model, and for invalid points.
  Request fit(const std::string& ask) const;
  Request predict(const std::string& ask, const Matrix& points) const;
  Request evaluate(const std::string& ask) const;
  /// Who must take part in them.
  Quorum quorum() const;

  std::optional<FittedModel> model() const;

  /// What the run under way is doing: its ask and a message for people; none when there is no run.
  struct Doing {
    std::string ask, words;
  };
  std::optional<Doing> doing() const;
  /// Waits until `enough(doing())`, which is checked at once, after every change and after nudge(). It must
  /// not call this object.
  void wait(const std::function<bool(const std::optional<Doing>&)>& enough) const;
  void nudge() const;

  const WorkMaterial& material() const { return material_; }

 private:
  Task<std::string> fit_program(Channel& net, const Run& run);
  Task<std::string> predict_program(Channel& net, const Run& run);
  Task<std::string> evaluate_program(Channel& net, const Run& run);
  class Busy;
  void check_and_charge(const Run& run, RequestKind kind, std::uint64_t amount);
  void say(const std::string& words);
  void keep(const FittedModel& model);
  std::shared_ptr<const FittedExperts> experts_of(const FittedModel& model);
  Asked asked(const Run& run) const { return {run.originator, quorum().fewest}; }
  FittedModel held() const;
  FittedModel agreed(const std::string& text) const;
  void take_over(const FittedModel& model);
  std::filesystem::path model_file() const { return material_.state / "model.json"; }

  const WorkMaterial material_;
  const Terms terms_;
  const std::string charter_hash_;
  Policy& policy_;
  mutable std::mutex guard_;
  mutable std::condition_variable changed_;  // what is being done, or what somebody waits for
  std::optional<FittedModel> model_;
  std::shared_ptr<const FittedExperts> experts_;  // of the model that was asked about last
  std::string experts_of_;                        // that model's text
  std::optional<Doing> doing_;
};

/// A random name for an ask or a fit.
std::string random_hex_name();

}  // namespace tacit
