#include "tacit/lab/rivals/shares/shares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>

#include "tacit/base/error.hpp"
#include "tacit/lab/rivals/shares/party.hpp"
#include "tacit/lab/rivals/time_limit.hpp"
#include "tacit/lab/simulator/simulator.hpp"

namespace tacit {
namespace shares {
namespace {

constexpr AgentId dealer_id = 2;  // in the network of the preparation
constexpr Tag key_tag{.run = 0, .round = 0, .about = 0, .step = Step::key};
Tag dealt_tag(std::uint32_t piece) { return {.run = 0, .round = piece, .about = 0, .step = Step::share}; }

// The cost of the simulator's runs since `before`.
SharesPhase phase_since(const SimulationCost& before, const SimulationCost& now) {
  return {now.work_seconds - before.work_seconds,
          now.busiest_seconds - before.busiest_seconds,
          now.network_seconds - before.network_seconds,
          now.rounds - before.rounds,
          now.messages - before.messages,
          now.bytes - before.bytes};
}

// Two connected servers, and other agents that are connected to both.
Graph servers_and(std::size_t others) {
  std::vector<Edge> edges{{0, 1}};
  for (std::size_t i = 0; i < others; ++i)
    for (const AgentId server : {0U, 1U}) edges.push_back({server, first_party + static_cast<AgentId>(i)});
  return Graph(2 + others, std::move(edges));
}

// The fraction of an inversion's work in its first columns. The column after x N columns takes x(1 − x) +
// x²/2.
double part_done(std::size_t columns, std::size_t all) {
  const double x = static_cast<double>(columns) / static_cast<double>(all);
  return (3 - x) * x * x / 2;
}

Prg stream_of(const Payload& key) { return Prg::from_key(Prg::Key(key.bytes().first<Prg::key_bytes>())); }

Task<std::optional<Preparation>> deal(Channel& net, const Shape& shape, const RivalWatch& watch) {
  std::vector<Prg> streams;
  for (const AgentId server : {0U, 1U}) {
    Payload key = net.buffer(Prg::key_bytes);
    net.randomness().fill(key.bytes());
    streams.push_back(stream_of(key));
    net.send(server, key_tag, std::move(key));
  }
  std::uint32_t piece = 0;
  Dealer dealer(std::move(streams[0]), std::move(streams[1]),
                [&](WordsView words) { send_words(net, 1, dealt_tag(piece++), words); });
  deal_covariances(dealer, shape);
  watch.check(1, 0, 0);
  const RivalWatch inverting = watch.next();
  const DealtInverses inverses = deal_inverses(dealer, shape, [&](std::size_t column) {
    inverting.check(part_done(column + 1, shape.most_rows()), 0, 0);
  });
  deal_prediction(dealer, shape, inverses);
  dealer.finish();
  co_return std::nullopt;
}

Task<std::optional<Preparation>> receive_preparation(Channel& net) {
  const Payload key = co_await net.receive(dealer_id, key_tag);
  std::deque<Words> pieces;
  for (std::size_t last = piece_words; net.self() == 1 && last == piece_words; last = pieces.back().size()) {
    const Payload message =
        co_await net.receive(dealer_id, dealt_tag(static_cast<std::uint32_t>(pieces.size())));
    pieces.push_back(words_of(message, message.size() / sizeof(Word)));
  }
  if (!pieces.empty() && pieces.back().empty()) pieces.pop_back();
  co_return Preparation(net.self(), stream_of(key), std::move(pieces));
}

// The state of a server between the phases.
struct State {
  explicit State(Server one) : server(std::move(one)) {}
  Server server;
  std::vector<Rows> rows;
  std::vector<Covariances> covariances;
  Inverses inverses;
  FusedShares fused;
};

Task<bool> step_sharing(State& state, const Shape& shape) {
  state.rows = co_await receive_rows(state.server, shape);
  co_return true;
}

Task<bool> step_kernel(State& state, const Shape& shape) {
  state.covariances = co_await covariances(state.server, shape, state.rows);
  co_return true;
}

Task<bool> step_inversion(State& state, const Shape& shape, const RivalWatch& watch, double latency) {
  std::vector<Words> below;
  for (Covariances& one : state.covariances) below.push_back(std::move(one.pairs));
  const std::uint64_t before = state.server.rounds(), all = inversion_rounds(shape, shape.most_rows());
  AfterColumn check;
  if (state.server.first())
    check = [&](std::size_t column) {
      const std::uint64_t done = state.server.rounds() - before;
      watch.check(part_done(column + 1, shape.most_rows()), latency * static_cast<double>(done),
                  latency * static_cast<double>(all - done));
    };
  state.inverses = co_await invert(state.server, shape, below, check);
  co_return true;
}

Task<bool> step_prediction(State& state, const Shape& shape) {
  state.fused = co_await predict(state.server, shape, state.covariances, state.rows, state.inverses);
  if (!state.server.preparation().used_up())
    throw Error("internal error: the dealer has dealt too many numbers");
  co_return true;
}

Task<bool> nothing() { co_return true; }
Task<Prediction> no_prediction(Task<bool> task) {
  co_await std::move(task);
  co_return Prediction{};
}

// One group of outputs from preparation to opening.
class GroupRun {
 public:
  GroupRun(const Parties& parties, const OutputHyperparameters& shared, const SharesOptions& options,
           const Shape& shape, std::uint64_t seed, SharesRun& result)
      : question_{parties, shared, shape, input_centre(parties)},
        shape_(shape),
        options_(options),
        seed_(seed),
        result_(result),
        simulator_(servers_and(shape.parties), simulator_options()) {}

