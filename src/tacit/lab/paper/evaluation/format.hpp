// How numbers, settings and tables look in documents.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tacit/lab/paper/evaluation/experiment.hpp"
#include "tacit/lab/paper/tables/table.hpp"

namespace tacit {

/// JSON has no infinity and no NaN: they become null. In CSV they are an empty cell, for people a dash.
nlohmann::ordered_json json_number(double value);
std::string csv_cell(double value);
std::string error_text(double value);
std::string error_text(const Spread& spread);
std::string seconds_text(const Spread& spread);

/// "∇h_i" or "∇h_i/N_i".
const char* gradient_text(GradientOf gradient);
/// The command line's words for it.
const char* gradient_word(GradientOf gradient);

nlohmann::ordered_json settings_json(const ReproduceSettings& settings);
/// What σ_ε, V_i and Θ are, in a sentence.
std::string model_text(const ReproduceSettings& settings);

/// A Markdown table, its columns padded to equal width.
std::string markdown_table(const std::vector<std::string>& header,
                           const std::vector<std::vector<std::string>>& rows);

}  // namespace tacit
