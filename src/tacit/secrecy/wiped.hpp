// Memory for secrets. WipedVector is overwritten before it is given back: for shares, masks and private
// values, of any size. LockedVector is for keys and seeds, which are small and last: it is also kept out of
// swap and of core dumps, and its pages have guards around them.
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

/// Bytes in libsodium's guarded memory. Where the system lets a process lock no more, they are still guarded
/// and wiped. Throws std::bad_alloc. Any thread may call these.
void* take_locked(std::size_t bytes);
void give_locked(void* place, std::size_t bytes);

template <class T>
struct LockingAllocator {
  using value_type = T;
  LockingAllocator() = default;
  template <class U>
  LockingAllocator(const LockingAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(take_locked(n * sizeof(T))); }
  void deallocate(T* p, std::size_t n) { give_locked(p, n * sizeof(T)); }
  bool operator==(const LockingAllocator&) const { return true; }
};

template <class T>
using LockedVector = std::vector<T, LockingAllocator<T>>;

/// No core dumps of this process, and no other process of the same user may read its memory: for what
/// libraries keep of keys in memory of their own.
void refuse_dumps();

}  // namespace tacit
