#include "tacit/reproduction/rivals/shares/server.hpp"

#include <fmt/format.h>

#include <cstring>

#include "tacit/base/error.hpp"

namespace tacit::shares {
namespace {

constexpr Word offset = Word{1} << 62;  // what makes |z| < 2^62 positive

Words part_of(const Words& all, std::size_t from, std::size_t count) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(from);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

Masked Masked::part(std::size_t from, std::size_t count) const {
  return {part_of(open, from, count), part_of(carry, from, count), part_of(lambda, from, count),
          part_of(rho, from, count)};
}

DealtMask DealtMask::part(std::size_t from, std::size_t count) const {
  return {part_of(lambda, from, count), part_of(rho, from, count)};
}

void send_words(Channel& net, AgentId to, const Tag& tag, WordsView words) {
  Payload message = net.buffer(words.size_bytes());
  if (!words.empty()) std::memcpy(message.bytes().data(), words.data(), message.size());
  net.send(to, tag, std::move(message));
}

Words words_of(const Payload& message, std::size_t count) {
  if (message.size() != count * sizeof(Word))
    throw Error(fmt::format("a message of two servers has {} bytes where {} were due", message.size(),
                            count * sizeof(Word)));
  Words words(count);
  if (count > 0) std::memcpy(words.data(), message.bytes().data(), message.size());
  return words;
}

Task<Words> Server::exchange(Words mine) {
  const AgentId other = 1 - id_;
  const Tag tag{.run = 0, .round = round_++, .about = 0, .step = Step::share};
  send_words(*net_, other, tag, mine);
  const Payload theirs = co_await net_->receive(other, tag);
  Words sum = words_of(theirs, mine.size());
  add_to(sum, mine);
  co_return sum;
}

Task<Opened> Server::open(Words shares) {
  Opened opened;
  opened.mask = preparation_.uniform(shares.size());
  subtract_from(shares, opened.mask);
  opened.open = co_await exchange(std::move(shares));
  co_return opened;
}

Task<Masked> Server::truncate(Words shares, unsigned bits) {
  const std::size_t n = shares.size();
  add_to(shares, preparation_.uniform(n));
  Masked x;
  x.lambda = preparation_.dealt(n);
  x.rho = preparation_.dealt(n);
  if (first())
    for (Word& share : shares) share += offset;
  x.open = co_await exchange(std::move(shares));
  x.carry.resize(n);
  const Word back = offset >> bits, step = bits == 0 ? 0 : Word{1} << (64 - bits);
  for (std::size_t i = 0; i < n; ++i) {
    x.carry[i] = x.open[i] >> 63 ? 0 : step;
    x.open[i] = (x.open[i] >> bits) - back;
  }
  co_return x;
}

Masked Server::constant(std::size_t count, Word value) const {
  return {Words(count, value), Words(count), Words(count), Words(count)};
}

Words Server::share_of(const Masked& x) const {
  Words share(x.size());
  for (std::size_t i = 0; i < share.size(); ++i)
    share[i] = (first() ? x.open[i] : 0) - x.lambda[i] + x.carry[i] * x.rho[i];
  return share;
}

// (p − λ + kρ)(p' − λ' + k'ρ') = p p' + p(k'ρ' − λ') + p'(kρ − λ) + λλ' − k'λρ' − kρλ' + kk'ρρ', and the last
// is 0: both carries are multiples of 2^32.
Words Server::product(const Masked& x, const Masked& y) {
  const std::size_t n = x.size();
  const Words ll = preparation_.dealt(n), lr = preparation_.dealt(n), rl = preparation_.dealt(n);
  Words z(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Word hidden_x = x.carry[i] * x.rho[i] - x.lambda[i], hidden_y = y.carry[i] * y.rho[i] - y.lambda[i];
    z[i] = x.open[i] * ((first() ? y.open[i] : 0) + hidden_y) + y.open[i] * hidden_x + ll[i] -
           y.carry[i] * lr[i] - x.carry[i] * rl[i];
  }
  return z;
}

Words Server::product(const Opened& x, const Masked& y) {
  const std::size_t n = y.size();
  const Words al = preparation_.dealt(n), ar = preparation_.dealt(n);
  const Words share = share_of(y);
  Words z(n);
  for (std::size_t i = 0; i < n; ++i)
    z[i] = x.open[i] * share[i] + x.mask[i] * y.open[i] - al[i] + y.carry[i] * ar[i];
  return z;
}

Words deal_open(Dealer& dealer, std::size_t count) { return dealer.uniform(count); }

DealtMask deal_truncate(Dealer& dealer, std::size_t count, unsigned bits) {
  const Words r = dealer.uniform(count);
  DealtMask mask{Words(count), Words(count)};
  for (std::size_t i = 0; i < count; ++i) {
    mask.lambda[i] = r[i] >> bits;
    mask.rho[i] = r[i] >> 63;
  }
  dealer.deal(mask.lambda);
  dealer.deal(mask.rho);
  return mask;
}

DealtMask deal_constant(std::size_t count) { return {Words(count), Words(count)}; }

void deal_product(Dealer& dealer, const DealtMask& x, const DealtMask& y) {
  deal_product(dealer, x.lambda, y);
  Words rl(x.size());
  for (std::size_t i = 0; i < rl.size(); ++i) rl[i] = x.rho[i] * y.lambda[i];
  dealer.deal(rl);
}

void deal_product(Dealer& dealer, WordsView x, const DealtMask& y) {
  Words xl(y.size()), xr(y.size());
  for (std::size_t i = 0; i < xl.size(); ++i) {
    xl[i] = x[i] * y.lambda[i];
    xr[i] = x[i] * y.rho[i];
  }
  dealer.deal(xl);
  dealer.deal(xr);
}

}  // namespace tacit::shares
