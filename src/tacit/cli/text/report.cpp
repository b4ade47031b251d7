// tacit report, and the file that the option --report writes.
#include "tacit/cli/text/report.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/cli/options/commands.hpp"
#include "tacit/cli/options/console.hpp"
#include "tacit/page/web_files.hpp"

namespace tacit::cli {
namespace {

constexpr std::size_t most_result_bytes = std::size_t{1} << 30;

// Appends the template up to the placeholder `word`, then `text` in its place.
void put(std::string& page, std::string_view& rest, std::string_view word, std::string_view text) {
  const std::size_t at = rest.find(word);
  if (at == std::string_view::npos)
    throw Error("the report template of this build is incomplete; rebuild web/ with scripts/web");
  page.append(rest.substr(0, at)).append(text);
  rest.remove_prefix(at + word.size());
}

// Escapes JSON for a script element, so that no markup can begin in it.
std::string inside_script(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return safe;
}

Json parsed(const std::string& text, const std::string& file) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded())
    throw InputError(fmt::format(
        "{}: this is not JSON; give the --json output of simulate, evaluate, audit or reproduce", file));
  return json;
}

struct ReportCommand {
  std::string result, out;
};

void run(const ReportCommand& o, Console& console) {
  const bool piped = o.result == "-";
  if (piped && o.out.empty()) throw InputError("a result from standard input needs --out FILE");
  std::string text;
  if (piped)
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
  else
    text = read_whole(o.result, most_result_bytes);
  const std::string file =
      o.out.empty() ? std::filesystem::path(o.result).replace_extension(".html").string() : o.out;
  check_is_a_report(file);
  write_whole(file, report_html(parsed(text, piped ? "standard input" : o.result)), mode_of_reports);
  console.note(fmt::format("Wrote {}", file));
}

}  // namespace

void check_is_a_report(const std::filesystem::path& file) {
  constexpr std::string_view start = "<!doctype html>";
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return;
  std::string begins(start.size(), '\0');
  std::ifstream(file, std::ios::binary).read(begins.data(), static_cast<std::streamsize>(begins.size()));
  if (begins != start)
    throw InputError(fmt::format("{}: this file is not a report and was not overwritten; name another file",
                                 file.string()));
}

std::string html(const std::string& text) {
  std::string safe;
  for (const char c : text) switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  return safe;
}

std::string report_html(const Json& result) {
  const std::string_view whole = web_file("report.html");
  if (whole.empty())
    throw Error("this build of Tacit cannot write reports, because web/built was missing at compile time");
  const std::string summary = report_summary(result);  // throws if this is not a result
  std::string page;
  std::string_view rest = whole;
  put(page, rest, "{{title}}", html(report_title(result)));
  put(page, rest, "{{summary}}", summary);
  put(page, rest, "{{result}}", inside_script(result));
  return page.append(rest);
}

void add_report(CLI::App& program, Console& console) {
  CLI::App* command = program.add_subcommand("report", "Turn a result into one HTML file");
  auto o = std::make_shared<ReportCommand>();
  command
      ->add_option("result", o->result,
                   "The --json output of simulate, evaluate, audit or reproduce; - for standard input")
      ->required()
      ->type_name("RESULT.json");
  command->add_option("--out", o->out, "The output file. Default: RESULT.html")->type_name("FILE");
  command->footer(
      "The file needs no network and no other file. It opens directly from an email attachment, prints well, "
      "and shows the\n"
      "main numbers even if scripts are disabled. simulate, evaluate, audit and reproduce write the same "
      "file with\n"
      "--report FILE.\n\n"
      "Example:\n"
      "  tacit simulate --data data/diabetes.csv --target y --json > result.json && tacit report "
      "result.json");
  command->callback([o, &console] { run(*o, console); });
}

}  // namespace tacit::cli
