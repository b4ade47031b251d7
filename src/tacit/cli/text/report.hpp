// A result as one self-contained HTML file. The script of web/report draws charts; without scripts, the file
// shows the main numbers.
#pragma once

#include <filesystem>
#include <string>

#include "tacit/answers/json.hpp"

namespace tacit::cli {

/// The report of a --json result of simulate, audit, evaluate or reproduce. Throws InputError for other JSON.
std::string report_html(const Json& result);

/// Throws InputError if the file exists and is not a report, for example if it is the data file.
void check_is_a_report(const std::filesystem::path& file);

/// A report may contain true values of rows, so only its owner can read the file.
inline constexpr unsigned mode_of_reports = 0600;

/// The main numbers as HTML, for readers without scripts.
std::string report_summary(const Json& result);

/// "What ten agents learn together about y"
std::string report_title(const Json& result);

/// The text, escaped for HTML.
std::string html(const std::string& text);

}  // namespace tacit::cli
