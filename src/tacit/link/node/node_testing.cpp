#include "tacit/link/node/node_testing.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>

#include "tacit/identity/encoding.hpp"
#include "tacit/protocol/exact/exact.hpp"

namespace tacit::testing {
namespace {

std::size_t lines_with(const std::vector<std::string>& log, const std::string& words) {
  return static_cast<std::size_t>(
      std::ranges::count_if(log, [&](const std::string& line) { return says(line, words); }));
}

}  // namespace

std::uint64_t seed() {
  const char* given = std::getenv("TACIT_SEED");
  return given ? std::stoull(given) : std::random_device{}();
}

std::string loopback_host() {
  std::random_device random;
  return fmt::format("127.{}.{}.{}", 1 + random() % 254, random() % 256, 1 + random() % 254);
}

double term_of(AgentId agent, std::size_t agents) { return std::pow(agents > 7 ? 2 : 10, agent); }

NodeProgram adding(std::size_t agents) {
  NodeProgram program;
  program.program = [agents](Run& net, const RunDescription& run) -> Task<std::string> {
    ExactRequest request;
    request.agents = agents;
    request.value_bound = 1e6;
    request.unit = 1;
    request.originator = run.originator;
    request.fewest = 2;
    request.collusion = 0;
    const ExactPlan plan = make_exact_plan(request);
    const Values sum = co_await exact_sum(net, plan, Values(1, term_of(net.self(), agents)));
    double expected = 0;
    for (const AgentId agent : run.roster) expected += term_of(agent, agents);
    if (sum[0] != expected || net.gathering().roster != run.roster) throw Error("A WRONG NUMBER");
    co_return std::to_string(static_cast<int>(sum[0]));
  };
  return program;
}

int sum_in(const RunOutcome& outcome) {
  EXPECT_FALSE(says(outcome.error, "A WRONG NUMBER"));
  EXPECT_TRUE(outcome.done) << outcome.error;
  return outcome.done ? std::stoi(outcome.result) : -1;
}

TestNetwork::TestNetwork(Graph graph, Timeouts timeouts)
    : own_folder_(std::make_unique<ScratchFolder>()),
      folder_(own_folder_->path),
      graph_(std::move(graph)),
      timeouts_(timeouts) {
  Prg randomness = Prg::from_os();
  const std::string host = loopback_host();
  for (AgentId i = 0; i < graph_.agents(); ++i) {
    std::vector<std::byte> seed(32);
    randomness.fill(seed);
    settle(i, fmt::format("{}:{}", host, 7500 + i), seed, make_tls_keys("agent-" + std::to_string(i)));
  }
  nodes_.resize(graph_.agents());
}

void TestNetwork::settle(AgentId agent, const std::string& address, std::span<const std::byte> seed,
                         TlsKeys keys) {
  seeds_.emplace_back(seed.begin(), seed.end());
  identities_.emplace_back(Identity::Seed(seed.first<32>()));
  peers_.push_back(
      {"agent-" + std::to_string(agent), address, keys.certificate, identities_.back().public_key()});
  keys_.push_back(std::move(keys));
}

void TestNetwork::write(const std::filesystem::path& file) const {
  nlohmann::json network{{"edges", graph_.edge_list()},
                         {"timeouts",
                          {timeouts_.handshake.count(), timeouts_.keepalive.count(), timeouts_.loss.count(),
                           timeouts_.silence.count(), timeouts_.gather.count(), timeouts_.start.count(),
                           timeouts_.queue.count()}}};
  for (AgentId i = 0; i < agents(); ++i)
    network["agents"].push_back({{"address", peers_[i].address},
                                 {"seed", hex(seeds_[i])},
                                 {"key", std::string(keys_[i].key.begin(), keys_[i].key.end())},
                                 {"certificate", keys_[i].certificate}});
  std::ofstream(file) << network;
}

TestNetwork::TestNetwork(const std::filesystem::path& file)
    : folder_(file.parent_path()), graph_(Graph(1, {})) {
  std::ifstream in(file);
  const nlohmann::json network = nlohmann::json::parse(in);
  graph_ = Graph(network["agents"].size(), network["edges"].get<std::vector<Edge>>());
  const auto times = network["timeouts"].get<std::vector<long>>();
  Milliseconds* const fields[] = {&timeouts_.handshake, &timeouts_.keepalive, &timeouts_.loss,
                                  &timeouts_.silence,   &timeouts_.gather,    &timeouts_.start,
                                  &timeouts_.queue};
  for (std::size_t k = 0; k < times.size(); ++k) *fields[k] = Milliseconds(times[k]);
  for (const auto& agent : network["agents"]) {
    std::vector<std::byte> seed(32);
    from_hex(agent["seed"].get<std::string>(), seed);
    const auto key = agent["key"].get<std::string>();
    settle(static_cast<AgentId>(peers_.size()), agent["address"], seed,
           {SecretText(key.begin(), key.end()), agent["certificate"]});
  }
  nodes_.resize(graph_.agents());
}

NodeOptions TestNetwork::options(AgentId agent) const {
  NodeOptions options;
  options.self = agent;
  options.everybody = peers_;
  options.graph = graph_;
  options.agreement.fields = {{"title", "a test network"}, {"columns.age", "0..100"}};
  options.listen = peers_[agent].address;
  options.private_key = keys_[agent].key;
  options.identity = &identities_[agent];
  options.journal = folder_ / ("journal-" + std::to_string(agent));
  options.timeouts = timeouts_;
  options.log = [this, agent](LogLevel, const std::string& text) {
    const std::lock_guard lock(guard_);
    log_[agent].push_back(text);
    changed_.notify_all();
  };
  return options;
}

void TestNetwork::start(const NodeProgram& program) {
  for (AgentId i = 0; i < agents(); ++i)
    if (!nodes_[i]) start(i, program);
}

void TestNetwork::start(AgentId agent, const NodeProgram& program, NodeOptions options) {
  nodes_[agent] = std::make_unique<Node>(std::move(options), program);
}

std::vector<AgentId> TestNetwork::all_but(const std::set<AgentId>& absent) const {
  std::vector<AgentId> roster;
  for (AgentId i = 0; i < agents(); ++i)
    if (!absent.contains(i)) roster.push_back(i);
  return roster;
}

void TestNetwork::wait_for_links() {
  for (const auto& node : nodes_)
    if (node) {
      EXPECT_TRUE(node->wait_for_links(20s));
    }
}

std::string TestNetwork::log_of(AgentId agent) const {
  const std::lock_guard lock(guard_);
  std::string text;
  for (const std::string& line : log_[agent]) text += line + "\n";
  return text;
}

std::size_t TestNetwork::logged(AgentId agent, const std::string& words) const {
  const std::lock_guard lock(guard_);
  return lines_with(log_[agent], words);
}

bool TestNetwork::wait_for_log(AgentId agent, const std::string& words) const {
  std::unique_lock lock(guard_);
  return changed_.wait_for(lock, 20s, [&] { return lines_with(log_[agent], words) > 0; });
}

}  // namespace tacit::testing
