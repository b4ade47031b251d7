#include "tacit/secrecy/wiped.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <thread>

namespace tacit {
namespace {

// Returns the kernel's flags of the memory mapping that contains this address.
std::set<std::string> flags_of(const void* place) {
  const auto address = reinterpret_cast<std::uintptr_t>(place);
  std::ifstream maps("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t low = 0, high = 0;
    char dash = 0;
    std::istringstream words(line);
    if (words >> std::hex >> low >> dash >> high && dash == '-') here = low <= address && address < high;
    if (!here || !line.starts_with("VmFlags:")) continue;
    std::istringstream flags(line.substr(8));
    return {std::istream_iterator<std::string>(flags), {}};
  }
  return {};
}

TEST(Locked, KeysAreNotDumpedNorSwapped) {
  rlimit allowed{};
  ASSERT_EQ(getrlimit(RLIMIT_MEMLOCK, &allowed), 0);
#ifdef TACIT_SANITIZED
  const bool may_lock = false;  // sanitizers lock nothing
#else
  const bool may_lock = allowed.rlim_cur >= 1 << 20;
#endif
  for (const std::size_t size : {32u, 5000u}) {
    const LockedVector<std::byte> key(size);
    EXPECT_TRUE(flags_of(key.data()).contains("dd")) << size;  // not in dumps
    EXPECT_TRUE(!may_lock || flags_of(key.data()).contains("lo")) << size;
  }
  const WipedVector<std::byte> other(32);
  EXPECT_FALSE(flags_of(other.data()).contains("dd"));
}

TEST(Locked, WhatIsGivenBackIsWiped) {
  const void* place = nullptr;
  {
    const LockedVector<std::byte> key(32, std::byte{0xaa});
    place = key.data();
  }
  const LockedVector<std::byte> next(1);  // reuses the cell released last
  ASSERT_EQ(next.data(), place);
  const std::byte* bytes = next.data();
  EXPECT_TRUE(std::all_of(bytes + 1, bytes + 32, [](std::byte b) { return b == std::byte{0}; }));
}

TEST(Locked, ManyKeysOnManyThreadsDoNotShareAPlace) {
  std::vector<std::thread> threads;
  std::vector<std::vector<LockedVector<std::byte>>> kept(4);
  for (std::size_t t = 0; t < kept.size(); ++t)
    threads.emplace_back([&kept, t] {
      for (std::size_t k = 0; k < 2000; ++k) {
        kept[t].emplace_back(1 + k % 200, static_cast<std::byte>(t));
        if (k % 3 == 0) kept[t].erase(kept[t].begin() + static_cast<long>(kept[t].size() / 2));
      }
    });
  for (std::thread& thread : threads) thread.join();
  std::set<const void*> places;
  for (std::size_t t = 0; t < kept.size(); ++t)
    for (const auto& key : kept[t]) {
      EXPECT_TRUE(places.insert(key.data()).second);
      EXPECT_TRUE(
          std::all_of(key.begin(), key.end(), [&](std::byte b) { return b == static_cast<std::byte>(t); }));
    }
}

}  // namespace
}  // namespace tacit