  // Returns the group's part of the prediction.
  Prediction run() {
    prepare();
    phase("sharing", result_.sharing, [&](Channel& net) {
      return is_server(net) ? step_sharing(at(net), shape_) : send_rows(net, question_);
    });
    phase("kernel", result_.kernel,
          [&](Channel& net) { return is_server(net) ? step_kernel(at(net), shape_) : nothing(); });
    const RivalWatch watch(options_.limit_seconds, result_.seconds());
    phase("inversion", result_.inversion, [&](Channel& net) {
      return is_server(net) ? step_inversion(at(net), shape_, watch, options_.latency) : nothing();
    });
    phase("prediction", result_.prediction_phase,
          [&](Channel& net) { return is_server(net) ? step_prediction(at(net), shape_) : nothing(); });
    return open();
  }

 private:
  SimulatorOptions simulator_options() const {
    return {.threads = options_.threads,
            .seed = seed_,
            .network = {.latency = options_.latency},
            .coalition = {},
            .progress = nullptr};
  }
  static bool is_server(const Channel& net) { return net.self() < first_party; }
  State& at(const Channel& net) { return servers_[net.self()]; }

  void prepare() {
    result_.stopped_in = "preparation";
    Simulator simulator(servers_and(1), simulator_options());
    const RivalWatch watch(options_.limit_seconds, result_.preparation.seconds());
    auto dealt = simulator.run<std::optional<Preparation>>([&](Channel& net) {
      return net.self() == dealer_id ? deal(net, shape_, watch) : receive_preparation(net);
    });
    result_.preparation += phase_since({}, simulator.cost());
    for (unsigned id : {0U, 1U}) prepared_.push_back(std::move(*dealt[id]));
  }

  void phase(const char* name, SharesPhase& into, const std::function<Task<bool>(Channel&)>& program) {
    result_.stopped_in = name;
    const SimulationCost before = simulator_.cost();
    simulator_.run<bool>([&](Channel& net) {
      if (is_server(net) && servers_.size() <= net.self())
        servers_.emplace_back(Server(net, net.self(), std::move(prepared_[net.self()])));
      return program(net);
    });
    into += phase_since(before, simulator_.cost());
    RivalWatch(options_.limit_seconds, result_.seconds()).check(1, 0, 0);
  }

