#include "tacit/secrecy/wiped.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <mutex>
#include <new>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

// Each allocation by libsodium takes at least four pages and as many system calls, and the system limits the
// number of guarded allocations. Keys are small, and a simulation has millions of them. They therefore share
// allocations ("pieces"), which are divided into cells. Each piece is as large as all earlier ones together,
// up to a maximum.
constexpr std::size_t cell_bytes = 64, first_cells = 512, most_cells = std::size_t{1} << 17;

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
      const std::size_t more = std::clamp(cells_, first_cells, most_cells);
      auto* piece = static_cast<std::byte*>(piece_of(cell_bytes * more));
      cells_ += more;
      free_.reserve(cells_);  // so that give() cannot fail
      for (std::size_t k = more; k > 0; --k) free_.push_back(piece + (k - 1) * cell_bytes);
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

// Never destroyed: objects with static lifetime may release keys at exit.
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
    sodium_free(place);  // wipes the memory
}

void refuse_dumps() {
  const rlimit none{0, 0};
  if (::setrlimit(RLIMIT_CORE, &none) != 0 || ::prctl(PR_SET_DUMPABLE, 0) != 0)
    throw Error(
        "core dumps could not be disabled; they would contain keys and data, so the program does not start");
}

}  // namespace tacit
