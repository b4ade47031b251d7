// TOML files, read with toml++. Errors name file, line and field. Knows nothing of charters and cards.
//
//   const TomlTable root = TomlTable::read("charter.toml");
//   const std::string title = root.text("title");
//   root.done();   // a field that was not read is a typing mistake
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tacit/base/error.hpp"

namespace tacit {

/// A table of a TOML file. Every function that takes a key throws InputError, with file, line, field and the
/// fix, if the field has another type. Except in the functions named maybe_, a missing field is an error,
/// too.
class TomlTable {
 public:
  /// Throws InputError if the file cannot be read, is larger than 8 MiB or is not TOML.
  static TomlTable read(const std::filesystem::path& file);
  /// Reads from text instead; messages use `name` as the file name.
  static TomlTable parse(std::string name, std::string_view text);

  bool has(std::string_view key) const;

  std::string text(std::string_view key) const;
  std::optional<std::string> maybe_text(std::string_view key) const;
  /// A day, such as 2020-01-31, with quotes or without.
  std::string day(std::string_view key) const;
  /// Text that is one of the words.
  std::string word(std::string_view key, std::initializer_list<const char*> words) const;

  /// A finite number, whole or not.
  double number(std::string_view key) const;
  std::optional<double> maybe_number(std::string_view key) const;
  /// Above 0.
  double positive(std::string_view key) const;

  std::uint64_t count(std::string_view key, std::uint64_t low, std::uint64_t high) const;
  std::optional<std::uint64_t> maybe_count(std::string_view key, std::uint64_t low, std::uint64_t high) const;

  /// A count, or none if the field holds the word.
  std::optional<std::uint64_t> word_or_count(std::string_view key, const char* word, std::uint64_t low,
                                             std::uint64_t high) const;
  bool flag(std::string_view key) const;

  std::vector<std::string> texts(std::string_view key) const;
  /// A list of lists of text.
  std::vector<std::vector<std::string>> text_lists(std::string_view key) const;

  /// A list of lists of numbers and text.
  std::vector<std::vector<std::variant<double, std::string>>> cell_lists(std::string_view key) const;
  bool is_table(std::string_view key) const;
  TomlTable table(std::string_view key) const;
  std::optional<TomlTable> maybe_table(std::string_view key) const;
  /// A list of tables, in the order of the file.
  std::vector<TomlTable> tables(std::string_view key) const;
  /// All keys, sorted.
  std::vector<std::string> keys() const;

  /// Throws InputError if the table has a field that was never read, with the fields that may appear.
  void done() const;

  /// "charter.toml, line 12, protocol.collusion: " and `what`, for checks by the caller.
  InputError wrong(std::string_view key, std::string_view what) const;
  /// "charter.toml, line 12, protocol.collusion".
  std::string where(std::string_view key) const;

 private:
  struct Inside;
  TomlTable(std::string file, std::string path, std::shared_ptr<Inside> inside);
  std::string field(std::string_view key) const;
  InputError missing(std::string_view key, std::string_view kind) const;

  std::string file_, path_;
  std::shared_ptr<Inside> inside_;
};

}  // namespace tacit
