// A journal that a crash, a disk or somebody has damaged.
#include "tacit/link/journal.hpp"
#include "tacit/base/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    (void)tacit::numbers_in({reinterpret_cast<const std::byte*>(data), size});
  } catch (const tacit::Error&) {  // refused
  }
  return 0;
}
