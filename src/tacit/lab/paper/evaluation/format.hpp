// The format of numbers, settings and tables in documents.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tacit/lab/paper/evaluation/experiment.hpp"
#include "tacit/lab/paper/tables/table.hpp"

namespace tacit {

/// Numbers as text. Infinity and NaN become null in JSON, an empty cell in CSV and a dash in text.
nlohmann::ordered_json json_number(double value);
std::string csv_cell(double value);
std::string error_text(double value);
std::string error_text(const Spread& spread);
std::string seconds_text(const Spread& spread);

/// "∇h_i" or "∇h_i/N_i".
const char* gradient_text(GradientOf gradient);
/// The value of the option on the command line.
const char* gradient_word(GradientOf gradient);

nlohmann::ordered_json settings_json(const ReproduceSettings& settings);
/// A sentence that describes σ_ε, V_i and Θ.
std::string model_text(const ReproduceSettings& settings);

/// A Markdown table with columns padded to equal width.
std::string markdown_table(const std::vector<std::string>& header,
                           const std::vector<std::vector<std::string>>& rows);

}  // namespace tacit
