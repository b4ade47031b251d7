// A model that an agent has kept, or that another agent sends with a request: once as it comes, and once with
// the checksum that belongs to it.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "fuzz.hpp"
#include "tacit/agent/model.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/secrecy/signature.hpp"

using namespace tacit;

namespace {

void use(const std::string& text) {
  fuzz::refusable([&] {
    const FittedModel model = model_from("fuzz", text, "");
    fuzz::must(to_text(model_from("fuzz", to_text(model), "")) == to_text(model));
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  use(text);
  if (std::ranges::count_if(text, [](char c) { return c == '[' || c == '{'; }) > 50) return 0;
  const auto model = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!model.is_object()) return 0;
  try {
    const std::string inside = model.dump();
    const std::string sum = hex(digest_of({std::as_bytes(std::span(inside))}));
    use(nlohmann::ordered_json{{"tacit_model", 1}, {"checksum", sum}, {"model", model}}.dump());
  } catch (const nlohmann::json::exception&) {  // text that is not UTF-8
  }
  return 0;
}
