#include "tacit/gp/expert/blas_threads.hpp"

#include <gtest/gtest.h>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

TEST(BlasThreads, HoldsWhileItLivesAndNoLonger) {
  const BlasThreads outer(2);
  const int before = BlasThreads::current();
  {
    const BlasThreads inner(1);
    EXPECT_EQ(BlasThreads::current(), 1);
  }
  EXPECT_EQ(BlasThreads::current(), before);
}

TEST(BlasThreads, RefusesLessThanOne) { EXPECT_THROW(BlasThreads(0), InputError); }

}  // namespace
}  // namespace tacit
