// The defaults of models and their search, in one place for C++, Python, the command line and new charters.
// docs/defaults.md gives the reasons. Where one party and a consortium rightly differ, each has its own
// value.
//
// Threads: plain values.
// Errors: nothing of its own.
// Stopping: nothing here takes long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tacit/gp/committee/fusion.hpp"

namespace tacit {

/// Several parties: `tacit simulate`, new charters, fit_consortium, PrivateConsortium.
struct ConsortiumDefaults {
  std::string_view kernel = "se";
  Fusion fusion = Fusion::rbcm;
  std::size_t expert_rows = 500;  ///< the most rows of one expert
  std::size_t restarts = 0;       ///< further searches; each opens further sums
  std::size_t evaluations = 100;  ///< at most, in each search
  bool shared = false;            ///< one kernel and noise for all targets
  double low = 0.01, high = 100;  ///< the limits of every hyperparameter
  double noise_floor = 0.05;      ///< of standardised columns
  double signal = 1;              ///< the start of the search
  double noise = 0.5;             ///< the same, for standardised columns
  std::uint64_t seed = 1;
};

/// One party that has all rows: fit(inputs, outputs, kernel), GaussianProcess. Its search opens nothing.
struct AloneDefaults {
  std::string_view kernel = "se";
  Fusion fusion = Fusion::rbcm;
  std::size_t expert_rows = 4000;  ///< up to this number of rows, the model is exact
  std::size_t restarts = 2;
  std::size_t evaluations = 200;
  double reach = 1000;     ///< hyperparameters stay within this factor of their start
  double prior_width = 3;  ///< of the weak prior, in logarithms
  std::uint64_t seed = 1;
};

inline constexpr ConsortiumDefaults consortium_defaults;
inline constexpr AloneDefaults alone_defaults;

/// The paper's rule: the default of studies of its protocol.
inline constexpr Fusion paper_fusion = Fusion::poe;

}  // namespace tacit
