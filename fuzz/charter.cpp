// A charter that somebody else has written.
#include "tacit/agent/charter.hpp"
#include "tacit/base/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const tacit::Charter charter = tacit::parse_charter("fuzz", text);
    (void)tacit::charter_hash(charter);
    (void)tacit::check_signatures(charter);
  } catch (const tacit::InputError&) {  // refused
  }
  try {
    (void)tacit::fields_from(text);
  } catch (const tacit::InputError&) {
  }
  return 0;
}
