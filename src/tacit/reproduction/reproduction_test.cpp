#include <gtest/gtest.h>

#include "tacit/reproduction/table.hpp"

namespace tacit {
TEST(Reproduction, Stub) {}
}  // namespace tacit
