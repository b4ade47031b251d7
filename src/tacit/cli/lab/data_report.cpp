#include "tacit/cli/lab/data_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tacit/answers/numbers.hpp"

namespace tacit::cli {

Json data_json(const Parties& parties) {
  Json files = Json::array(), categorical = Json::object(), dates = Json::object(), notes = Json::array();
  std::size_t dropped = 0;
  for (const DataFile& file : parties.files) {
    files.push_back(
        {{"file", file.name}, {"rows", file.rows}, {"dropped", file.dropped}, {"test", file.test}});
    dropped += file.dropped;
    for (const std::string& note : file.notes) notes.push_back(file.name + ": " + note);
  }
  for (const ColumnWords& category : parties.columns.categorical)
    categorical[category.column] = category.words;
  for (const DateColumn& date : parties.columns.dates)
    dates[date.column] = {{"start", date.start}, {"parts", date.parts}};
  return {{"files", std::move(files)},
          {"dropped", dropped},
          {"categorical", std::move(categorical)},
          {"dates", std::move(dates)},
          {"notes", std::move(notes)}};
}

std::string data_text(const Parties& parties) {
  std::string out;
  auto line = [&](const std::string& text) {
    out += (out.empty() ? "Data     " : "         ") + text + "\n";
  };
  for (const DataFile& file : parties.files) {
    for (const std::string& note : file.notes) line(fmt::format("{}: {}", file.name, note));
    if (file.dropped > 0)
      line(fmt::format("{} of {}{} dropped because of a missing cell, {} left", plural(file.dropped, "row"),
                       file.test ? "the test file " : "", file.name, count(file.rows)));
  }
  for (const ColumnWords& category : parties.columns.categorical)
    line(fmt::format("{} has {}: {}", category.column, plural(category.words.size(), "level"),
                     fmt::join(category.words, ", ")));
  for (const DateColumn& date : parties.columns.dates)
    if (!date.start.empty())
      line(fmt::format("{} counts days since {}{}", date.column, date.start,
                       std::find(parties.columns.earliest.begin(), parties.columns.earliest.end(),
                                 date.column) == parties.columns.earliest.end()
                           ? ""
                           : fmt::format(", the earliest date in the data (to fix it: --date {}:{})",
                                         date.column, date.start)));
  return out;
}

}  // namespace tacit::cli
