#include "tacit/base/error.hpp"

#include <gtest/gtest.h>

namespace tacit {
namespace {

using Ids = std::vector<std::string>;

TEST(InputError, ListsTheSettingsOfItsMessage) {
  EXPECT_EQ(InputError("`tune_box=0.1,2` needs `tune`; change `tune_box` or use `tune=none`").settings(),
            (Ids{"tune_box", "tune"}));
  EXPECT_EQ(InputError("the column `age` and `data` of bonn.csv").settings(), Ids{"data"});
  EXPECT_EQ(InputError("bonn.csv has no rows").settings(), Ids());
}

}  // namespace
}  // namespace tacit
