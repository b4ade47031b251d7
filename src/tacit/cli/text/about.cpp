#include "tacit/cli/text/about.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "tacit/agent/daemon/utc.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/base/system/release.hpp"
#include "tacit/cli/text/report.hpp"
#include "tacit/secrecy/file_digest.hpp"

namespace tacit::cli {

Json about(const std::string& command, const Console& console, std::optional<std::uint64_t> seed,
           const std::vector<std::filesystem::path>& files) {
  Json data = Json::array();
  for (const auto& file : files) {
    const auto digest = file_digest(file);
    data.push_back({{"file", file.string()}, {"sha256", digest ? Json(*digest) : Json(nullptr)}});
  }
  return {{"command", command},
          {"release", release()},
          {"line", console.line().empty() ? Json(nullptr) : Json(console.line())},
          {"seed", seed ? Json(*seed) : Json(nullptr)},
          {"made_at", to_text(utc_now())},
          {"data", std::move(data)}};
}

void ResultOptions::add_to(CLI::App& command, const std::string& group) {
  add_json(command, group);
  add_report(command, group);
}

void ResultOptions::add_json(CLI::App& command, const std::string& group) {
  command.add_flag("--json", json, "Print one JSON object on standard output")->group(group);
}

void ResultOptions::add_report(CLI::App& command, const std::string& group) {
  command.add_option("--report", report, "Also write the result as one HTML file, for reading and sharing")
      ->type_name("FILE")
      ->group(group);
}

void ResultOptions::check() const {
  if (report.empty()) return;
  const std::filesystem::path folder = std::filesystem::absolute(report).parent_path();
  if (std::filesystem::is_directory(report) || ::access(folder.c_str(), W_OK) != 0)
    throw InputError(
        fmt::format("--report {}: cannot write this file; choose a folder in which you may write", report));
  check_is_a_report(report);
}

void ResultOptions::give(Console& console, const std::function<Json()>& result,
                         const std::function<void()>& text) const {
  if (!json) text();
  if (!json && report.empty()) return;
  const Json all = console.worded_answer(result());
  if (json) console.answer(all);
  if (report.empty()) return;
  write_whole(report, report_html(all), mode_of_reports);
  console.note(fmt::format("Wrote {}", report));
}

}  // namespace tacit::cli
