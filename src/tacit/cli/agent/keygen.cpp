// tacit keygen: creates an agent's identity, TLS key and certificate, and the card for the other members.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "tacit/answers/json.hpp"
#include "tacit/cli/options/commands.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/identity/keys.hpp"

namespace tacit::cli {
namespace {

struct KeygenCommand {
  std::string folder, name, address;
  bool json = false;
};

void run(const KeygenCommand& o) {
  refuse_dumps();
  std::filesystem::path folder = o.folder;
  if (!folder.has_filename()) folder = folder.parent_path();  // "keys/" is "keys"
  const std::string name = o.name.empty() ? folder.filename().string() : o.name;
  const AgentKeys keys = make_keys(folder, name, o.address);
  const std::string fingerprint = colons(fingerprint_of(keys.card.certificate, "the certificate"));
  const std::string card = (folder / "card.toml").string();
  if (o.json) {
    std::cout << Json{{"name", name},
                      {"identity", hex(keys.card.identity)},
                      {"fingerprint", fingerprint},
                      {"address", o.address},
                      {"card", card}}
                     .dump(2)
              << '\n';
    return;
  }
  fmt::print("Name         {}\n", name);
  fmt::print("Identity     {}\n", hex(keys.card.identity));
  fmt::print("Certificate  {}\n", fingerprint);
  fmt::print("Address      {}\n",
             o.address.empty() ? "(none; give one with tacit charter new --address)" : o.address);
  fmt::print("Card         {}: give it to the other members. All other files in {} are secret.\n", card,
             folder.string());
}

}  // namespace

void add_keygen(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("keygen", "Create an agent's keys, and its card for the other members");
  auto o = std::make_shared<KeygenCommand>();
  command->add_option("folder", o->folder, "Folder for the keys; created if it does not exist")
      ->required()
      ->type_name("DIR");
  command->add_option("--name", o->name, "The agent's name. Default: the folder's name");
  command->add_option("--address", o->address, "The address at which the others reach the agent, host:port");
  command->add_flag("--json", o->json, "Print one JSON object on standard output");
  command->footer(
      "The keys are created on this machine and never leave it. Only the owner can open the folder.\n\n"
      "Example:\n"
      "  tacit keygen aachen --address aachen.example.org:7500");
  command->callback([o] { run(*o); });
}

}  // namespace tacit::cli
