// The settings that the user of a command set, on a command line or in a call from Python.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace tacit::cli {

/// Ids of settings: the names of options with underscores, such as tune_box.
using Given = std::set<std::string, std::less<>>;

/// The settings of this command line.
Given given_options(const CLI::App& command);

/// Throws InputError if both settings were given.
void check_not_both(const Given& given, std::string_view one, std::string_view other);

}  // namespace tacit::cli
