#include "tacit/lab/rivals/shares/preparation.hpp"

#include <algorithm>

#include "tacit/base/error.hpp"

namespace tacit::shares {
namespace {

Words drawn(Prg& stream, std::size_t count) {
  Words words(count);
  stream.fill(std::as_writable_bytes(std::span(words)));
  return words;
}

}  // namespace

Words Preparation::uniform(std::size_t count) { return drawn(stream_, count); }

Words Preparation::dealt(std::size_t count) {
  if (server_ == 0) return drawn(stream_, count);
  Words words;
  words.reserve(count);
  while (words.size() < count) {
    if (pieces_.empty()) throw Error("internal error: the dealer has dealt too few numbers");
    const Words& piece = pieces_.front();
    const std::size_t more = std::min(count - words.size(), piece.size() - next_);
    const auto from = piece.begin() + static_cast<std::ptrdiff_t>(next_);
    words.insert(words.end(), from, from + static_cast<std::ptrdiff_t>(more));
    next_ += more;
    if (next_ < piece.size()) continue;
    pieces_.pop_front();
    next_ = 0;
  }
  return words;
}

Words Dealer::uniform(std::size_t count) {
  Words sum = drawn(stream0_, count);
  add_to(sum, drawn(stream1_, count));
  return sum;
}

void Dealer::deal(WordsView values) {
  Words rest(values.begin(), values.end());
  subtract_from(rest, drawn(stream0_, values.size()));
  piece_.reserve(piece_words);
  for (std::size_t at = 0; at < rest.size();) {
    const std::size_t more = std::min(rest.size() - at, piece_words - piece_.size());
    const auto from = rest.begin() + static_cast<std::ptrdiff_t>(at);
    piece_.insert(piece_.end(), from, from + static_cast<std::ptrdiff_t>(more));
    at += more;
    if (piece_.size() < piece_words) continue;
    send_(piece_);
    piece_.clear();
  }
}

void Dealer::finish() { send_(piece_); }

}  // namespace tacit::shares
