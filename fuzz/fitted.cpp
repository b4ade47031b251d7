// A model that another agent sends with a request, or that an agent has stored: once unchanged, and once with
// valid seals.
#include "consortium.hpp"
#include "fuzz.hpp"
#include "tacit/agent/model/model_text.hpp"

using namespace tacit;

namespace {

void use(std::string_view bytes) {
  fuzz::refusable([&] {
    const SealedModel sealed = sealed_from_bytes(bytes, fuzz::charter(), fuzz::terms());
    const std::string text = to_text(sealed, fuzz::charter());
    fuzz::must(to_bytes(sealed_from_bytes(to_bytes(sealed), fuzz::charter(), fuzz::terms())) ==
               to_bytes(sealed));
    fuzz::must(to_bytes(model_from_text(text, fuzz::charter()).sealed) == to_bytes(sealed));
    check_plausible(sealed.model, fuzz::terms());
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  use(input);
  fuzz::refusable([&] { model_from_text(std::string(input), fuzz::charter()); });
  requests::SignedModel message;
  if (size < 1 << 16 && message.ParseFromArray(data, static_cast<int>(size)))
    use(fuzz::sealed_by_all(message.model()));
  return 0;
}
