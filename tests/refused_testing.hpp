// What a refusal of bad input must look like.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "program_testing.hpp"

namespace tacit::testing {

/// Exit code 2, nothing on standard output, and one line, or as many as said, with all of `words`.
inline void check_refused(const Said& said, const std::vector<std::string>& words, long lines = 1) {
  EXPECT_EQ(said.exit_code, 2) << said.err;
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(said.err.rfind("error: ", 0), 0u) << said.err;
  EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), lines) << said.err;
  for (const std::string& word : words)
    EXPECT_NE(said.err.find(word), std::string::npos) << "no '" << word << "' in: " << said.err;
}

}  // namespace tacit::testing
