#include "tacit/lab/rivals/shares/server.hpp"

#include <fmt/format.h>

#include <cstring>

#include "tacit/base/error.hpp"
#include "tacit/base/simd.hpp"

namespace tacit::shares {
namespace {

constexpr Word offset = Word{1} << 62;  // makes |z| < 2^62 positive

Words part_of(const Words& all, std::size_t from, std::size_t count) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(from);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

void append_to(Words& all, const Words& more) { all.insert(all.end(), more.begin(), more.end()); }

// Only the first server counts public numbers: all bits there, none at the other server.
Word counted(bool first) { return first ? ~Word{0} : 0; }

// The loops below take most of a server's time. Without `__restrict`, the compiler would have to check eleven
// arrays for overlaps, and does not vectorise.

TACIT_SIMD void cut_off(Words& opened, Words& carries, unsigned bits) {
  const Word back = offset >> bits, step = bits == 0 ? 0 : Word{1} << (64 - bits);
  Word* __restrict const open = opened.data();
  Word* __restrict const carry = carries.data();
  for (std::size_t i = 0; i < opened.size(); ++i) {
    carry[i] = ((open[i] >> 63) - 1) & step;
    open[i] = (open[i] >> bits) - back;
  }
}

TACIT_SIMD_PRODUCTS void put_share(Words& out, const Masked& x, Word mine) {
  Word* __restrict const share = out.data();
  const Word *open = x.open.data(), *carry = x.carry.data(), *lambda = x.lambda.data(), *rho = x.rho.data();
  for (std::size_t i = 0; i < out.size(); ++i) share[i] = (open[i] & mine) - lambda[i] + carry[i] * rho[i];
}

// z contains λλ' on entry; see Server::product.
TACIT_SIMD_PRODUCTS void add_masked_product(Words& z, const Masked& x, const Masked& y, const Words& dealt_lr,
                                            const Words& dealt_rl, Word mine) {
  Word* __restrict const out = z.data();
  const Word *px = x.open.data(), *kx = x.carry.data(), *lx = x.lambda.data(), *rx = x.rho.data();
  const Word *py = y.open.data(), *ky = y.carry.data(), *ly = y.lambda.data(), *ry = y.rho.data();
  const Word *lr = dealt_lr.data(), *rl = dealt_rl.data();
  for (std::size_t i = 0; i < z.size(); ++i)
    out[i] += px[i] * ((py[i] & mine) + ky[i] * ry[i] - ly[i]) + py[i] * (kx[i] * rx[i] - lx[i]) -
              ky[i] * lr[i] - kx[i] * rl[i];
}

// z contains λ² on entry; see Server::square.
TACIT_SIMD_PRODUCTS void add_masked_square(Words& z, const Masked& x, const Words& dealt_lr, Word mine) {
  Word* __restrict const out = z.data();
  const Word *open = x.open.data(), *carry = x.carry.data(), *lambda = x.lambda.data(), *rho = x.rho.data();
  const Word* const lr = dealt_lr.data();
  for (std::size_t i = 0; i < z.size(); ++i)
    out[i] += open[i] * ((open[i] & mine) + 2 * (carry[i] * rho[i] - lambda[i])) - 2 * carry[i] * lr[i];
}

// z contains the share of y on entry; al and ar are the dealt products of the mask of x with λ and ρ.
TACIT_SIMD_PRODUCTS void multiply_opened(Words& z, const Opened& x, const Masked& y, const Words& dealt_al,
                                         const Words& dealt_ar) {
  Word* __restrict const out = z.data();
  const Word *open = x.open.data(), *mask = x.mask.data(), *py = y.open.data(), *ky = y.carry.data();
  const Word *al = dealt_al.data(), *ar = dealt_ar.data();
  for (std::size_t i = 0; i < z.size(); ++i)
    out[i] = open[i] * out[i] + mask[i] * py[i] - al[i] + ky[i] * ar[i];
}

TACIT_SIMD_PRODUCTS Words products(WordsView a, WordsView b) {
  Words result(b.size());
  Word* __restrict const out = result.data();
  for (std::size_t i = 0; i < b.size(); ++i) out[i] = a[i] * b[i];
  return result;
}

}  // namespace

Masked Masked::part(std::size_t from, std::size_t count) const {
  return {part_of(open, from, count), part_of(carry, from, count), part_of(lambda, from, count),
          part_of(rho, from, count)};
}

DealtMask DealtMask::part(std::size_t from, std::size_t count) const {
  return {part_of(lambda, from, count), part_of(rho, from, count)};
}

void Masked::append(const Masked& more) {
  append_to(open, more.open);
  append_to(carry, more.carry);
  append_to(lambda, more.lambda);
  append_to(rho, more.rho);
}

void DealtMask::append(const DealtMask& more) {
  append_to(lambda, more.lambda);
  append_to(rho, more.rho);
}

void send_words(Channel& net, AgentId to, const Tag& tag, WordsView words) {
  Payload message = net.buffer(words.size_bytes());
  if (!words.empty()) std::memcpy(message.bytes().data(), words.data(), message.size());
  net.send(to, tag, std::move(message));
}

Words words_of(const Payload& message, std::size_t count) {
  if (message.size() != count * sizeof(Word))
    throw Error(fmt::format("a message of two servers has {} bytes instead of {}", message.size(),
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
  cut_off(x.open, x.carry, bits);
  co_return x;
}

Masked Server::constant(std::size_t count, Word value) const {
  return {Words(count, value), Words(count), Words(count), Words(count)};
}

Words Server::share_of(const Masked& x) const {
  Words share(x.size());
  put_share(share, x, counted(first()));
  return share;
}

// (p − λ + kρ)(p' − λ' + k'ρ') = p p' + p(k'ρ' − λ') + p'(kρ − λ) + λλ' − k'λρ' − kρλ' + kk'ρρ'. The last
// term is 0, because both carries are multiples of 2^32.
Words Server::product(const Masked& x, const Masked& y) {
  const std::size_t n = x.size();
  Words z = preparation_.dealt(n);
  const Words lr = preparation_.dealt(n), rl = preparation_.dealt(n);
  add_masked_product(z, x, y, lr, rl, counted(first()));
  return z;
}

// The same for x = y: p² + 2p(kρ − λ) + λ² − 2kλρ.
Words Server::square(const Masked& x) {
  Words z = preparation_.dealt(x.size());
  const Words lr = preparation_.dealt(x.size());
  add_masked_square(z, x, lr, counted(first()));
  return z;
}

Words Server::product(const Opened& x, const Masked& y) {
  const std::size_t n = y.size();
  const Words al = preparation_.dealt(n), ar = preparation_.dealt(n);
  Words z = share_of(y);
  multiply_opened(z, x, y, al, ar);
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
  dealer.deal(products(x.rho, y.lambda));
}

void deal_square(Dealer& dealer, const DealtMask& x) { deal_product(dealer, x.lambda, x); }

void deal_product(Dealer& dealer, WordsView x, const DealtMask& y) {
  dealer.deal(products(x, y.lambda));
  dealer.deal(products(x, y.rho));
}

}  // namespace tacit::shares
