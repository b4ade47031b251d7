// Runs the program for its JSON.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program_testing.hpp"

namespace tacit::testing {

using Json = nlohmann::json;

inline Json run_json(std::vector<std::string> arguments) {
  arguments.push_back("--json");
  const Said said = run_tacit(arguments);
  EXPECT_EQ(said.exit_code, 0) << said.err;
  EXPECT_EQ(said.err, "");
  return Json::parse(said.out);
}

}  // namespace tacit::testing
