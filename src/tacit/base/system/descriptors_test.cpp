#include "tacit/base/system/descriptors.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>

namespace tacit {
namespace {

TEST(Descriptors, AreClosedByTheirLastOwner) {
  int number = -1;
  {
    Descriptor first(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    number = first.get();
    const Descriptor second = std::move(first);
    EXPECT_EQ(second.get(), number);
    EXPECT_GE(::fcntl(number, F_GETFD), 0);
  }
  EXPECT_EQ(::fcntl(number, F_GETFD), -1);
}

TEST(Descriptors, TheSoftLimitIsRaisedToTheHardLimit) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit low{64, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &low), 0);
  EXPECT_EQ(descriptor_limit(), 64);
  raise_descriptor_limit();
  EXPECT_EQ(static_cast<rlim_t>(descriptor_limit()), std::min(before.rlim_max, rlim_t{65'536}));
  ::setrlimit(RLIMIT_NOFILE, &before);
}

}  // namespace
}  // namespace tacit
