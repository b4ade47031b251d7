// Figures for the paper's reader, drawn by matplotlib from the CSV files of an output folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tacit {

/// Writes figures.py into `folder` and runs it with the first Python that has matplotlib; the system's own is
/// tried too, as the first in the path may be another one, without Debian's packages. Returns nothing if that
/// worked, else one sentence that says what is missing and how to draw later.
std::string draw_figures(const std::filesystem::path& folder,
                         const std::vector<std::string>& pythons = {"python3", "/usr/bin/python3"});

}  // namespace tacit
