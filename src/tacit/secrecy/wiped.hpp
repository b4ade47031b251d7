// Memory that is overwritten before it is given back: for keys, shares, masks and private values.
#pragma once

#include <sodium.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace tacit {

template <class T>
struct WipingAllocator {
  using value_type = T;
  WipingAllocator() = default;
  template <class U>
  WipingAllocator(const WipingAllocator<U>&) {}
  T* allocate(std::size_t n) { return std::allocator<T>().allocate(n); }
  void deallocate(T* p, std::size_t n) {
    sodium_memzero(p, n * sizeof(T));
    std::allocator<T>().deallocate(p, n);
  }
  bool operator==(const WipingAllocator&) const { return true; }
};

template <class T>
using WipedVector = std::vector<T, WipingAllocator<T>>;

/// Private real values at the edge of a protocol.
using Values = WipedVector<double>;

}  // namespace tacit
