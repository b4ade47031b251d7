// Memory for secrets. WipedVector is wiped before its memory is released. It is for shares, masks and private
// values of any size. LockedVector is for small, long-lived secrets: keys and seeds. It is also kept out of
// swap and core dumps, and guard pages surround it.
//
// Threads: any thread may call these functions. Vectors are shared between threads as std::vector is.
// Errors: std::bad_alloc; Error if libsodium cannot start, and from refuse_dumps.
// Stopping: no function runs long.
#pragma once

#include <sodium.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace tacit {

/// An allocator that wipes memory before releasing it.
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

/// Private real values: the inputs and results of protocols.
using Values = WipedVector<double>;

/// Allocate and release bytes in libsodium's guarded memory. If the process may not lock more memory, the
/// bytes are still guarded and wiped. Throws std::bad_alloc. Thread-safe.
void* take_locked(std::size_t bytes);
void give_locked(void* place, std::size_t bytes);

/// An allocator of locked, guarded memory that is wiped before release.
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

/// Disables core dumps of this process and prevents other processes of the same user from reading its memory.
/// This protects copies of keys that libraries keep in ordinary memory. Throws Error if the system refuses.
void refuse_dumps();

}  // namespace tacit
