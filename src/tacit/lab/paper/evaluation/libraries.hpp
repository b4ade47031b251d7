// Compares plain speed with other libraries for the same local models, if these libraries are installed.
#pragma once

#include "tacit/lab/paper/evaluation/experiment.hpp"

namespace tacit {

struct LibrarySpeed {
  std::string data, library;
  std::size_t agents = 0;
  std::string missing = {};  ///< why there are no numbers; empty if there are
  std::string version = {};
  double seconds = 0;     ///< for the models of all agents, one after the other
  double ours = 0;        ///< seconds of Tacit for the same models
  double difference = 0;  ///< the largest difference between its means and ours, relative to the largest mean
};

/// Measures scikit-learn and GPyTorch for M = 20 and one draw of the data. Returns nothing if the settings
/// have no rival.
std::vector<LibrarySpeed> library_speeds(const DataSet& data, const OutputHyperparameters& shared,
                                         const ReproduceSettings& settings,
                                         const std::vector<std::string>& pythons = {"python3",
                                                                                    "/usr/bin/python3"});

}  // namespace tacit
