// Binary files that store numbers exactly: eight letters that identify the kind of file, a version, the
// length and CRC-32 of the body, then the body. Numbers are little-endian; reals are stored as their 64 bits.
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

/// A kind of file, and its texts for messages.
struct SavedKind {
  const char* magic;      ///< eight letters
  std::uint32_t version;  ///< the version that is written, and the only one that is read
  const char* what;       ///< its name, such as "a saved model"
  const char* cure;       ///< the remedy for a damaged file, such as "fit and save the model again"
};

/// Collects the body of a file.
class SavedWriter {
 public:
  template <class Number>
  void number(Number value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view value);
  void matrix(const Matrix& m);
  void numbers(std::span<const double> values);

  /// Returns the whole file.
  std::string file(const SavedKind& kind) const;
  /// Writes the file atomically, readable by its owner only. Throws Error on failure.
  void save(const SavedKind& kind, const std::filesystem::path& file) const;

 private:
  std::string text_;
};

/// Reads the body of a file in the order in which it was written. Every function throws InputError, naming
/// the file, if the file is damaged.
class SavedReader {
 public:
  /// Opens a file. Throws InputError, naming the file, if it cannot be read, is of another kind or version,
  /// or is damaged.
  SavedReader(const SavedKind& kind, const std::filesystem::path& file);
  /// Opens a whole file in memory. Messages call it `name`.
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
  /// Reads an enumerator, whose value must be below `count`.
  template <class Enum>
  Enum choice(std::uint32_t count) {
    const auto value = number<std::uint32_t>();
    if (value >= count) damaged();
    return static_cast<Enum>(value);
  }
  /// Reads the number of items that follow, each of which takes at least `bytes` bytes.
  std::size_t count(std::size_t bytes);
  /// Checks that the body ends here.
  void end() const;
  /// Throws the InputError for a damaged file.
  [[noreturn]] void damaged() const;

 private:
  const char* take(std::uint64_t size);

  const SavedKind& kind_;
  const std::string name_;
  std::string whole_;
  std::string_view text_;  // the unread rest
};

}  // namespace tacit
