// Options of the network and the protocol, shared by simulate, plan and audit.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tacit/cli/options/given_options.hpp"
#include "tacit/consortium/secure_sum.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/protocol/consensus/plan.hpp"

namespace tacit::cli {

struct PlanOptions {
  std::optional<Topology> topology;     ///< none: the default for the number of agents
  std::optional<SumProtocol> protocol;  ///< none: the command's default
  std::optional<std::size_t> collusion;
  std::optional<double> lw;
  std::size_t helpers = 0;
  bool allow_missing_triangles = false;
  PlanRequest request;
  Given given;  ///< the settings of the command that the user set
  /// The settings that apply only to the consensus. A command may add some of its own.
  std::vector<std::string> of_consensus = {"allow_missing_triangles",
                                           "helpers",
                                           "masks",
                                           "acceleration",
                                           "blinding",
                                           "iterations",
                                           "lw",
                                           "modulus_bits",
                                           "modulus_rule"};

  void add_to(CLI::App& command);

  /// The number of agents, M: the given one, that of the list of edges, or 10. Throws InputError if the first
  /// two differ.
  std::size_t settled_agents(std::optional<std::size_t> asked) const;

  /// Sets the topology for this many agents. Throws InputError if the list of edges has another number.
  void settle_topology(std::size_t agents);

  /// The given protocol. Without one, the consensus if one of its options was given, otherwise `usual`.
  /// Throws InputError for an option that does not apply to the protocol.
  SumProtocol chosen(SumProtocol usual) const;

  /// The request with all options applied. Throws InputError for invalid values.
  PlanRequest checked() const;

 private:
  void add_network(CLI::App& command);
  void add_protocol(CLI::App& command);
  void add_numbers(CLI::App& command);
  std::optional<std::size_t> joined() const;  // agents in the list of edges, if there is one
};

}  // namespace tacit::cli
