#include "tacit/lab/paper/evaluation/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tacit {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

// The width on a terminal, not the number of bytes. A Greek letter takes one column, a combining accent
// (U+0300 to U+036F, first byte CC or CD) takes none.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80 && c != '\xCC' && c != '\xCD'; }));
}

}  // namespace

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
std::string csv_cell(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

std::string error_text(double value) {
  if (!std::isfinite(value)) return "-";
  return value < 1e-3 || value >= 1e4 ? fmt::format("{:.1e}", value) : fmt::format("{:.4f}", value);
}
std::string seconds_text(const Spread& s) {
  if (!std::isfinite(s.mean)) return "-";
  if (!std::isfinite(s.deviation)) return fmt::format("{:.4f} (one draw)", s.mean);
  return fmt::format("{:.4f} ± {:.4f}", s.mean, s.deviation);
}
std::string error_text(const Spread& s) {
  if (!std::isfinite(s.mean)) return "-";
  if (!std::isfinite(s.deviation)) return error_text(s.mean) + " (one draw)";
  return fmt::format("{} ± {}", error_text(s.mean), error_text(s.deviation));
}

const char* gradient_text(GradientOf gradient) {
  return gradient == GradientOf::likelihood ? "∇h_i" : "∇h_i/N_i";
}

const char* gradient_word(GradientOf gradient) {
  return gradient == GradientOf::likelihood ? "likelihood" : "per-row";
}

Json settings_json(const ReproduceSettings& settings) {
  return {{"seed", settings.seed},
          {"noise", settings.noise ? Json(*settings.noise) : Json("each data set's own")},
          {"gradient", gradient_word(settings.gradient)},
          {"variance", settings.noise_in_variance ? "observed" : "latent"},
          {"rivals", settings.shares ? settings.ckks ? "both" : "shares"
                     : settings.ckks ? "ckks"
                                     : "none"}};
}

std::string model_text(const ReproduceSettings& settings) {
  return fmt::format(
      "σ_ε is {}; V_i is {}; Θ was tuned by steps along {}.",
      settings.noise ? fmt::format("{:g}", *settings.noise) : "1 for SARCOS and 6 for Diabetes",
      settings.noise_in_variance ? "the latent variance plus σ_ε²" : "the latent variance",
      gradient_text(settings.gradient));
}

std::string markdown_table(const Row& header, const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < header.size(); ++c) {
    widths.push_back(std::max<std::size_t>(3, width(header[c])));
    for (const Row& row : rows) widths[c] = std::max(widths[c], width(row[c]));
  }
  const auto line = [&](const Row& row) {
    std::string text = "|";
    for (std::size_t c = 0; c < row.size(); ++c)
      text += fmt::format(" {}{} |", row[c], std::string(widths[c] - width(row[c]), ' '));
    return text + "\n";
  };
  std::string text = line(header) + "|";
  for (std::size_t w : widths) text += std::string(w + 2, '-') + "|";
  text += "\n";
  for (const Row& row : rows) text += line(row);
  return text;
}

}  // namespace tacit
