#include "tacit/answers/predictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tacit/agent/work/predicted.hpp"
#include "tacit/answers/numbers.hpp"
#include "tacit/base/error.hpp"
#include "tacit/consortium/score/quality.hpp"

namespace tacit {
namespace {

// The numbers for one target at one point, in the order of the output.
constexpr std::array columns{"mean", "latent_sd", "observed_sd", "low", "high"};
using Numbers = std::array<double, columns.size()>;

// Finds the answer for a row of the file.
class ByRow {
 public:
  ByRow(const Points& points, const control::Progress& answer)
      : found_(prediction_of(answer.predicted())), place_(points.count, Index{-1}) {
    for (std::size_t k = 0; k < points.rows_of_file.size(); ++k)
      place_[points.rows_of_file[k]] = static_cast<Index>(k);
  }

  bool has(std::size_t row) const { return place_[row] >= 0; }
  Index targets() const { return found_.mean.cols(); }
  Numbers operator()(std::size_t row, Index target) const {
    const double mean = found_.mean(place_[row], target),
                 latent = std::sqrt(found_.latent_variance(place_[row], target)),
                 observed = std::sqrt(found_.observed_variance(place_[row], target)),
                 reach = reach_of_95 * observed;
    return {mean, latent, observed, mean - reach, mean + reach};
  }

 private:
  Prediction found_;
  std::vector<Index> place_;  // by row: its place among the answers; -1 for a bad row
};

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

// The header line. Names of columns must be unique.
std::string header(const Points& points, const control::Progress& answer) {
  std::vector<std::string> names;
  for (const IdColumn& id : points.ids) names.push_back(id.name);
  for (const std::string& target : answer.predicted().targets())
    for (const char* column : columns) names.push_back(target + "_" + column);
  std::string text;
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) != name)
      throw InputError(fmt::format(
          "`id={}`: the predictions already have a column with this name; rename it in the file", *name));
    text += (text.empty() ? "" : ",") + cell(*name);
  }
  return text + '\n';
}

}  // namespace

Answered answered(Points points, control::Progress answer) {
  for (const std::string& note : points.notes) answer.add_notes(note);
  if (points.skipped() > 0)
    answer.add_notes(fmt::format("{} of {} have no answer: {}", count(points.skipped()),
                                 plural(points.count, "row"), points.why_skipped));
  return {std::move(points), std::move(answer)};
}

std::string predictions_csv(const Points& points, const control::Progress& answer) {
  const ByRow found(points, answer);
  std::string text = header(points, answer);
  for (std::size_t row = 0; row < points.count; ++row) {
    const char* comma = "";
    const auto put = [&](const std::string& one) {
      text += comma + one;
      comma = ",";
    };
    for (const IdColumn& id : points.ids) put(cell(id.cells[row]));
    for (Index target = 0; target < found.targets(); ++target) {
      if (found.has(row))
        for (const double value : found(row, target)) put(fmt::format("{}", value));
      else
        for (std::size_t k = 0; k < columns.size(); ++k) put("");
    }
    text += '\n';
  }
  return text;
}

Json predictions_json(const Points& points, const control::Progress& answer) {
  const ByRow found(points, answer);
  Json all = Json::array();
  for (std::size_t row = 0; row < points.count; ++row) {
    Json one = Json::object();
    for (const IdColumn& id : points.ids) one["id"][id.name] = id.cells[row];
    for (std::size_t k = 0; k < columns.size(); ++k) {
      one[columns[k]] = nullptr;
      if (!found.has(row)) continue;
      one[columns[k]] = Json::array();
      for (Index target = 0; target < found.targets(); ++target)
        one[columns[k]].push_back(number(found(row, target)[k]));
    }
    all.push_back(std::move(one));
  }
  return {{"targets", list_json(answer.predicted().targets())},
          {"roster", list_json(answer.roster())},
          {"without", list_json(answer.without())},
          {"at_home", answer.at_home()},
          {"notes", list_json(answer.notes())},
          {"skipped", points.skipped()},
          {"predictions", std::move(all)}};
}

}  // namespace tacit
