// For tests: runs the program and parses its JSON output.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program_testing.hpp"

namespace tacit::testing {

using Json = nlohmann::json;

inline Json run_json(std::vector<std::string> arguments) {
  arguments.push_back("--json");
  const Output output = run_tacit(arguments);
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_EQ(output.err, "");
  return Json::parse(output.out);
}

}  // namespace tacit::testing
