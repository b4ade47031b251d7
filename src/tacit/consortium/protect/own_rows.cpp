#include "tacit/consortium/protect/own_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tacit/base/error.hpp"
#include "tacit/secrecy/signature.hpp"

namespace tacit {
namespace {

double keyed_share(std::span<const std::byte> secret, std::uint64_t slot) {
  const Digest digest = digest_of({secret, std::as_bytes(std::span(&slot, 1))});
  std::uint64_t bits = 0;
  std::memcpy(&bits, digest.data(), sizeof bits);
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace

OwnRows::OwnRows(const Samples& rows, std::span<const std::uint64_t> slots, std::span<const std::byte> secret,
                 std::size_t most) {
  if (rows.outputs.cols() != 1)
    throw InputError(fmt::format("a protected fit learns one target at a time, not {}", rows.outputs.cols()));
  if (rows.inputs.rows() != rows.outputs.rows() ||
      static_cast<std::size_t>(rows.inputs.rows()) != slots.size())
    throw InputError(fmt::format("{} rows have {} targets and {} slots", rows.inputs.rows(),
                                 rows.outputs.rows(), slots.size()));
  struct Place {
    double hash;
    std::uint64_t slot;
    Index row;
  };
  std::vector<Place> order;
  for (Index row = 0; row < rows.inputs.rows(); ++row)
    if (rows.inputs.row(row).allFinite() && rows.outputs.row(row).allFinite())
      order.push_back({keyed_share(secret, slots[static_cast<std::size_t>(row)]),
                       slots[static_cast<std::size_t>(row)], row});
  const auto before = [&](const Place& a, const Place& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    if (a.slot != b.slot) return a.slot < b.slot;
    for (Index k = 0; k < rows.inputs.cols(); ++k)
      if (rows.inputs(a.row, k) != rows.inputs(b.row, k))
        return rows.inputs(a.row, k) < rows.inputs(b.row, k);
    return rows.outputs(a.row, 0) < rows.outputs(b.row, 0);
  };
  std::ranges::sort(order, before);
  inputs_.resize(rows.inputs.cols(), static_cast<Index>(order.size()));
  targets_.resize(static_cast<Index>(order.size()));
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto at = static_cast<Index>(k);
    if (k == 0 || order[k].slot != order[k - 1].slot) {
      first_.push_back(at);
      hash_.push_back(order[k].hash);
    }
    inputs_.col(at) = rows.inputs.row(order[k].row).transpose();
    targets_(at) = rows.outputs(order[k].row, 0);
  }
  first_.push_back(static_cast<Index>(order.size()));
  if (keys() > most)
    throw InputError(fmt::format("there are {} keys, but the agreement allows {}", keys(), most));
}

KeyTerms mean_terms(const OwnRows& rows, std::function<void(Index row, std::span<double> term)> write) {
  return {rows.keys(),
          [&rows, write = std::move(write), one = Values()](std::size_t key, std::span<double> term) mutable {
            const Index many = rows.end(key) - rows.first(key);
            if (many == 1) return write(rows.first(key), term);
            for (Index row = rows.first(key); row < rows.end(key); ++row) {
              one.assign(term.size(), 0.0);
              write(row, one);
              for (std::size_t k = 0; k < term.size(); ++k) term[k] += one[k];
            }
            for (double& number : term) number /= static_cast<double>(many);
          }};
}

}  // namespace tacit
