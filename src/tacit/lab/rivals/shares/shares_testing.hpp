// Two servers without parties, for tests of their computations.
#pragma once

#include <array>
#include <cstring>
#include <deque>

#include "tacit/lab/rivals/shares/server.hpp"
#include "tacit/lab/simulator/simulator.hpp"

namespace tacit::shares {

/// This server's shares of numbers known to the test.
inline Words share_of_secret(const Server& server, const Words& secret) {
  Prg stream = Prg::from_seed(5, "secret", 0);
  Words share(secret.size());
  stream.fill(std::as_writable_bytes(std::span(share)));
  if (server.first()) return share;
  Words rest = secret;
  subtract_from(rest, share);
  return rest;
}

template <class T>
struct TwoServers {
  std::vector<T> results;
  SimulationCost cost;
};

/// Deals, then runs the program at both servers.
template <class T>
TwoServers<T> on_two_servers(const std::function<void(Dealer&)>& deal,
                             const std::function<Task<T>(Server&)>& program, std::uint64_t seed = 1) {
  const auto stream = [&](std::uint64_t id) { return Prg::from_seed(seed, "preparation", id); };
  std::deque<Words> pieces;
  Dealer dealer(stream(0), stream(1),
                [&](WordsView piece) { pieces.emplace_back(piece.begin(), piece.end()); });
  deal(dealer);
  dealer.finish();
  if (pieces.back().empty()) pieces.pop_back();
  Simulator simulator(
      Graph(2, {{0, 1}}),
      {.threads = 1, .seed = seed, .network = {.latency = 1}, .coalition = {}, .progress = nullptr});
  std::deque<Server> servers;
  TwoServers<T> run;
  run.results = simulator.run<T>([&](Channel& net) {
    const unsigned id = net.self();
    servers.emplace_back(net, id, Preparation(id, stream(id), id == 0 ? std::deque<Words>() : pieces));
    return program(servers.back());
  });
  run.cost = simulator.cost();
  if (!servers[1].preparation().used_up()) throw Error("the dealer has dealt more numbers than were used");
  return run;
}

/// χ² of four bits of each number, with 15 degrees of freedom. It exceeds 60 once in ten million times.
inline double chi_squared(const Words& words, unsigned shift) {
  std::array<double, 16> counts{};
  for (const Word x : words) ++counts[(x >> shift) & 15];
  const double expected = static_cast<double>(words.size()) / 16;
  double sum = 0;
  for (const double count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

/// The words of a recorded message.
inline Words words_of_bytes(const std::vector<std::byte>& bytes) {
  Words words(bytes.size() / sizeof(Word));
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

/// The numbers of which the servers have these shares.
inline Words sum_of(const std::vector<Words>& shares) {
  Words sum = shares.at(0);
  add_to(sum, shares.at(1));
  return sum;
}

}  // namespace tacit::shares
