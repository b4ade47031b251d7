// Tables of numbers from files and from prediction requests.
#include "tacit/table/csv/csv.hpp"

#include "fuzz.hpp"

using namespace tacit;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  ReadOptions dates;
  dates.dates = {{"a", "", {"year", "weekday", "hour"}}};
  dates.slash_dates = SlashDates::day_first;
  dates.missing = Missing::drop;
  for (const ReadOptions& how : {ReadOptions{}, dates})
    for (const TableOptions& options : {TableOptions{}, TableOptions{{"a"}, {"b"}}})
      fuzz::refusable([&] {
        const Table table = parse_table("fuzz", text, options, how);
        for (const std::string& column : table.columns()) (void)table.has(column);
      });
  return 0;
}
