// What the dealer (the assistant server of Luo et al.) gives to the two servers before they begin: masks that
// neither server knows, and shares of products of masks (Beaver's triples). The dealer sees no rows. Part of
// the rival `shares`, a baseline for measurements (shares.hpp).
//
// All masks, and the dealt numbers of server 0, come from streams of AES in counter mode, of which the
// servers get the keys. Only the dealt numbers of server 1 are sent as such, because they depend on both
// streams. Servers and dealer must draw in the same order. Therefore each step of the computation has a
// function for servers and, beside it, one for the dealer.
#pragma once

#include <deque>
#include <functional>

#include "tacit/lab/rivals/shares/words.hpp"
#include "tacit/secrecy/prg.hpp"

namespace tacit::shares {

/// Dealt numbers are sent in pieces of this many, so that neither side stores them twice. The last piece is
/// shorter.
inline constexpr std::size_t piece_words = std::size_t{1} << 19;

/// One server's side.
class Preparation {
 public:
  /// Server 0 has no pieces.
  Preparation(unsigned server, Prg stream, std::deque<Words> pieces = {})
      : server_(server), stream_(std::move(stream)), pieces_(std::move(pieces)) {}

  Words uniform(std::size_t count);  ///< shares of masks
  Words dealt(std::size_t count);    ///< shares of numbers chosen by the dealer

  /// Returns true if all dealt numbers were used. Otherwise, the program has an error.
  bool used_up() const { return pieces_.empty(); }

 private:
  unsigned server_;
  Prg stream_;
  std::deque<Words> pieces_;
  std::size_t next_ = 0;  // index in the first piece
};

/// The dealer's side.
class Dealer {
 public:
  /// Takes the streams of both servers and a function that sends a piece to server 1.
  Dealer(Prg stream0, Prg stream1, std::function<void(WordsView)> send)
      : stream0_(std::move(stream0)), stream1_(std::move(stream1)), send_(std::move(send)) {}

  Words uniform(std::size_t count);  ///< masks of which the servers have shares
  void deal(WordsView values);
  void finish();  ///< sends the last piece

 private:
  Prg stream0_, stream1_;
  std::function<void(WordsView)> send_;
  Words piece_;
};

}  // namespace tacit::shares
