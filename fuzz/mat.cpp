// A MATLAB file of data. matio parses its bytes; our code reads the result.
#include "tacit/table/mat/mat.hpp"

#include "fuzz.hpp"

using namespace tacit;

// matio requests as much memory as a damaged file specifies, and handles a failed allocation.
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1:max_allocation_size_mb=512";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path file = fuzz::file_of(fuzz::text_of(data, size));
  fuzz::refusable([&] { (void)read_mat(file); });
  fuzz::refusable([&] { (void)read_mat_table(file, {}, {.missing = Missing::drop}); });
  return 0;
}
