// The summary that a report shows without scripts.
#include <fmt/format.h>

#include "tacit/answers/numbers.hpp"
#include "tacit/base/error.hpp"
#include "tacit/cli/text/report.hpp"

namespace tacit::cli {
namespace {

// A number as its digits, a text as it is, null as a dash.
std::string cell(const Json& value) {
  return value.is_null() ? "–" : value.is_string() ? html(value.get<std::string>()) : html(value.dump());
}

std::string table(const std::string& caption, const std::vector<std::string>& heads,
                  const std::vector<std::vector<Json>>& rows) {
  std::string text = fmt::format("<table><caption>{}</caption><thead><tr>", html(caption));
  for (const std::string& head : heads) text += fmt::format("<th scope=\"col\">{}</th>", html(head));
  text += "</tr></thead><tbody>";
  for (const auto& row : rows) {
    text += fmt::format("<tr><th scope=\"row\">{}</th>", cell(row[0]));
    for (std::size_t k = 1; k < row.size(); ++k) text += fmt::format("<td>{}</td>", cell(row[k]));
    text += "</tr>";
  }
  return text + "</tbody></table>\n";
}

std::string list(const Json& sentences) {
  std::string text = "<ul>";
  for (const Json& one : sentences) text += fmt::format("<li>{}</li>", cell(one));
  return text + "</ul>\n";
}

std::string heading(const std::string& words) { return fmt::format("<h2>{}</h2>\n", html(words)); }

std::string of_simulation(const Json& result) {
  std::string text = heading("Benefit of the shared model");
  if (const Json& accuracy = result.at("accuracy"); accuracy.is_null()) {
    text += "<p>Unknown, because the test file has no targets.</p>\n";
  } else {
    const Json& models = accuracy.at("calibration");
    std::vector<std::vector<Json>> rows;
    for (const auto& [field, name] : {std::pair("local", "alone: each agent with only its own rows"),
                                      {"at_home", "at home: with the pooled part; no other agent is asked"},
                                      {"private", "together: all agents are asked"},
                                      {"pooled", "pooled: one model on all rows"}}) {
      if (field == std::string("at_home") && result.at("landmarks").is_null()) continue;  // same as alone
      const Json& one = models.at(field);
      const auto number = [&](const char* what) { return one.is_null() ? Json(nullptr) : one.at(what); };
      rows.push_back({name, number("rmse"), number("coverage"), number("log_density")});
    }
    text += table("Error on the test rows, by model",
                  {"model", "RMSE", "share inside the 95 % interval", "log density"}, rows);
  }
  const Json& traffic = result.at("traffic");
  text += heading("Cost") + fmt::format("<p>{}, {}, {}.</p>\n",
                                        plural(traffic.at("rounds").get<std::uint64_t>(), "round"),
                                        plural(traffic.at("messages").get<std::uint64_t>(), "message"),
                                        size(traffic.at("bytes").get<std::uint64_t>()));
  const Json& privacy = result.at("privacy");
  text += heading("Privacy");
  if (privacy.contains("sentences")) text += list(privacy.at("sentences"));
  if (privacy.contains("learns")) {
    std::vector<std::vector<Json>> rows;
    for (const Json& one : privacy.at("learns")) rows.push_back({one.at("who"), one.at("what")});
    text += table("Who learns what", {"who", "what"}, rows);
  }
  if (privacy.contains("not_promised"))
    text += heading("What is not guaranteed") + list(privacy.at("not_promised"));
  if (!result.at("warnings").empty()) text += heading("Warnings") + list(result.at("warnings"));
  return text;
}

std::string of_audit(const Json& result) {
  return heading("Findings") + list(result.at("findings")) + heading("Advice") + list(result.at("advice"));
}

std::string of_evaluation(const Json& result) {
  return table(
      "Score", {"", ""},
      {{"rows", result.at("rows")}, {"RMSE", result.at("rmse")}, {"log density", result.at("log_density")}});
}

std::string of_reproduction(const Json& result) {
  std::string text;
  if (result.contains("tuning")) {
    std::vector<std::vector<Json>> rows;
    for (const Json& run : result.at("tuning").at("runs"))
      rows.push_back({run.at("data"), run.at("gradient"), run.at("agreed").at("lengthscale"),
                      run.at("agreed").at("signal")});
    text += table("Tuning: hyperparameters on which the agents agree",
                  {"data", "gradient", "length-scale", "signal"}, rows);
  }
  if (result.contains("accuracy")) {
    std::vector<std::vector<Json>> rows;
    for (const Json& curve : result.at("accuracy").at("curves"))
      rows.push_back({curve.at("data"), curve.at("lz"), curve.at("iterations").back(),
                      curve.at("rmse_mean").back(), curve.at("rmse_variance").back()});
    text += table("Accuracy: error after the last iteration",
                  {"data", "rounding step", "iterations", "RMSE of the mean", "RMSE of the variance"}, rows);
  }
  if (result.contains("table")) {
    std::vector<std::vector<Json>> rows;
    for (const Json& row : result.at("table").at("rows"))
      rows.push_back({row.at("data"), row.at("agents"), row.at("degree"), row.at("variant"),
                      row.at("rmse_mean").at("mean"),
                      row.at("seconds").at("total_longest_agent").at("mean")});
    text += table("Table", {"data", "agents", "degree", "variant", "RMSE of the mean", "seconds"}, rows);
  }
  return text;
}

// The command that printed the result.
std::string kind_of(const Json& result) {
  if (!result.is_object()) return {};
  if (result.contains("about") && result["about"].contains("command")) return result["about"]["command"];
  if (result.contains("predictions") && result.contains("traffic")) return "simulate";
  if (result.contains("findings") && result.contains("advice")) return "audit";
  if (result.contains("log_density") && result.contains("inputs_shown")) return "evaluate";
  for (const char* part : {"tuning", "accuracy", "table", "causes"})
    if (result.contains(part)) return "reproduce";
  return {};
}

std::string again(const Json& result) {
  if (!result.contains("about")) return {};
  const Json& about = result.at("about");
  std::string text = heading("How to reproduce this result") +
                     fmt::format("<p>Tacit {}{}.</p>\n", cell(about.at("release")),
                                 about.at("seed").is_null() ? "" : ", seed " + cell(about.at("seed")));
  if (!about.at("line").is_null()) text += fmt::format("<pre>{}</pre>\n", cell(about.at("line")));
  std::vector<std::vector<Json>> files;
  for (const Json& file : about.at("data")) files.push_back({file.at("file"), file.at("sha256")});
  if (!files.empty()) text += table("Data", {"file", "SHA-256"}, files);
  return text;
}

}  // namespace

std::string report_title(const Json& result) {
  const std::string kind = kind_of(result);
  if (kind == "simulate") {
    std::string targets;
    for (const Json& one : result.at("targets"))
      targets += (targets.empty() ? "" : ", ") + one.get<std::string>();
    return fmt::format("{} learn together to predict {}",
                       plural(result.at("agents").get<std::uint64_t>(), "agent"), targets);
  }
  return kind == "audit"      ? "What a coalition could learn"
         : kind == "evaluate" ? "Quality of the model"
                              : "Reproduction of the paper's evaluation";
}

std::string report_summary(const Json& result) {
  try {
    const std::string kind = kind_of(result);
    const std::string text = kind == "simulate"    ? of_simulation(result)
                             : kind == "audit"     ? of_audit(result)
                             : kind == "evaluate"  ? of_evaluation(result)
                             : kind == "reproduce" ? of_reproduction(result)
                                                   : "";
    if (!text.empty())
      return fmt::format("<h1>{}</h1>\n{}{}", html(report_title(result)), text, again(result));
  } catch (const Json::exception&) {
    // Its fields are not those of a result.
  }
  throw InputError(
      "this is not a result of this release; give the --json output of simulate, evaluate, audit or "
      "reproduce");
}

}  // namespace tacit::cli
