// A demonstration consortium on one machine, made from one table: signed charter, keys and data of all
// agents.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/charter/charter.hpp"
#include "tacit/graph/generators.hpp"

namespace tacit {

struct DemoOptions {
  std::size_t agents = 5;
  std::string target = "y";
  Topology topology{.kind = Topology::Kind::complete};
  SumProtocol sums = SumProtocol::exact;
  double test = 0.1;      ///< share of all rows that are test rows; no agent gets them
  double holdout = 0.15;  ///< share of an agent's rows, for evaluate
  std::uint64_t seed = 1;
  bool json_log = false;
};

struct DemoAgent {
  std::string name;
  std::filesystem::path folder, config, socket, log;
  std::size_t rows = 0, held_out = 0;
};

struct Demo {
  Charter charter;
  std::vector<DemoAgent> agents;
  std::filesystem::path test;  ///< CSV with the rows that no agent has
};

/// Divides the rows of a CSV text at random among the agents, and writes all files into `folder`. Cells must
/// not contain line breaks. The agents will listen on free ports of the loopback address.
Demo make_demo(const std::filesystem::path& folder, std::string_view csv, const DemoOptions& options);

/// `count` different free ports.
std::vector<int> free_ports(std::size_t count);

}  // namespace tacit
