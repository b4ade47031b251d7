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

  /// Rows whose texts are kept here.
  std::size_t size() const { return codes_.size(); }
  const std::string& operator[](std::size_t row) const { return words_[codes_[row]]; }

  /// Every different text once, in order of appearance; and for each row the place of its text there. Some
  /// may have no row: those that were only noted.
  std::span<const std::string> words() const { return words_; }
  std::span<const std::uint32_t> codes() const { return codes_; }

  std::uint32_t add(std::string_view text) { return codes_.emplace_back(use(text)); }
  /// A text of a row that is kept elsewhere, by the place of its text.
  std::uint32_t use(std::string_view text);
  std::uint32_t note(std::string_view text);
  bool used(std::size_t word) const { return used_[word]; }
  void reserve(std::size_t rows) { codes_.reserve(rows); }

 private:
  std::vector<std::string> words_;
  std::map<std::string, std::uint32_t, std::less<>> places_;  // of a word in words_
  std::vector<bool> used_;                                    // by word: some row has it
  std::vector<std::uint32_t> codes_;
};

/// The order of labels and levels: those that are numbers first, by value, then the others by their bytes.
bool label_before(const std::string& a, const std::string& b);

}  // namespace tacit
