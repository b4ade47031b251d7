// A column of texts that mostly repeat, such as a category or the owner of a row.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tacit {

class TextColumn {
 public:
  TextColumn() = default;
  explicit TextColumn(std::span<const std::string> texts) {
    for (const std::string& text : texts) add(text);
  }

  std::size_t size() const { return codes_.size(); }
  const std::string& operator[](std::size_t row) const { return words_[codes_[row]]; }

  /// Every different text once, in order of appearance; and for each row the place of its text there. Some
  /// may have no row: those that were only noted.
  std::span<const std::string> words() const { return words_; }
  std::span<const std::uint32_t> codes() const { return codes_; }

  void add(std::string_view text) { codes_.push_back(note(text)); }
  std::uint32_t note(std::string_view text);
  void reserve(std::size_t rows) { codes_.reserve(rows); }

 private:
  std::vector<std::string> words_;
  std::map<std::string, std::uint32_t, std::less<>> places_;  // of a word in words_
  std::vector<std::uint32_t> codes_;
};

/// The order of labels and levels: those that are numbers first, by value, then the others by their bytes.
bool label_before(const std::string& a, const std::string& b);

}  // namespace tacit
