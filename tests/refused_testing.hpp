// For tests: checks how the program refuses bad input.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "program_testing.hpp"

namespace tacit::testing {

/// Expects exit code 2, no standard output, and an error of this many lines that contains all of `words`.
inline void check_refused(const Output& output, const std::vector<std::string>& words, long lines = 1) {
  EXPECT_EQ(output.exit_code, 2) << output.err;
  EXPECT_EQ(output.out, "");
  EXPECT_EQ(output.err.rfind("error: ", 0), 0u) << output.err;
  EXPECT_EQ(std::count(output.err.begin(), output.err.end(), '\n'), lines) << output.err;
  for (const std::string& word : words)
    EXPECT_NE(output.err.find(word), std::string::npos) << "'" << word << "' is not in: " << output.err;
}

}  // namespace tacit::testing
