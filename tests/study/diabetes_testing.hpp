// For tests: runs the program on the Diabetes data.
#pragma once

#include "program_json_testing.hpp"

namespace tacit::testing {

inline const std::string diabetes = TACIT_SOURCE_DIR "/data/diabetes.csv";

/// Returns the results without the fields that differ between runs and commands.
inline Json found_by(Json json) {
  json.erase("seconds");
  json.erase("about");
  return json;
}

/// Returns the command line with more options.
inline std::vector<std::string> on_diabetes(const std::vector<std::string>& more) {
  std::vector<std::string> words = {"simulate", "--data", diabetes, "--target", "y"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

inline Json diabetes_run(const std::vector<std::string>& more) {
  return found_by(run_json(on_diabetes(more)));
}

}  // namespace tacit::testing