  Prediction open() {
    result_.stopped_in = "opening";
    const SimulationCost before = simulator_.cost();
    const auto answers = simulator_.run<Prediction>([&](Channel& net) {
      return is_server(net) ? no_prediction(send_answer(at(net).server, shape_, at(net).fused))
                            : receive_answer(net, question_);
    });
    result_.opening += phase_since(before, simulator_.cost());
    return answers[first_party];
  }

  const Question question_;
  const Shape& shape_;
  const SharesOptions& options_;
  const std::uint64_t seed_;
  SharesRun& result_;
  std::vector<Preparation> prepared_;
  std::deque<State> servers_;  // their coroutines hold references
  Simulator simulator_;
};

// Splits the outputs into groups whose preparation fits in most_preparation.
std::vector<Shape> groups_of(const Parties& parties, const OutputHyperparameters& shared,
                             const SharesOptions& options) {
  std::vector<std::vector<std::size_t>> groups;
  double bytes = 0;
  for (std::size_t output = 0; output < shared.size(); ++output) {
    const Shape alone = shape_of(parties, shared, {output}, options.noise_in_variance);
    double more = 0;
    for (const Job& job : alone.jobs) more += preparation_bytes(alone, job);
    if (groups.empty() || bytes + more > static_cast<double>(options.most_preparation)) {
      groups.emplace_back();
      bytes = 0;
    }
    groups.back().push_back(output);
    bytes += more;
  }
  std::vector<Shape> shapes;
  for (const auto& group : groups)
    shapes.push_back(shape_of(parties, shared, group, options.noise_in_variance));
  return shapes;
}

void check_parties(const Parties& parties, const OutputHyperparameters& shared) {
  if (parties.agents.empty() || parties.test.inputs.rows() == 0)
    throw InputError("two servers need at least one party and one test point");
  if (shared.size() != parties.columns.targets.size())
    throw InputError(fmt::format("there are {} outputs but hyperparameters for {}; give them for each output",
                                 parties.columns.targets.size(), shared.size()));
  for (const Samples& agent : parties.agents)
    if (agent.inputs.rows() == 0) throw InputError("a party has no rows; leave it out");
}

}  // namespace
}  // namespace shares

SharesPhase& SharesPhase::operator+=(const SharesPhase& other) {
  work_seconds += other.work_seconds;
  longest_seconds += other.longest_seconds;
  network_seconds += other.network_seconds;
  rounds += other.rounds;
  messages += other.messages;
  bytes += other.bytes;
  return *this;
}

SharesPhase SharesRun::online() const {
  SharesPhase sum = sharing;
  for (const SharesPhase* one : {&kernel, &inversion, &prediction_phase, &opening}) sum += *one;
  return sum;
}

SharesRun run_shares(const Parties& parties, const OutputHyperparameters& shared,
                     const SharesOptions& options) {
  shares::check_parties(parties, shared);
  SharesRun result;
  const auto points = parties.test.inputs.rows(), outputs = static_cast<Index>(shared.size());
  Prediction prediction{Matrix(points, outputs), Matrix(points, outputs)};
  const std::vector<shares::Shape> groups = shares::groups_of(parties, shared, options);
  for (const shares::Shape& shape : groups)
    for (const shares::Job& job : shape.jobs) {
      ++result.inversions;
      result.rounds_of_inversions += shares::inversion_rounds(shape, job.rows);
    }
  try {
    std::uint64_t seed = options.seed;
    for (const shares::Shape& shape : groups) {
      const Prediction part = shares::GroupRun(parties, shared, options, shape, seed++, result).run();
      for (std::size_t k = 0; k < shape.outputs.size(); ++k) {
        prediction.mean.col(static_cast<Index>(shape.outputs[k])) = part.mean.col(static_cast<Index>(k));
        prediction.latent_variance.col(static_cast<Index>(shape.outputs[k])) =
            part.latent_variance.col(static_cast<Index>(k));
      }
    }
    result.prediction = std::move(prediction);
    result.stopped_in.clear();
  } catch (const TimeUp& stop) {
    result.stopped_after = stop.seconds;
  }
  return result;
}

}  // namespace tacit
