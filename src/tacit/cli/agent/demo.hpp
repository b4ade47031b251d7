// A consortium on one machine, made from one table: a signed charter, and each agent's keys and data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/charter/charter.hpp"

namespace tacit {

struct DemoOptions {
  std::size_t agents = 5;
  std::string target = "y";
  std::string topology = "complete";
  std::string sums = "exact";
  double test = 0.1;      ///< share of all rows that no agent gets
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

/// Deals out the rows of a CSV text (no line breaks inside cells) at random, and writes all files into
/// `folder`. The agents will listen on free ports of the loopback address.
Demo make_demo(const std::filesystem::path& folder, std::string_view csv, const DemoOptions& options);

/// This many different free ports.
std::vector<int> free_ports(std::size_t count);

}  // namespace tacit
