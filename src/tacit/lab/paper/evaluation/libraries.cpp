#include "tacit/lab/paper/evaluation/libraries.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/lab/paper/evaluation/embedded.hpp"
#include "tacit/lab/paper/evaluation/process.hpp"

namespace tacit {
namespace {

using Json = nlohmann::ordered_json;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tacit-libraries-XXXXXX").string();
    if (!mkdtemp(name.data())) throw Error(fmt::format("cannot create the temporary folder {}", name));
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

Json matrix_json(const Matrix& matrix) {
  Json rows = Json::array();
  for (Index r = 0; r < matrix.rows(); ++r) {
    Json row = Json::array();
    for (Index c = 0; c < matrix.cols(); ++c) row.push_back(matrix(r, c));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json job_json(const Parties& parties, const OutputHyperparameters& shared) {
  Json agents = Json::array(), theta = Json::array();
  for (const Samples& one : parties.agents)
    agents.push_back({{"inputs", matrix_json(one.inputs)}, {"outputs", matrix_json(one.outputs)}});
  for (const Hyperparameters& h : shared)
    theta.push_back({{"lengthscale", h.lengthscale}, {"signal", h.signal}, {"noise", h.noise}});
  return {
      {"agents", std::move(agents)}, {"test", matrix_json(parties.test.inputs)}, {"theta", std::move(theta)}};
}

void take_result(const Json& result, const Matrix& ours, LibrarySpeed& speed) {
  speed.version = result.at("version").get<std::string>();
  speed.seconds = result.at("seconds").get<double>();
  double most = 0;
  for (Index r = 0; r < ours.rows(); ++r)
    for (Index c = 0; c < ours.cols(); ++c)
      most = std::max(most, std::abs(result.at("mean")
                                         .at(static_cast<std::size_t>(r))
                                         .at(static_cast<std::size_t>(c))
                                         .get<double>() -
                                     ours(r, c)));
  speed.difference = most / ours.cwiseAbs().maxCoeff();
}

}  // namespace

std::vector<LibrarySpeed> library_speeds(const DataSet& data, const OutputHyperparameters& shared,
                                         const ReproduceSettings& settings,
                                         const std::vector<std::string>& pythons) {
  if (!settings.shares && !settings.ckks) return {};
  constexpr std::size_t agents = 20;
  if (settings.progress) settings.progress->begin("other libraries", 0);
  const Parties parties = deal(data, agents, settings.seed);
  ReproduceSettings latent = settings;  // other libraries return the latent variance
  latent.noise_in_variance = false;
  const PlainResult plain = plain_gpr(parties, shared, latent);
  const TemporaryFolder folder;
  write_whole(folder / "libraries.py", embedded::libraries_py);
  write_whole(folder / "job.json", job_json(parties, shared).dump());
  std::vector<LibrarySpeed> speeds;
  for (const auto& [library, module] :
       {std::pair{"scikit-learn", "sklearn"}, std::pair{"GPyTorch", "gpytorch"}}) {
    LibrarySpeed speed{.data = data.name, .library = library, .agents = agents, .ours = plain.work_seconds()};
    speed.missing = "not installed";
    for (const std::string& python : pythons) {
      if (run_quietly({python, "-c", fmt::format("import numpy, {}", module)}) != 0) continue;
      const std::string result = (folder / "result.json").string();
      speed.missing = run_quietly({python, (folder / "libraries.py").string(), library,
                                   (folder / "job.json").string(), result}) == 0
                          ? ""
                          : "installed, but it failed";
      if (speed.missing.empty()) take_result(Json::parse(read_whole(result)), plain.fused.mean, speed);
      break;
    }
    speeds.push_back(std::move(speed));
  }
  return speeds;
}

}  // namespace tacit
