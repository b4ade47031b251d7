// A saved model: once unchanged, and once with a header of the correct length and checksum.
#include <zlib.h>

#include <string>

#include "fuzz.hpp"
#include "tacit/gp/fit/fit.hpp"

using namespace tacit;

namespace {

void use(std::string_view bytes) {
  fuzz::refusable([&] {
    const Model model = Model::load(fuzz::file_of(bytes));
    (void)model.predict(Matrix::Zero(1, 2));  // two inputs, as in the corpus
  });
}

template <class Number>
void append(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  use(fuzz::text_of(data, size));
  std::string whole = "tacitgpm";
  append<std::uint32_t>(whole, 1);
  append<std::uint64_t>(whole, size);
  append(whole, static_cast<std::uint32_t>(crc32_z(crc32_z(0, nullptr, 0), data, size)));
  use(whole.append(fuzz::text_of(data, size)));
  return 0;
}
