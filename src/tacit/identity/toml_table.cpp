#include "tacit/identity/toml_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <cmath>
#include <set>

#include "tacit/base/closest_name.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/table/cells/dates.hpp"

namespace tacit {
namespace {

constexpr std::size_t most_bytes = 8 << 20;

}  // namespace

struct TomlTable::Inside {
  std::shared_ptr<const toml::table> root;  // keeps the tables below alive
  const toml::table* here = nullptr;
  std::set<std::string, std::less<>> asked;

  const toml::node* get(std::string_view key) {
    asked.emplace(key);
    return here->get(key);
  }
};

TomlTable::TomlTable(std::string file, std::string path, std::shared_ptr<Inside> inside)
    : file_(std::move(file)), path_(std::move(path)), inside_(std::move(inside)) {}

TomlTable TomlTable::read(const std::filesystem::path& file) {
  return parse(file.string(), read_whole(file, most_bytes));
}

TomlTable TomlTable::parse(std::string name, std::string_view text) {
  try {
    auto inside = std::make_shared<Inside>();
    inside->root = std::make_shared<const toml::table>(toml::parse(text, name));
    inside->here = inside->root.get();
    return TomlTable(std::move(name), "", std::move(inside));
  } catch (const toml::parse_error& e) {
    throw InputError(fmt::format("{}, line {}, column {}: this is not valid TOML: {}", name,
                                 e.source().begin.line, e.source().begin.column, e.description()));
  }
}

std::string TomlTable::field(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

std::string TomlTable::where(std::string_view key) const {
  const toml::node* node = inside_->here->get(key);
  const auto line = (node ? node->source() : inside_->here->source()).begin.line;
  return fmt::format("{}{}, {}", file_, line ? fmt::format(", line {}", line) : "", field(key));
}

InputError TomlTable::wrong(std::string_view key, std::string_view what) const {
  return InputError(fmt::format("{}: {}", where(key), what));
}

InputError TomlTable::missing(std::string_view key, std::string_view kind) const {
  return wrong(key, inside_->here->contains(key) ? fmt::format("this must be {}", kind)
                                                 : fmt::format("this field is missing; it must be {}", kind));
}

bool TomlTable::has(std::string_view key) const { return inside_->get(key) != nullptr; }

std::string TomlTable::text(std::string_view key) const {
  const toml::node* node = inside_->get(key);
  if (!node || !node->is_string()) throw missing(key, "text in quotes");
  return node->as_string()->get();
}

std::optional<std::string> TomlTable::maybe_text(std::string_view key) const {
  return has(key) ? std::optional(text(key)) : std::nullopt;
}

std::string TomlTable::day(std::string_view key) const {
  const toml::node* node = inside_->get(key);
  std::string value;
  if (const auto* text = node ? node->as_string() : nullptr) value = text->get();
  if (const auto* date = node ? node->as_date() : nullptr)
    value = fmt::format("{:04}-{:02}-{:02}", date->get().year, date->get().month, date->get().day);
  if (!parse_day(value)) throw missing(key, "a day, such as \"2020-01-31\"");
  return value;
}

std::string TomlTable::word(std::string_view key, std::initializer_list<const char*> words) const {
  std::string kind;
  for (const char* word : words) kind += fmt::format("{}\"{}\"", kind.empty() ? "" : " or ", word);
  const toml::node* node = inside_->get(key);
  if (node && node->is_string())
    for (const char* word : words)
      if (node->as_string()->get() == word) return word;
  throw missing(key, kind);
}

double TomlTable::number(std::string_view key) const {
  const toml::node* node = inside_->get(key);
  const auto value = node && node->is_number() ? node->value<double>() : std::nullopt;
  if (!value || !std::isfinite(*value)) throw missing(key, "a finite number");
  return *value;
}

std::optional<double> TomlTable::maybe_number(std::string_view key) const {
  return has(key) ? std::optional(number(key)) : std::nullopt;
}

double TomlTable::positive(std::string_view key) const {
  const double value = number(key);
  if (!(value > 0)) throw wrong(key, "this must be a number above 0");
  return value;
}

std::uint64_t TomlTable::count(std::string_view key, std::uint64_t low, std::uint64_t high) const {
  const toml::node* node = inside_->get(key);
  const auto* value = node ? node->as_integer() : nullptr;
  if (!value || value->get() < 0 || static_cast<std::uint64_t>(value->get()) < low ||
      static_cast<std::uint64_t>(value->get()) > high)
    throw missing(key, fmt::format("a whole number from {} to {}", low, high));
  return static_cast<std::uint64_t>(value->get());
}

std::optional<std::uint64_t> TomlTable::maybe_count(std::string_view key, std::uint64_t low,
                                                    std::uint64_t high) const {
  return has(key) ? std::optional(count(key, low, high)) : std::nullopt;
}

std::optional<std::uint64_t> TomlTable::word_or_count(std::string_view key, const char* word,
                                                      std::uint64_t low, std::uint64_t high) const {
  const toml::node* node = inside_->get(key);
  if (node && node->is_string() && node->as_string()->get() == word) return std::nullopt;
  if (node && node->is_integer()) return count(key, low, high);
  throw missing(key, fmt::format("\"{}\" or a whole number from {} to {}", word, low, high));
}

bool TomlTable::flag(std::string_view key) const {
  const toml::node* node = inside_->get(key);
  if (!node || !node->is_boolean()) throw missing(key, "true or false");
  return node->as_boolean()->get();
}

std::vector<std::string> TomlTable::texts(std::string_view key) const {
  const toml::node* node = inside_->get(key);
  if (!node || !node->is_array()) throw missing(key, "a list of strings in quotes");
  std::vector<std::string> all;
  for (const toml::node& one : *node->as_array()) {
    if (!one.is_string()) throw missing(key, "a list of strings in quotes");
    all.push_back(one.as_string()->get());
  }
  return all;
}

std::vector<std::vector<std::string>> TomlTable::text_lists(std::string_view key) const {
  const toml::node* node = inside_->get(key);
  const char* kind = "a list of lists of strings, such as [[\"a\", \"b\"], [\"b\", \"c\"]]";
  if (!node || !node->is_array()) throw missing(key, kind);
  std::vector<std::vector<std::string>> all;
  for (const toml::node& list : *node->as_array()) {
    if (!list.is_array()) throw missing(key, kind);
    all.emplace_back();
    for (const toml::node& one : *list.as_array()) {
      if (!one.is_string()) throw missing(key, kind);
      all.back().push_back(one.as_string()->get());
    }
  }
  return all;
}

std::vector<std::vector<std::variant<double, std::string>>> TomlTable::cell_lists(
    std::string_view key) const {
  const toml::node* node = inside_->get(key);
  const char* kind = "a list of lists of numbers and strings, such as [[30, \"f\"], [45, \"m\"]]";
  if (!node || !node->is_array()) throw missing(key, kind);
  std::vector<std::vector<std::variant<double, std::string>>> all;
  for (const toml::node& list : *node->as_array()) {
    if (!list.is_array()) throw missing(key, kind);
    all.emplace_back();
    for (const toml::node& one : *list.as_array()) {
      if (one.is_string())
        all.back().emplace_back(one.as_string()->get());
      else if (const auto number = one.is_number() ? one.value<double>() : std::nullopt)
        all.back().emplace_back(*number);
      else
        throw missing(key, kind);
    }
  }
  return all;
}

bool TomlTable::is_table(std::string_view key) const {
  const toml::node* node = inside_->get(key);
  return node && node->is_table();
}

TomlTable TomlTable::table(std::string_view key) const {
  const toml::node* node = inside_->get(key);
  if (!node || !node->is_table()) throw missing(key, fmt::format("a section [{}]", field(key)));
  return TomlTable(file_, field(key), std::make_shared<Inside>(Inside{inside_->root, node->as_table(), {}}));
}

std::optional<TomlTable> TomlTable::maybe_table(std::string_view key) const {
  return has(key) ? std::optional(table(key)) : std::nullopt;
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) const {
  const toml::node* node = inside_->get(key);
  if (!node || !node->is_array()) throw missing(key, "a list of tables");
  std::vector<TomlTable> all;
  for (const toml::node& one : *node->as_array()) {
    if (!one.is_table()) throw missing(key, "a list of tables");
    all.push_back(TomlTable(file_, fmt::format("{}[{}]", field(key), all.size()),
                            std::make_shared<Inside>(Inside{inside_->root, one.as_table(), {}})));
  }
  return all;
}

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::string> all;
  for (const auto& [key, node] : *inside_->here) all.emplace_back(key.str());
  return all;
}

void TomlTable::done() const {
  const std::vector<std::string> known(inside_->asked.begin(), inside_->asked.end());
  for (const auto& [key, node] : *inside_->here) {
    if (inside_->asked.contains(key.str())) continue;
    const std::string* near = closest_name(key.str(), known);
    throw wrong(key.str(),
                fmt::format("this field is unknown; {}known fields: {}",
                            near ? fmt::format("did you mean {}? ", *near) : "", fmt::join(known, ", ")));
  }
}

}  // namespace tacit
