#include "tacit/table/rows/row_blocks.hpp"

#include <fmt/format.h>

#include <numeric>
#include <random>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

// Returns a number below `bound`; all are equally likely. The first 2^64 mod bound values of the generator
// are dropped, so that the others are distributed evenly over the remainders.
std::uint64_t draw_below(std::uint64_t bound, std::mt19937_64& generator) {
  const std::uint64_t surplus = (0 - bound) % bound;
  std::uint64_t drawn = generator();
  while (drawn < surplus) drawn = generator();
  return drawn % bound;
}

}  // namespace

std::vector<std::size_t> shuffled_rows(std::size_t rows, std::uint64_t seed) {
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 generator(seed);
  for (std::size_t left = rows; left > 1; --left) {
    std::swap(order[left - 1], order[static_cast<std::size_t>(draw_below(left, generator))]);
  }
  return order;
}

std::vector<std::vector<std::size_t>> contiguous_blocks(std::span<const std::size_t> rows,
                                                        std::size_t agents) {
  if (agents == 0) throw InputError("There are no agents to split the rows among; use at least one.");
  if (rows.size() < agents) {
    throw InputError(fmt::format(
        "{} row{} cannot be split among {} agents, because each needs at least one; use more rows or "
        "fewer agents.",
        rows.size(), rows.size() == 1 ? "" : "s", agents));
  }
  const std::size_t size = rows.size() / agents, larger = rows.size() % agents;
  std::vector<std::vector<std::size_t>> blocks;
  blocks.reserve(agents);
  for (std::size_t agent = 0; agent < agents; ++agent) {
    const auto block = rows.first(size + (agent < larger ? 1 : 0));
    blocks.emplace_back(block.begin(), block.end());
    rows = rows.subspan(block.size());
  }
  return blocks;
}

}  // namespace tacit
