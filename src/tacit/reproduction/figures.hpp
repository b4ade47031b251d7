// Figures for the paper's reader, drawn by matplotlib from the CSV files of an output folder.
#pragma once

#include <filesystem>
#include <string>

namespace tacit {

/// Writes figures.py into `folder` and runs it there with the first Python that has matplotlib. Returns
/// nothing when it has drawn, else one sentence that says what is missing and how to draw later.
std::string draw_figures(const std::filesystem::path& folder);

}  // namespace tacit
