#include "tacit/secrecy/wiped.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <mutex>
#include <new>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

// A piece of libsodium's memory takes at least four pages and as many system calls. Keys are small and in a
// simulation there are tens of thousands, so they share pieces, cut into cells.
constexpr std::size_t cell_bytes = 128, cells_in_a_piece = 256;

void* piece_of(std::size_t bytes) {
  if (sodium_init() < 0) throw Error("libsodium could not be started; check its installation");
  void* piece = sodium_malloc(bytes);
  if (!piece) throw std::bad_alloc();
  return piece;
}

class Cells {
 public:
  void* take() {
    const std::lock_guard lock(guard_);
    if (free_.empty()) {
      auto* piece = static_cast<std::byte*>(piece_of(cell_bytes * cells_in_a_piece));
      cells_ += cells_in_a_piece;
      free_.reserve(cells_);  // giving back must not fail
      for (std::size_t k = cells_in_a_piece; k > 0; --k) free_.push_back(piece + (k - 1) * cell_bytes);
    }
    void* cell = free_.back();
    free_.pop_back();
    return cell;
  }
  void give(void* cell) {
    sodium_memzero(cell, cell_bytes);
    const std::lock_guard lock(guard_);
    free_.push_back(cell);
  }

 private:
  std::mutex guard_;
  std::vector<void*> free_;
  std::size_t cells_ = 0;
};

// Lasts as long as the process: keys may be given back by whatever ends last.
Cells& cells() {
  static auto* all = new Cells;
  return *all;
}

}  // namespace

void* take_locked(std::size_t bytes) { return bytes <= cell_bytes ? cells().take() : piece_of(bytes); }

void give_locked(void* place, std::size_t bytes) {
  if (bytes <= cell_bytes)
    cells().give(place);
  else
    sodium_free(place);  // which wipes it
}

void refuse_dumps() {
  const rlimit none{0, 0};
  if (::setrlimit(RLIMIT_CORE, &none) != 0 || ::prctl(PR_SET_DUMPABLE, 0) != 0)
    throw Error("core dumps cannot be switched off, and would hold keys and data; nothing was started");
}

}  // namespace tacit
