// Files that hold numbers to the bit: eight letters that say what kind it is, a version, the length and
// CRC-32 of the rest, then the rest. Numbers are little-endian; reals are their 64 bits, so that nothing is
// lost.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/gp/matrix.hpp"

namespace tacit {

static_assert(std::endian::native == std::endian::little);

/// A kind of such files, and its words for people.
struct SavedKind {
  const char* magic;      ///< eight letters
  std::uint32_t version;  ///< that is written, and the only one that is read
  const char* what;       ///< "a saved model"
  const char* cure;       ///< for a damaged one: "fit and save the model again"
};

class SavedWriter {
 public:
  template <class Number>
  void number(Number value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view value);
  void matrix(const Matrix& m);
  void numbers(std::span<const double> values);

  /// The whole file.
  std::string file(const SavedKind& kind) const;
  /// Writes it whole or not at all; only its owner may read it. Throws Error.
  void save(const SavedKind& kind, const std::filesystem::path& file) const;

 private:
  std::string text_;
};

/// Everything throws InputError, naming the file, for one that is damaged.
class SavedReader {
 public:
  /// Throws InputError, naming the file, when it cannot be read, is of another kind or version, or damaged.
  SavedReader(const SavedKind& kind, const std::filesystem::path& file);
  /// Of a whole file in memory; messages call it `name`.
  SavedReader(const SavedKind& kind, std::string name, std::string whole);
  SavedReader(const SavedReader&) = delete;

  template <class Number>
  Number number() {
    Number value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  std::string text();
  Matrix matrix();
  Vector vector();
  std::vector<double> numbers();
  /// A number that must be below `count`.
  template <class Enum>
  Enum choice(std::uint32_t count) {
    const auto value = number<std::uint32_t>();
    if (value >= count) damaged();
    return static_cast<Enum>(value);
  }
  /// How many things follow that take at least `bytes` each.
  std::size_t count(std::size_t bytes);
  void end() const;
  [[noreturn]] void damaged() const;

 private:
  const char* take(std::uint64_t size);

  const SavedKind& kind_;
  const std::string name_;
  std::string whole_;
  std::string_view text_;  // what is left of it
};

}  // namespace tacit
