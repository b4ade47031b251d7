// What the dealer, Luo et al.'s assistant server, gives to the two servers before they begin: masks that
// neither knows, and shares of what the masks give when multiplied (Beaver's triples). It never sees a row.
// Part of the rival `shares`, a baseline for measuring (shares.hpp).
//
// Server 0 and all masks come from streams of AES in counter mode, of which servers get the keys. Only what
// must fit together, the dealt numbers, is sent as it is, and only to server 1. Whoever draws, draws in the
// same order: every piece of the computation has a function for servers and beside it one for the dealer.
#pragma once

#include <deque>
#include <functional>

#include "tacit/lab/rivals/shares/words.hpp"
#include "tacit/secrecy/prg.hpp"

namespace tacit::shares {

/// Dealt numbers travel in pieces of this many, so that neither side holds them twice; the last is shorter.
inline constexpr std::size_t piece_words = std::size_t{1} << 19;

/// One server's side.
class Preparation {
 public:
  /// There are no pieces for server 0.
  Preparation(unsigned server, Prg stream, std::deque<Words> pieces = {})
      : server_(server), stream_(std::move(stream)), pieces_(std::move(pieces)) {}

  Words uniform(std::size_t count);  ///< shares of masks
  Words dealt(std::size_t count);    ///< shares of numbers that the dealer has chosen

  /// Have all dealt numbers been used? Anything else is a fault of the program.
  bool used_up() const { return pieces_.empty(); }

 private:
  unsigned server_;
  Prg stream_;
  std::deque<Words> pieces_;
  std::size_t next_ = 0;  // in the first piece
};

/// The dealer's side.
class Dealer {
 public:
  /// With the streams of both servers, and what sends a piece to server 1.
  Dealer(Prg stream0, Prg stream1, std::function<void(WordsView)> send)
      : stream0_(std::move(stream0)), stream1_(std::move(stream1)), send_(std::move(send)) {}

  Words uniform(std::size_t count);  ///< masks, of which the servers have shares
  void deal(WordsView values);
  void finish();  ///< sends the last piece

 private:
  Prg stream0_, stream1_;
  std::function<void(WordsView)> send_;
  Words piece_;
};

}  // namespace tacit::shares
