#include "tacit/answers/predictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tacit/agent/work/prediction_message.hpp"
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
  explicit ByRow(const Answered& answered)
      : found_(answered.found), place_(answered.points.count, Index{-1}) {
    const auto& rows = answered.points.rows_of_file;
    for (std::size_t k = 0; k < rows.size(); ++k) place_[rows[k]] = static_cast<Index>(k);
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
  const Prediction& found_;
  std::vector<Index> place_;  // by row: its place among the answers; -1 for a bad row
};

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

// The header line. Names of columns must be unique.
std::string header(const Answered& answered) {
  std::vector<std::string> names;
  for (const IdColumn& id : answered.points.ids) names.push_back(id.name);
  for (const std::string& target : answered.targets)
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

Answered answered(Points points, const control::Progress& answer) {
  const requests::Predicted& predicted = answer.predicted();
  Answered all{.points = std::move(points),
               .found = prediction_of(predicted),
               .targets = {predicted.targets().begin(), predicted.targets().end()},
               .roster = {answer.roster().begin(), answer.roster().end()},
               .without = {answer.without().begin(), answer.without().end()},
               .at_home = answer.at_home(),
               .notes = {answer.notes().begin(), answer.notes().end()}};
  if (all.found.mean.rows() != std::ssize(all.points.rows_of_file))
    throw Error("the agent's answer is incomplete; check that both run the same release");
  return with_notes_on_points(std::move(all));
}

Answered with_notes_on_points(Answered answered) {
  const Points& points = answered.points;
  answered.notes.insert(answered.notes.end(), points.notes.begin(), points.notes.end());
  if (points.skipped() > 0)
    answered.notes.push_back(fmt::format("{} of {} have no answer: {}", count(points.skipped()),
                                         plural(points.count, "row"), points.why_skipped));
  return answered;
}

std::string predictions_csv(const Answered& answered) {
  const ByRow found(answered);
  std::string text = header(answered);
  for (std::size_t row = 0; row < answered.points.count; ++row) {
    const char* comma = "";
    const auto put = [&](const std::string& one) {
      text += comma + one;
      comma = ",";
    };
    for (const IdColumn& id : answered.points.ids) put(cell(id.cells[row]));
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

Json predictions_json(const Answered& answered) {
  const ByRow found(answered);
  Json all = Json::array();
  for (std::size_t row = 0; row < answered.points.count; ++row) {
    Json one = Json::object();
    for (const IdColumn& id : answered.points.ids) one["id"][id.name] = id.cells[row];
    for (std::size_t k = 0; k < columns.size(); ++k) {
      one[columns[k]] = nullptr;
      if (!found.has(row)) continue;
      one[columns[k]] = Json::array();
      for (Index target = 0; target < found.targets(); ++target)
        one[columns[k]].push_back(number(found(row, target)[k]));
    }
    all.push_back(std::move(one));
  }
  return {{"targets", answered.targets},  {"roster", answered.roster}, {"without", answered.without},
          {"at_home", answered.at_home},  {"notes", answered.notes},   {"skipped", answered.points.skipped()},
          {"predictions", std::move(all)}};
}

}  // namespace tacit
