#include "tacit/cli/agent/demo.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <span>

#include "tacit/agent/daemon/agent_config.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/charter/check.hpp"
#include "tacit/charter/propose.hpp"
#include "tacit/charter/terms.hpp"
#include "tacit/identity/keys.hpp"
#include "tacit/table/rows/row_blocks.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

struct Lines {
  std::string header;
  std::vector<std::string> rows;

  std::string text(std::span<const std::size_t> which) const {
    std::string all = header + '\n';
    for (const std::size_t r : which) all += rows[r] + '\n';
    return all;
  }
};

Lines lines_of(std::string_view csv) {
  Lines lines;
  while (!csv.empty()) {
    const std::size_t end = std::min(csv.find('\n'), csv.size());
    std::string line(csv.substr(0, end));
    csv.remove_prefix(std::min(end + 1, csv.size()));
    if (line.empty()) continue;
    if (lines.header.empty())
      lines.header = std::move(line);
    else
      lines.rows.push_back(std::move(line));
  }
  return lines;
}

Charter charter_of(const std::vector<AgentKeys>& keys, const fs::path& data, std::size_t most_rows,
                   const DemoOptions& options) {
  Charter charter;
  charter.title = "A demonstration on one machine";
  for (const AgentKeys& one : keys)
    charter.agents.push_back({one.card.name, one.card.address, one.card.identity, one.card.certificate,
                              fingerprint_of(one.card.certificate, one.card.name)});
  charter.topology = to_string(options.topology);
  ProposedColumns columns = propose_columns(data, {}, {options.target}, {});
  charter.inputs = std::move(columns.inputs);
  charter.targets = std::move(columns.targets);
  charter.model = usual_model(width(charter.inputs), true);
  charter.tuning = usual_tuning(charter.model, width(charter.inputs));
  charter.protocol.sums = options.sums;
  charter.protocol.rows = most_rows;
  const bool exact = charter.protocol.sums != SumProtocol::consensus;
  if (!exact) {
    charter.model.landmarks.count = 0;
    charter.protocol.consensus.blinding = 32;  // scores take many bits; 40 bits of noise would leave too few
  }
  charter.protocol.collusion = exact ? keys.size() - 2 : 1;
  charter.protocol.fewest = keys.size();  // collusion + 2; the consensus needs all agents
  for (const AgentKeys& one : keys) charter.signatures[one.card.name] = sign_charter(charter, one.identity);
  return charter;
}

}  // namespace

std::vector<int> free_ports(std::size_t count) {
  std::vector<int> sockets, ports;
  for (std::size_t k = 0; k < count; ++k) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    sockets.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::bind(sockets.back(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::getsockname(sockets.back(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
      break;
    ports.push_back(ntohs(address.sin_port));
  }
  for (const int socket : sockets) ::close(socket);
  if (ports.size() < count) throw Error("not enough free ports on the loopback address");
  return ports;
}

Demo make_demo(const fs::path& folder, std::string_view csv, const DemoOptions& options) {
  const Lines lines = lines_of(csv);
  const std::vector<std::size_t> shuffled = shuffled_rows(lines.rows.size(), options.seed);
  const auto test = static_cast<std::size_t>(options.test * static_cast<double>(shuffled.size()));
  Demo demo;
  demo.test = folder / "test.csv";
  write_whole(demo.test, lines.text(std::span(shuffled).first(test)));
  const auto blocks = contiguous_blocks(std::span(shuffled).subspan(test), options.agents);
  const std::vector<int> ports = free_ports(options.agents);

  std::vector<AgentKeys> keys;
  for (std::size_t i = 0; i < options.agents; ++i) {
    DemoAgent agent;
    agent.name = fmt::format("hospital-{}", i + 1);
    agent.folder = folder / agent.name;
    agent.config = agent.folder / "agent.toml";
    agent.socket = agent.folder / "control.sock";
    agent.log = agent.folder / "agent.log";
    fs::create_directory(agent.folder);
    AgentConfig config;
    config.name = agent.name;
    config.charter = "../charter.toml";
    config.identity = "keys";
    config.data = {.rows = {"data.csv"}, .holdout = RowSource{"held_out.csv"}};
    config.listen = fmt::format("127.0.0.1:{}", ports[i]);
    config.state = "state";
    config.control = "control.sock";
    config.json_log = options.json_log;
    keys.push_back(make_keys(agent.folder / "keys", agent.name, config.listen));
    agent.held_out = std::max<std::size_t>(
        1, static_cast<std::size_t>(options.holdout * static_cast<double>(blocks[i].size())));
    agent.rows = blocks[i].size() - agent.held_out;
    write_whole(agent.folder / "data.csv", lines.text(std::span(blocks[i]).first(agent.rows)), 0600);
    write_whole(agent.folder / "held_out.csv", lines.text(std::span(blocks[i]).last(agent.held_out)), 0600);
    write_whole(agent.config, to_toml(config));
    demo.agents.push_back(std::move(agent));
  }
  // The charter's ranges come from the rows of all agents. Real parties would agree on them.
  write_whole(folder / "all.csv", lines.text(shuffled), 0600);
  demo.charter = charter_of(keys, folder / "all.csv", (blocks[0].size() / 10 + 1) * 10, options);
  fs::remove(folder / "all.csv");
  write_whole(folder / "charter.toml", to_toml(demo.charter));
  require_signed_and_sound(parse_charter("charter.toml", to_toml(demo.charter)),
                           "the demonstration's charter");
  return demo;
}

}  // namespace tacit
