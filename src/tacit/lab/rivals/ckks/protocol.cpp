#include "tacit/lab/rivals/ckks/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "tacit/base/error.hpp"
#include "tacit/lab/rivals/time_limit.hpp"

namespace tacit {
namespace {

using Costs = std::array<CkksPhaseCost, ckks_phases>;

// Adds the time until its destruction to a phase.
class Stopwatch {
 public:
  Stopwatch(Costs& costs, CkksPhase phase) : cost_(costs[static_cast<std::size_t>(phase)]) {}
  Stopwatch(const Stopwatch&) = delete;
  ~Stopwatch() {
    cost_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  CkksPhaseCost& cost_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// The results and costs of one side of the protocol, also if the run is stopped.
struct Side {
  Costs costs;
  Values sums;
  CkksPhase at = CkksPhase::common_random;  // the last phase begun
};

// What all sides of a run know.
struct Common {
  const Ckks& scheme;
  const CkksPolynomial& a;
  std::size_t length = 0;
  AgentId server = 0;
  double latency = 0;
  const RivalWatch& watch;

  std::size_t ciphertexts() const {
    const std::size_t slots = scheme.parameters().slots();
    return (length + slots - 1) / slots;
  }
  std::span<const double> part(const Values& values, std::size_t c) const {
    const std::size_t slots = scheme.parameters().slots(), begin = c * slots;
    return std::span(values).subspan(begin, std::min(slots, length - begin));
  }
};

// Called before a phase: throws TimeUp if the limit is exceeded. `rounds` of six are complete.
void begin(const Common& common, Side& side, CkksPhase phase, unsigned rounds) {
  side.at = phase;
  common.watch.check(1, common.latency * rounds, common.latency * (6 - rounds));
}

// Sends polynomials one after the other, with 8 bytes for each number.
void send(Channel& net, Costs& costs, CkksPhase phase, AgentId to, const Tag& tag,
          std::span<const CkksPolynomial* const> polynomials) {
  std::size_t size = 0;
  for (const CkksPolynomial* one : polynomials) size += one->values.size() * sizeof(long);
  Payload payload = net.buffer(size);
  std::byte* out = payload.bytes().data();
  for (const CkksPolynomial* one : polynomials) {
    std::memcpy(out, one->values.data(), one->values.size() * sizeof(long));
    out += one->values.size() * sizeof(long);
  }
  CkksPhaseCost& cost = costs[static_cast<std::size_t>(phase)];
  ++cost.messages;
  cost.bytes += size;
  net.send(to, tag, std::move(payload));
}

// Reads `count` polynomials of `limbs` limbs. Throws Error, which names the sender, for malformed bytes.
std::vector<CkksPolynomial> unpack(const Ckks& scheme, const Payload& payload, std::size_t count,
                                   std::size_t limbs, AgentId from) {
  const std::size_t n = scheme.ring().n(), each = n * limbs;
  if (payload.size() != count * each * sizeof(long))
    throw Error(fmt::format("CKKS: agent {} sent {} bytes instead of {}", from, payload.size(),
                            count * each * sizeof(long)));
  std::vector<CkksPolynomial> result;
  for (std::size_t c = 0; c < count; ++c) {
    CkksPolynomial& one = result.emplace_back(CkksPolynomial{std::vector<long>(each)});
    std::memcpy(one.values.data(), payload.bytes().data() + c * each * sizeof(long), each * sizeof(long));
    for (std::size_t l = 0; l < limbs; ++l)
      if (std::any_of(one.values.begin() + static_cast<std::ptrdiff_t>(l * n),
                      one.values.begin() + static_cast<std::ptrdiff_t>((l + 1) * n),
                      [q = scheme.ring().prime(l)](long v) { return v < 0 || v >= q; }))
        throw Error(fmt::format("CKKS: agent {} sent a number that is not below its prime", from));
  }
  return result;
}

std::vector<const CkksPolynomial*> pointers(const std::vector<CkksPolynomial>& all) {
  std::vector<const CkksPolynomial*> result;
  for (const CkksPolynomial& one : all) result.push_back(&one);
  return result;
}

Tag tag_of(std::uint32_t run, CkksPhase phase, Step step) {
  return {.run = run, .round = static_cast<std::uint32_t>(phase), .about = 0, .step = step};
}

// c0 and c1 of each ciphertext in turn.
std::vector<CkksPolynomial> encrypted(const Common& common, Costs& costs, const Values& mine,
                                      const CkksPolynomial& b, Prg& randomness) {
  std::vector<CkksPolynomial> result;
  for (std::size_t c = 0; c < common.ciphertexts(); ++c) {
    std::vector<Integer128> message;
    {
      const Stopwatch watch(costs, CkksPhase::encoding);
      message = common.scheme.encode(common.part(mine, c));
    }
    const Stopwatch watch(costs, CkksPhase::encryption);
    CkksCiphertext one = common.scheme.encrypt(message, b, common.a, randomness);
    result.push_back(std::move(one.c0));
    result.push_back(std::move(one.c1));
  }
  return result;
}

Task<bool> party(Run& net, const Common& common, const Values& mine, Side& side) {
  const std::uint32_t run = net.begin_run();
  const std::size_t limbs = common.scheme.ring().limbs(), ciphertexts = common.ciphertexts();
  CkksPolynomial secret;
  begin(common, side, CkksPhase::key_generation, 0);
  {
    const Stopwatch watch(side.costs, CkksPhase::key_generation);
    secret = common.scheme.secret(net.randomness());
    const CkksPolynomial share = common.scheme.key_share(common.a, secret, net.randomness());
    send(net, side.costs, CkksPhase::key_generation, common.server,
         tag_of(run, CkksPhase::key_generation, Step::key), std::array{&share});
    secret = common.scheme.lowered(secret);  // opening needs only the first limbs
  }
  const Payload key = co_await net.receive(common.server, tag_of(run, CkksPhase::common_key, Step::total));
  begin(common, side, CkksPhase::encryption, 2);
  {
    CkksPolynomial b;
    {
      const Stopwatch watch(side.costs, CkksPhase::common_key);
      b = std::move(unpack(common.scheme, key, 1, limbs, common.server)[0]);
    }
    auto all = encrypted(common, side.costs, mine, b, net.randomness());
    const Stopwatch watch(side.costs, CkksPhase::encryption);
    send(net, side.costs, CkksPhase::encryption, common.server,
         tag_of(run, CkksPhase::encryption, Step::vector), pointers(all));
    all = {};  // releasing memory is part of the measured time
  }
  const Payload sum = co_await net.receive(common.server, tag_of(run, CkksPhase::addition, Step::open));
  begin(common, side, CkksPhase::partial_decryption, 4);
  {
    const Stopwatch watch(side.costs, CkksPhase::partial_decryption);
    auto parts = unpack(common.scheme, sum, ciphertexts, Ckks::opened_limbs, common.server);
    for (CkksPolynomial& part : parts) part = common.scheme.partial(part, secret, net.randomness());
    send(net, side.costs, CkksPhase::partial_decryption, common.server,
         tag_of(run, CkksPhase::partial_decryption, Step::partial), pointers(parts));
  }
  const Payload result = co_await net.receive(common.server, tag_of(run, CkksPhase::merging, Step::total));
  const Stopwatch watch(side.costs, CkksPhase::merging);
  if (result.size() != common.length * sizeof(double))
    throw Error(fmt::format("CKKS: the server sent {} bytes instead of {}", result.size(),
                            common.length * sizeof(double)));
  side.sums.resize(common.length);
  std::memcpy(side.sums.data(), result.bytes().data(), result.size());
  co_return true;
}

// Adds polynomials to the sums, or starts the sums with them.
void add_up(const Ckks& scheme, std::vector<CkksPolynomial>& sums, std::vector<CkksPolynomial> more) {
  if (sums.empty()) {
    sums = std::move(more);
    return;
  }
  for (std::size_t k = 0; k < sums.size(); ++k) scheme.ring().add(sums[k], more[k]);
}

void send_sums(Channel& net, const Common& common, Costs& costs, const Values& sums, std::uint32_t run) {
  CkksPhaseCost& cost = costs[static_cast<std::size_t>(CkksPhase::merging)];
  for (AgentId i = 0; i < common.server; ++i) {
    Payload payload = net.buffer(sums.size() * sizeof(double));
    std::memcpy(payload.bytes().data(), sums.data(), payload.size());
    ++cost.messages;
    cost.bytes += payload.size();
    net.send(i, tag_of(run, CkksPhase::merging, Step::total), std::move(payload));
  }
}

Task<bool> server(Run& net, const Common& common, Side& side) {
  const Ckks& scheme = common.scheme;
  const std::uint32_t run = net.begin_run();
  const std::size_t limbs = scheme.ring().limbs(), ciphertexts = common.ciphertexts();
  std::vector<CkksPolynomial> key, sums;
  for (AgentId i = 0; i < common.server; ++i) {
    const Payload share = co_await net.receive(i, tag_of(run, CkksPhase::key_generation, Step::key));
    begin(common, side, CkksPhase::common_key, 1);
    const Stopwatch watch(side.costs, CkksPhase::common_key);
    add_up(scheme, key, unpack(scheme, share, 1, limbs, i));
  }
  for (AgentId i = 0; i < common.server; ++i) {
    const Stopwatch watch(side.costs, CkksPhase::common_key);
    send(net, side.costs, CkksPhase::common_key, i, tag_of(run, CkksPhase::common_key, Step::total),
         pointers(key));
  }
  for (AgentId i = 0; i < common.server; ++i) {
    const Payload one = co_await net.receive(i, tag_of(run, CkksPhase::encryption, Step::vector));
    begin(common, side, CkksPhase::addition, 3);
    const Stopwatch watch(side.costs, CkksPhase::addition);
    add_up(scheme, sums, unpack(scheme, one, 2 * ciphertexts, limbs, i));
  }
  std::vector<CkksPolynomial> opened, asked;  // c0, to which parts are added, and c1
  {
    const Stopwatch watch(side.costs, CkksPhase::addition);
    for (std::size_t c = 0; c < ciphertexts; ++c) {
      opened.push_back(scheme.lowered(sums[2 * c]));
      asked.push_back(scheme.lowered(sums[2 * c + 1]));
    }
    sums.clear();
    for (AgentId i = 0; i < common.server; ++i)
      send(net, side.costs, CkksPhase::addition, i, tag_of(run, CkksPhase::addition, Step::open),
           pointers(asked));
  }
  for (AgentId i = 0; i < common.server; ++i) {
    const Payload part = co_await net.receive(i, tag_of(run, CkksPhase::partial_decryption, Step::partial));
    begin(common, side, CkksPhase::merging, 5);
    const Stopwatch watch(side.costs, CkksPhase::merging);
    add_up(scheme, opened, unpack(scheme, part, ciphertexts, Ckks::opened_limbs, i));
  }
  const Stopwatch watch(side.costs, CkksPhase::merging);
  for (std::size_t c = 0; c < ciphertexts; ++c) {
    const std::vector<double> values =
        scheme.decode(opened[c], std::min(scheme.parameters().slots(), common.length - side.sums.size()));
    side.sums.insert(side.sums.end(), values.begin(), values.end());
  }
  send_sums(net, common, side.costs, side.sums, run);
  co_return true;
}

Costs total(const std::vector<Side>& sides) {
  Costs costs;
  for (const Side& side : sides)
    for (std::size_t p = 0; p < ckks_phases; ++p) {
      costs[p].seconds += side.costs[p].seconds;
      costs[p].longest = std::max(costs[p].longest, side.costs[p].seconds);
      costs[p].messages += side.costs[p].messages;
      costs[p].bytes += side.costs[p].bytes;
    }
  return costs;
}

void measure_errors(CkksRun& run, const Common& common, const std::vector<Values>& values) {
  for (std::size_t k = 0; k < common.length; ++k) {
    double plain = 0;
    for (const Values& one : values) plain += one[k];
    run.error = std::max(run.error, std::abs(run.sums[k] - plain));
  }
  const std::span<const double> first = common.part(values[0], 0);
  const std::vector<double> again =
      common.scheme.embedding().decode(common.scheme.encode(first), first.size());
  for (std::size_t k = 0; k < first.size(); ++k)
    run.encoding_error = std::max(run.encoding_error, std::abs(again[k] - first[k]));
}

}  // namespace

std::string_view phase_name(CkksPhase phase) {
  static constexpr std::array<std::string_view, ckks_phases> names{
      "common random polynomial", "key generation", "common key", "encoding", "encryption", "addition",
      "partial decryption",       "merging"};
  return names[static_cast<std::size_t>(phase)];
}

CkksRun run_ckks(const Ckks& scheme, const std::vector<Values>& values, const SimulatorOptions& options,
                 double limit_seconds) {
  const auto parties = static_cast<AgentId>(values.size());
  const RivalWatch watch(limit_seconds, 0);
  Costs setup;
  CkksPolynomial a;
  {
    const Stopwatch stopwatch(setup, CkksPhase::common_random);
    Prg agreed = Prg::from_seed(options.seed, "ckks common", 0);
    a = scheme.common_random(agreed);
  }
  const Common common{scheme, a, values[0].size(), parties, options.network.latency, watch};
  std::vector<Edge> star;
  for (AgentId i = 0; i < parties; ++i) star.emplace_back(i, parties);
  Simulator simulator(Graph(parties + std::size_t{1}, star), options);
  std::vector<Side> sides(parties + std::size_t{1});
  CkksRun run;
  run.ciphertexts = common.ciphertexts();
  run.bound = error_bound(scheme.parameters(), parties);
  try {
    simulator.run<bool>([&](Run& net) {
      Side& side = sides[net.self()];
      return net.self() == common.server ? server(net, common, side)
                                         : party(net, common, values[net.self()], side);
    });
    run.sums = sides[0].sums;
    measure_errors(run, common, values);
  } catch (const TimeUp& stop) {
    run.stopped_after = stop.seconds;
    run.stopped_in = std::ranges::max(sides, {}, &Side::at).at;
  }
  run.phases = total(sides);
  run.phases[0].seconds = run.phases[0].longest = setup[0].seconds;
  run.cost = simulator.cost();
  return run;
}

CkksRun run_ckks(const CkksParameters& parameters, const std::vector<Values>& values,
                 const SimulatorOptions& options, double limit_seconds) {
  check_security(parameters);
  return run_ckks(Ckks(parameters, values.size()), values, options, limit_seconds);
}

}  // namespace tacit
