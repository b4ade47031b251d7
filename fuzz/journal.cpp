// A damaged journal.
#include "tacit/link/runs/journal.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tacit::fuzz::refusable([&] { (void)tacit::numbers_in(std::as_bytes(std::span(data, size))); });
  return 0;
}
