// For plain speed: the same local models by other libraries, where they are installed.
#pragma once

#include "tacit/lab/paper/evaluation/experiment.hpp"

namespace tacit {

struct LibrarySpeed {
  std::string data, library;
  std::size_t agents = 0;
  std::string missing = {};  ///< why there are no numbers; empty where there are
  std::string version = {};
  double seconds = 0;     ///< for all agents' models, one after the other
  double ours = 0;        ///< Tacit's, for the same
  double difference = 0;  ///< the largest between its means and ours, over the largest mean
};

/// scikit-learn and GPyTorch for M = 20 and one draw of the data. Only with rivals, as it is about others
/// too.
std::vector<LibrarySpeed> library_speeds(const DataSet& data, const OutputHyperparameters& shared,
                                         const ReproduceSettings& settings,
                                         const std::vector<std::string>& pythons = {"python3",
                                                                                    "/usr/bin/python3"});

}  // namespace tacit
