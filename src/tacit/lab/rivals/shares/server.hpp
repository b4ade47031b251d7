// One of the two servers: how it opens masked numbers with the other server, multiplies and truncates. Part
// of the rival `shares`, a baseline for measurements (shares.hpp).
//
// Truncation uses the dealer. The usual local truncation cuts off bits of each share. It fails with
// probability |z| / 2^63, which is one in some thousands of products at 26 fractional bits. Here, servers
// open c = z + 2^62 + r with a uniform mask r. They have shares of λ = r >> bits and of its top bit ρ:
//   z >> bits = (c >> bits) − 2^(62−bits) − λ + (1 − top bit of c) · ρ · 2^(64−bits)
// This always holds to one unit in the last place for |z| < 2^62. The last term is the carry out of z + 2^62
// + r.
#pragma once

#include "tacit/lab/rivals/shares/preparation.hpp"
#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/task.hpp"

namespace tacit::shares {

/// Shared numbers after truncation: x = open − λ + carry · ρ. Both servers know open and carry, the dealer
/// knows λ and ρ. So they can be multiplied without another opening.
struct Masked {
  Words open, carry;  ///< carry is 0 or 2^(64−bits)
  Words lambda, rho;  ///< this server's shares

  std::size_t size() const { return open.size(); }
  /// Entries from, ..., from + count − 1.
  Masked part(std::size_t from, std::size_t count) const;
  void append(const Masked& more);
};

/// The dealer's part of masked numbers.
struct DealtMask {
  Words lambda, rho;
  std::size_t size() const { return lambda.size(); }
  DealtMask part(std::size_t from, std::size_t count) const;
  void append(const DealtMask& more);
};

/// Numbers opened under a uniform mask, for sums of products: x = open + mask.
struct Opened {
  Words open;
  Words mask;  ///< this server's share
};

/// Sends a message of words.
void send_words(Channel& net, AgentId to, const Tag& tag, WordsView words);
/// Reads a message of words. Throws Error unless it has `count` words.
Words words_of(const Payload& message, std::size_t count);

class Server {
 public:
  /// `id` is 0 or 1, and also the server's agent on the channel.
  Server(Channel& net, unsigned id, Preparation preparation)
      : net_(&net), id_(id), preparation_(std::move(preparation)) {}

  bool first() const { return id_ == 0; }
  Channel& net() { return *net_; }
  void use(Channel& net) { net_ = &net; }
  Preparation& preparation() { return preparation_; }
  void prepare(Preparation preparation) { preparation_ = std::move(preparation); }
  std::uint64_t rounds() const { return round_; }

  /// One round: returns the sum of the words of both servers.
  Task<Words> exchange(Words mine);

  /// One round: opens the numbers with these shares under fresh uniform masks.
  Task<Opened> open(Words shares);

  /// One round: cuts off the last `bits` bits, from 0 to 32, of the numbers with these shares.
  Task<Masked> truncate(Words shares, unsigned bits);

  /// Public numbers as masked numbers.
  Masked constant(std::size_t count, Word value) const;

  /// This server's shares of masked numbers.
  Words share_of(const Masked& x) const;

  /// Shares of x y, element by element. The dealer has multiplied the masks.
  Words product(const Masked& x, const Masked& y);
  /// Shares of x². Takes two dealt numbers for each, a product takes three.
  Words square(const Masked& x);
  /// Shares of x y for an x that was opened under a uniform mask.
  Words product(const Opened& x, const Masked& y);

 private:
  Channel* net_;
  unsigned id_;
  Preparation preparation_;
  std::uint32_t round_ = 0;
};

/// The dealer's side of each operation.
Words deal_open(Dealer& dealer, std::size_t count);
DealtMask deal_truncate(Dealer& dealer, std::size_t count, unsigned bits);
DealtMask deal_constant(std::size_t count);
void deal_product(Dealer& dealer, const DealtMask& x, const DealtMask& y);
void deal_square(Dealer& dealer, const DealtMask& x);
void deal_product(Dealer& dealer, WordsView x, const DealtMask& y);

}  // namespace tacit::shares
