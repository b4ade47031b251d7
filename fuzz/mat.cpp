// A MATLAB file of data. Its bytes are taken apart by matio; what it makes of them is then read here.
#include "tacit/table/mat/mat.hpp"

#include "fuzz.hpp"

using namespace tacit;

// matio asks for as much memory as a damaged file names, and copes when it gets none.
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1:max_allocation_size_mb=512";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path file = fuzz::file_of(fuzz::text_of(data, size));
  fuzz::refusable([&] { (void)read_mat(file); });
  fuzz::refusable([&] { (void)read_mat_table(file, {}, {.missing = Missing::drop}); });
  return 0;
}
