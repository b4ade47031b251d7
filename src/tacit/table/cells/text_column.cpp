#include "tacit/table/cells/text_column.hpp"

#include "tacit/table/cells/cell.hpp"

namespace tacit {

std::uint32_t TextColumn::note(std::string_view text) {
  if (const auto known = places_.find(text); known != places_.end()) return known->second;
  const auto place = static_cast<std::uint32_t>(words_.size());
  words_.emplace_back(text);
  used_.push_back(false);
  places_.emplace(text, place);
  return place;
}

std::uint32_t TextColumn::use(std::string_view text) {
  const std::uint32_t place = note(text);
  used_[place] = true;
  return place;
}

bool label_before(const std::string& a, const std::string& b) {
  const auto x = parse_number(a), y = parse_number(b);
  if (x.has_value() != y.has_value()) return x.has_value();
  if (x != y) return *x < *y;
  return a < b;
}

}  // namespace tacit
