// A charter or card from another party, and an agent's own configuration.
#include "tacit/charter/charter.hpp"

#include "fuzz.hpp"
#include "tacit/agent/daemon/agent_config.hpp"

using namespace tacit;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  fuzz::refusable([&] {
    const Charter charter = parse_charter("fuzz", text);
    (void)check_signatures(charter);
    // Writing and reading a charter again must not change it.
    const Charter again = parse_charter("fuzz", to_toml(charter));
    fuzz::must(charter_hash(again) == charter_hash(charter));
    const auto fields = charter_fields(charter);
    fuzz::must(fields_from(canonical_text(fields)) == fields);
  });
  fuzz::refusable([&] { (void)fields_from(text); });
  fuzz::refusable([&] { (void)parse_card("fuzz", text); });
  fuzz::refusable([&] { (void)parse_agent_config("fuzz.toml", text); });
  return 0;
}
