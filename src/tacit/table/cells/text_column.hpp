// A column of texts that mostly repeat, such as categories or the owners of rows. Stores each text once.
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

  /// The number of rows whose texts are kept here.
  std::size_t size() const { return codes_.size(); }
  const std::string& operator[](std::size_t row) const { return words_[codes_[row]]; }

  /// words: the distinct texts in order of appearance. codes: for each row, the index of its text in words.
  /// A word that was only noted may have no row.
  std::span<const std::string> words() const { return words_; }
  std::span<const std::uint32_t> codes() const { return codes_; }

  std::uint32_t add(std::string_view text) { return codes_.emplace_back(use(text)); }
  /// Registers the text of a row that is stored elsewhere, and returns the index of the text.
  std::uint32_t use(std::string_view text);
  /// Registers a text without a row.
  std::uint32_t note(std::string_view text);
  bool used(std::size_t word) const { return used_[word]; }
  void reserve(std::size_t rows) { codes_.reserve(rows); }

 private:
  std::vector<std::string> words_;
  std::map<std::string, std::uint32_t, std::less<>> places_;  // index of each word in words_
  std::vector<bool> used_;                                    // for each word: some row has it
  std::vector<std::uint32_t> codes_;
};

/// The order of labels and levels: numbers first, by value, then other texts, by their bytes.
bool label_before(const std::string& a, const std::string& b);

}  // namespace tacit
