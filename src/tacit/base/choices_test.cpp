#include "tacit/base/choices.hpp"

#include <gtest/gtest.h>

#include "tacit/base/base_testing.hpp"

namespace tacit {
namespace {

enum class Source { shares, seeded };
const Choices<Source> sources{{"shares", Source::shares}, {"seeded", Source::seeded}};

TEST(Choices, AWordGivesItsValueAndBack) {
  EXPECT_EQ(value_of("--masks", "seeded", sources), Source::seeded);
  EXPECT_EQ(word_for(sources, Source::seeded), "seeded");
}

TEST(Choices, AnErrorForAnUnknownWordListsTheWords) {
  EXPECT_EQ(testing::error_of([] { value_of("--masks", "sown", sources); }),
            "--masks sown is unknown; use shares or seeded");
}

}  // namespace
}  // namespace tacit
