// The results of an experiment as text, CSV and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tacit/lab/paper/evaluation/accuracy.hpp"
#include "tacit/lab/paper/evaluation/difference_causes.hpp"
#include "tacit/lab/paper/evaluation/tuning.hpp"
#include "tacit/lab/paper/tables/table.hpp"

namespace tacit {

struct Document {
  std::string name;  ///< the stem of its files: NAME.csv, NAME.json
  std::string text;  ///< Markdown with aligned tables, which is also readable as plain text
  std::string csv;
  nlohmann::ordered_json json;
  std::vector<std::pair<std::string, std::string>> also = {};  ///< further files: name and content
};

Document tuning_document(const std::vector<TuningRun>& runs, const ReproduceSettings& settings);
Document accuracy_document(const std::vector<AccuracyCurve>& curves, const ReproduceSettings& settings);
Document table_document(const PaperTable& table, const ReproduceSettings& settings);
Document causes_document(const Causes& causes, const ReproduceSettings& settings);

}  // namespace tacit
