// A saved model: once unchanged, and once with a header of the correct length and checksum.
#include "saved.hpp"
#include "tacit/gp/fit/fit.hpp"

using namespace tacit;

namespace {

void use(std::string_view bytes) {
  fuzz::refusable([&] {
    const Model model = Model::load(fuzz::file_of(bytes));
    (void)model.predict(Matrix::Zero(1, 2));  // two inputs, as in the corpus
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  use(fuzz::text_of(data, size));
  use(fuzz::with_header("tacitgpm", 1, fuzz::text_of(data, size)));
  return 0;
}
