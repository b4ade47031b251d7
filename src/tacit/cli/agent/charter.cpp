// tacit charter: check, explain, compare, sign and show charters; charter_new.cpp and charter_amend.cpp write
// them.
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "tacit/agent/rows/agent_data.hpp"
#include "tacit/answers/numbers.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/charter/amend.hpp"
#include "tacit/charter/check.hpp"
#include "tacit/charter/explain.hpp"
#include "tacit/cli/agent/charter_words.hpp"
#include "tacit/cli/options/commands.hpp"
#include "tacit/cli/options/console.hpp"
#include "tacit/cli/options/data_options.hpp"
#include "tacit/cli/options/setting_words.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/identity/keys.hpp"

namespace tacit::cli {
namespace {

Json signatures_json(const Charter& charter, const CharterSignatures& signatures) {
  return {{"hash", hex(charter_hash(charter))},
          {"number", charter.number},
          {"previous", charter.previous ? Json(hex(*charter.previous)) : Json(nullptr)},
          {"signed", signatures.good},
          {"void", signatures.bad},
          {"unsigned", signatures.missing}};
}

// One party's rows, checked against the charter before it is signed.
struct CheckedData {
  std::string file;
  std::optional<AgentRows> rows;  ///< none when the file cannot be read
  std::vector<std::string> problems;
};

CheckedData check_data(const std::string& file, const Charter& charter, const ReadOptions& how) {
  CheckedData out{file, {}, {}};
  try {
    out.rows = read_rows({file}, charter, how);
    for (const BadSentence& one : out.rows->bad) out.problems.push_back(one.text);
  } catch (const InputError& e) {
    out.problems = {e.what()};
  }
  return out;
}

Json data_json(const CheckedData& data) {
  Json out{{"file", data.file}, {"problems", data.problems}};
  if (data.rows)
    out.update({{"rows", data.rows->rows.inputs.rows()},
                {"dropped", data.rows->dropped},
                {"notes", data.rows->notes}});
  return out;
}

void check(const std::string& file, const std::vector<std::string>& files, const ReadOptions& how, bool json,
           Console& console) {
  const Charter charter = read_charter(file);
  const CharterReport report = check_charter(charter);
  std::vector<CheckedData> data;
  for (const std::string& one : files) data.push_back(check_data(one, charter, how));
  if (json) {
    Json out = signatures_json(charter, report.signatures);
    out["problems"] = report.problems;
    out["notes"] = report.notes;
    out["data"] = Json::array();
    for (const CheckedData& one : data) out["data"].push_back(data_json(one));
    console.answer(out);
  } else {
    fmt::print("Hash      {}\n", hex(charter_hash(charter)));
    fmt::print("{}", place_text(charter, "Number    "));
    fmt::print("Network   {} and {}\n", plural(charter.agents.size(), "agent"),
               plural(charter.graph().edges(), "link"));
    for (const std::string& note : in_options(report.notes)) fmt::print("Note      {}\n", note);
    fmt::print("Signed    {}\n", in_words(report.signatures));
    for (const CheckedData& one : data)
      if (one.rows) {
        if (one.problems.empty())
          fmt::print("Data      {} has {}\n", one.file,
                     in_words(static_cast<std::size_t>(one.rows->rows.inputs.rows()), one.rows->dropped));
        for (const std::string& note : in_options(one.rows->notes))
          fmt::print("Data      {}: {}\n", one.file, note);
      }
    for (const std::string& problem : in_options(report.problems)) fmt::print("Problem   {}\n", problem);
    for (const CheckedData& one : data)
      for (const std::string& problem : in_options(one.problems)) fmt::print("Problem   {}\n", problem);
  }
  std::vector<std::string> problems;
  for (const std::string& problem : report.problems) problems.push_back(file + ": " + problem);
  if (!report.signatures.bad.empty()) problems.push_back(file + ": " + lacking_in_words(report.signatures));
  for (const CheckedData& one : data)
    problems.insert(problems.end(), one.problems.begin(), one.problems.end());
  if (problems.size() == 1 && problems[0].find('\n') == std::string::npos) throw InputError(problems[0]);
  if (!problems.empty())
    throw InputError(fmt::format("{}: {} must be fixed", file, plural(problems.size(), "problem")));
}

void show_difference(const std::string& a, const std::string& b) {
  const Charter one = read_charter(a), other = read_charter(b);
  if (follows(other, one)) {
    fmt::print("{}", changes_text(one, other, fmt::format("{} follows {}", b, a)));
    return;
  }
  const auto differences = charter_differences(charter_fields(one), a, charter_fields(other), b);
  for (const std::string& difference : differences) fmt::print("{}\n", difference);
  if (!differences.empty())
    throw Error(fmt::format("{} and {} differ in {}", a, b, plural(differences.size(), "field")));
  fmt::print("{} and {} are the same charter\n", a, b);
}

void sign(const std::string& file, const std::string& identity, const std::vector<std::string>& others) {
  if (identity.empty() && others.empty())
    throw InputError(
        "charter sign: give --identity DIR to sign, or --take FILE to add the signatures of others");
  const std::string text = read_whole(file);
  const Charter charter = parse_charter(file, text);
  const Digest hash = charter_hash(charter);
  std::map<std::string, Signature> added;
  for (const std::string& other : others) {
    const Charter theirs = read_charter(other);
    if (charter_hash(theirs) != hash)
      throw InputError(fmt::format(
          "{} is not the same charter as {}; tacit charter diff shows the differences", other, file));
    for (const std::string& name : check_signatures(theirs).good) added[name] = theirs.signatures.at(name);
  }
  if (!identity.empty()) {
    const AgentKeys keys = load_keys(identity);
    const auto self = charter.find(keys.card.name);
    if (!self) throw InputError(fmt::format("{}: this charter has no agent named {}", file, keys.card.name));
    const CharterAgent& agent = charter.agents[*self];
    if (agent.identity != keys.card.identity || agent.certificate != keys.card.certificate)
      throw InputError(fmt::format("{}: this charter has a different identity or certificate for {} than {}",
                                   file, agent.name, identity));
    require_sound(check_charter(charter), file);
    added[agent.name] = sign_charter(charter, keys.identity);
  }
  const CharterFile now = added.empty() ? CharterFile{text, charter} : with_signatures(file, text, added);
  write_whole(file, now.text);
  fmt::print("Hash    {}\nSigned  {}\n", hex(hash), in_words(check_signatures(now.charter)));
}

void show(const std::string& file, bool json, Console& console) {
  const Charter charter = read_charter(file);
  const CharterSignatures signatures = check_signatures(charter);
  if (json) {
    Json out = signatures_json(charter, signatures);
    for (const CharterField& field : charter_fields(charter)) out["fields"][field.name] = field.value;
    console.answer(out);
    return;
  }
  fmt::print("Hash    {}\n{}Signed  {}\n\n", hex(charter_hash(charter)), place_text(charter, "Number  "),
             in_words(signatures));
  for (const CharterField& field : charter_fields(charter))
    fmt::print("{:<44} {}\n", field.name, field.value);
}

void explain(const std::string& file, bool markdown) {
  const Charter charter = read_charter(file);
  std::vector<ExplainedPart> parts = explain_charter(charter);
  for (ExplainedPart& part : parts) part.points = in_options(std::move(part.points));
  fmt::print("{}", page_of(charter, parts, markdown));
}

}  // namespace

void add_charter(CLI::App& program, Console& console) {
  CLI::App* command =
      program.add_subcommand("charter", "Write, amend, check, explain, compare and sign charters");
  command->require_subcommand(1);
  add_charter_new(*command);
  add_charter_amend(*command);

  struct Words {
    std::string file, other, identity;
    std::vector<std::string> take, data;
    DataOptions reading;
    bool json = false, markdown = false;
  };
  const auto one = [&](const char* name, const char* what, const char* example) {
    CLI::App* sub = command->add_subcommand(name, what);
    auto o = std::make_shared<Words>();
    sub->add_option("charter", o->file, "The charter")->required()->type_name("FILE");
    sub->footer(fmt::format("Example:\n  {}", example));
    return std::pair(sub, o);
  };
  {
    const auto [sub, o] =
        one("check", "Check a charter, and optionally data against it, and report what the charter implies",
            "tacit charter check charter.toml --data mine.csv");
    sub->add_option("--data", o->data,
                    "A data file, whose rows must fit the charter's columns, ranges and levels")
        ->type_name("FILE");
    o->reading.add_to(*sub, ColumnsFrom::charter);
    sub->add_flag("--json", o->json, "Print one JSON object on standard output");
    sub->callback([o = o, &console] { check(o->file, o->data, o->reading.checked(), o->json, console); });
  }
  {
    const auto [sub, o] = one("explain", "Explain what the parties learn from each other",
                              "tacit charter explain charter.toml --markdown > charter.md");
    sub->add_flag("--markdown", o->markdown, "Print Markdown");
    sub->callback([o = o] { explain(o->file, o->markdown); });
  }
  {
    const auto [sub, o] =
        one("show", "Show a charter field by field, with its hash", "tacit charter show charter.toml");
    sub->add_flag("--json", o->json, "Print one JSON object on standard output");
    sub->callback([o = o, &console] { show(o->file, o->json, console); });
  }
  {
    const auto [sub, o] =
        one("diff", "List the fields in which two charters differ, or the changes that a successor makes",
            "tacit charter diff mine.toml theirs.toml");
    sub->add_option("other", o->other, "The other charter")->required()->type_name("FILE");
    sub->callback([o = o] { show_difference(o->file, o->other); });
  }
  {
    const auto [sub, o] = one("sign", "Sign a charter, or add the signatures of others to it",
                              "tacit charter sign charter.toml --identity aachen --take from-bonn.toml");
    sub->add_option("--identity", o->identity, "The folder of this agent's keys")->type_name("DIR");
    sub->add_option("--take", o->take, "Another copy of the charter, whose signatures are added")
        ->type_name("FILE");
    sub->callback([o = o] { sign(o->file, o->identity, o->take); });
  }
}

}  // namespace tacit::cli
