// A charter or card that somebody else has written, and an agent's own configuration.
#include "tacit/identity/charter.hpp"

#include "tacit/agent/agent_config.hpp"
#include "tacit/base/error.hpp"

namespace {

template <class Read>
void read(Read&& decode) {
  try {
    decode();
  } catch (const tacit::InputError&) {  // refused
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read([&] {
    const tacit::Charter charter = tacit::parse_charter("fuzz", text);
    (void)tacit::check_signatures(charter);
    // What was read can be written and read again, and means the same.
    const tacit::Charter again = tacit::parse_charter("fuzz", tacit::to_toml(charter));
    if (tacit::charter_hash(again) != tacit::charter_hash(charter)) __builtin_trap();
    const auto fields = tacit::charter_fields(charter);
    if (tacit::fields_from(tacit::canonical_text(fields)) != fields) __builtin_trap();
  });
  read([&] { (void)tacit::fields_from(text); });
  read([&] { (void)tacit::parse_card("fuzz", text); });
  read([&] { (void)tacit::parse_agent_config("fuzz.toml", text); });
  return 0;
}
