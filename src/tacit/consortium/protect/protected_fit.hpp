// The protected fit: one agent's side of a fit in which everything that is opened carries noise. All numbers
// of its result but `own` follow from public numbers, so all agents hold the same bits.
//
//   BoundedRun run(net, facts);
//   ProtectedFit fit = co_await protected_fit(run, settings, mine);
//   HomeModel home = at_home(fit, mine, agents);
//
// Threads: plain values and functions.
// Errors: InputError for settings that cannot be used; those of the openings.
// Stopping: as for the openings, and with StoppableWork (base/stop.hpp) between stages.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tacit/consortium/protect/basis.hpp"
#include "tacit/consortium/protect/copula.hpp"
#include "tacit/consortium/protect/histograms.hpp"
#include "tacit/consortium/protect/home.hpp"
#include "tacit/consortium/protect/own_rows.hpp"
#include "tacit/consortium/protect/protected_run.hpp"
#include "tacit/consortium/protect/rounds.hpp"
#include "tacit/consortium/protect/tuning.hpp"

namespace tacit {

/// The most sums that a fit opens.
inline constexpr std::size_t most_protected_sums = 35;

struct ProtectedSettings {
  std::vector<PublicColumn> columns;  ///< all inputs, then the target
  double rho = 4;                     ///< what the fit takes
  std::optional<std::size_t> landmarks = {};
  std::uint64_t seed = 1;  ///< of public draws
};

struct ProtectedModel {
  double rows = 0;        ///< the noisy number of keys of all agents
  double basis_rows = 0;  ///< that of the first fit, for which the basis was made
  Copula copula;          ///< with the scales
  Prior prior;            ///< in standard units
  bool tuned = false;     ///< false: the prior is the public one
  BasisOptions basis_options;
  RoundsState rounds;
  std::vector<Charge> charges;  ///< of all openings of this fit

  double spent() const;
};

struct ProtectedFit {
  ProtectedModel model;                ///< public
  std::shared_ptr<const Basis> basis;  ///< follows from the model
  OwnRounds own;                       ///< private
};

/// Makes the basis of a model. Agents in one process may share the result.
using BasisMaker = std::function<std::shared_ptr<const Basis>(const Prior&, const Copula&, double rows,
                                                              const BasisOptions&)>;
std::shared_ptr<const Basis> make_basis(const Prior& prior, const Copula& copula, double rows,
                                        const BasisOptions& options);

/// For tests and measurements; not for settings of users.
struct ProtectedHooks {
  double clip = 1.2;  ///< RoundsPlan::clip; infinite together with openings without noise
  std::optional<std::size_t> rounds = {};
  BasisOptions basis = {};  ///< its landmarks and seed are not used
  BasisMaker make = make_basis;
};

/// One agent's side of a first fit. References must outlive the task.
Task<ProtectedFit> protected_fit(ProtectedRun& run, const ProtectedSettings& settings, const OwnRows& mine,
                                 ProtectedHooks hooks = {});

/// One agent's side of a later fit, with rows that came or went. It keeps scales, prior and basis, and adds
/// rounds. `before` is the result of the last fit with the same agents.
Task<ProtectedFit> protected_refit(ProtectedRun& run, const ProtectedFit& before, double rho,
                                   const OwnRows& mine);

/// Returns this agent's model for answers at home. `fit` must outlive it.
HomeModel at_home(const ProtectedFit& fit, const OwnRows& mine, std::size_t agents);

/// Answers in the data's units at points in the data's units, one row each. The variance includes noise.
Prediction answer_at_home(const ProtectedFit& fit, const HomeModel& home, const Matrix& points);

}  // namespace tacit
