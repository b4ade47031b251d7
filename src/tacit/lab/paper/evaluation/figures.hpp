// Figures drawn by matplotlib from the CSV files of an output folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tacit {

/// Writes figures.py into `folder` and runs it with the first of `pythons` that has matplotlib. The default
/// includes the system's Python, because the first one in the path may lack Debian's packages. Returns an
/// empty string on success, otherwise a sentence that states what is missing and how to draw the figures
/// later.
std::string draw_figures(const std::filesystem::path& folder,
                         const std::vector<std::string>& pythons = {"python3", "/usr/bin/python3"});

}  // namespace tacit
