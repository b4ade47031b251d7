// Runs docs/consortium.md exactly as written: all blocks of commands, in order, in one shell.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>

#include "program_testing.hpp"

namespace tacit::testing {
namespace {

std::string commands_of(const std::string& page) {
  std::istringstream lines(content(page));
  std::string line, commands;
  bool inside = false;
  while (std::getline(lines, line)) {
    if (line.starts_with("```"))
      inside = line == "```sh";
    else if (inside)
      commands += line + '\n';
  }
  return commands;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

TEST(ConsortiumPage, WorksAsWritten) {
  const Folder folder;
  std::filesystem::copy_file(TACIT_SOURCE_DIR "/data/diabetes.csv", folder.path("diabetes.csv"));
  std::string commands = commands_of(TACIT_SOURCE_DIR "/docs/consortium.md");
  ASSERT_GT(commands.size(), 1000u);
  // Only the ports are replaced, because other programs may use those of the page.
  const std::vector<int> ports = free_ports(5);
  for (std::size_t k = 0; k < 5; ++k)
    commands = replaced(commands, "750" + std::to_string(k + 1), std::to_string(ports[k]));
  folder.write("page.sh",
               "set -euo pipefail\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n" + commands + "wait\n");
  const std::string run =
      "cd " + folder.path("") + " && PATH=" TACIT_BINARY_DIR ":$PATH timeout 300 bash page.sh > out 2> err";
  const int status = std::system(run.c_str());
  ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
      << content(folder.path("out")) << content(folder.path("err")) << content(folder.path("bonn/agent.log"));
  const std::string out = content(folder.path("out"));
  for (const char* words :
       {"give it to the other members", "No coalition of up to 1 agent",
        "by all members: aachen, bonn and celle", "neighbour bonn: not reachable", "Model    version 1",
        "59 rows held out at home", "3 rows were added and 0 rows removed since",
        "took a new snapshot of 150 rows", "Rows have changed since version 1 was fitted",
        "Change   timeout, gather: 30 instead of 20", "Change   dresden joins, with address",
        "on the data of aachen, bonn, celle and dresden", "Change   celle leaves",
        "models were fitted with and without celle and dresden", "Change   bonn has new keys",
        "Change   aachen changes its address to", "Model    version 7", "y_mean,y_latent_sd,y_observed_sd"})
    EXPECT_NE(out.find(words), std::string::npos) << words << " is not in\n" << out;
  for (const char* name : {"aachen-new-machine", "bonn", "celle", "dresden"}) {
    const std::string log = content(folder.path(std::string(name) + "/agent.log"));
    EXPECT_NE(log.find("stopped"), std::string::npos) << log;
    EXPECT_EQ(log.find(" error "), std::string::npos) << log;
  }
}

}  // namespace
}  // namespace tacit::testing
