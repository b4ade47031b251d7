// A result as one HTML file that needs nothing else: charts by the script of web/report, the main numbers
// also without scripts.
#pragma once

#include <filesystem>
#include <string>

#include "tacit/cli/text/json.hpp"

namespace tacit::cli {

/// Of what simulate, audit, evaluate or reproduce print with --json. Throws InputError for anything else.
std::string report_html(const Json& result);

/// Throws InputError when the file is there and is something else, such as the data.
void check_is_a_report(const std::filesystem::path& file);

/// True values of rows may be in them: the owner decides who reads one.
inline constexpr unsigned mode_of_reports = 0600;

/// The main numbers as HTML, for readers without scripts.
std::string report_summary(const Json& result);

/// "What ten agents learn together about y"
std::string report_title(const Json& result);

/// Text as HTML has it.
std::string html(const std::string& text);

}  // namespace tacit::cli
