// Tables of numbers, from files and from whoever asks for predictions.
#include "tacit/data/csv.hpp"
#include "tacit/base/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const tacit::TableOptions& options : {tacit::TableOptions{}, tacit::TableOptions{{"a"}, {"b"}}}) try {
      const tacit::Table table = tacit::parse_table("fuzz", text, options);
      for (const std::string& column : table.columns()) (void)table.has(column);
    } catch (const tacit::InputError&) {  // refused
    }
  return 0;
}
