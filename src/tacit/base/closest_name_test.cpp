#include "tacit/base/closest_name.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tacit/base/base_testing.hpp"

namespace tacit {
namespace {

TEST(Nearest, FindsWhatWasMeant) {
  const std::vector<std::string> names{"data", "target", "test", "standardise"};
  const auto found = [&](const char* wanted) {
    const std::string* name = closest_name(wanted, names);
    return name ? *name : "nothing";
  };
  EXPECT_EQ(found("dta"), "data");
  EXPECT_EQ(found("Taget"), "target");
  EXPECT_EQ(found("tst"), "test");
  EXPECT_EQ(found("standartise"), "standardise");
  EXPECT_EQ(found("colour"), "nothing");
  EXPECT_EQ(found("x"), "nothing");
  EXPECT_EQ(found(""), "nothing");
  EXPECT_EQ(closest_name("data", {}), nullptr);
}

}  // namespace
}  // namespace tacit
