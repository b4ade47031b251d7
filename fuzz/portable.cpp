// An exported model: once unchanged, and once with a header of the correct length and checksum.
#include "saved.hpp"
#include "tacit/consortium/portable_model.hpp"

using namespace tacit;

namespace {

void use(std::string_view bytes) {
  fuzz::refusable([&] {
    const PortableModel model = PortableModel::load(fuzz::file_of(bytes));
    const std::string again = model.to_file();
    fuzz::must(PortableModel::load(fuzz::file_of(again)).to_file() == again);
    Matrix point(1, static_cast<Index>(width(model.inputs)));
    Index at = 0;
    for (const Column& column : model.inputs) {
      if (!column.categorical()) point(0, at++) = column.low;
      for (std::size_t k = 0; k < column.levels.size(); ++k) point(0, at++) = k == 0 ? 1 : 0;
    }
    (void)model.predict(point);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  use(fuzz::text_of(data, size));
  use(fuzz::with_header("tacitmdl", 2, fuzz::text_of(data, size)));
  return 0;
}
