#include "tacit/lab/paper/evaluation/figures.hpp"

#include <fmt/format.h>

#include "tacit/base/system/files.hpp"
#include "tacit/lab/paper/evaluation/embedded.hpp"
#include "tacit/lab/paper/evaluation/process.hpp"

namespace tacit {
std::string draw_figures(const std::filesystem::path& folder, const std::vector<std::string>& pythons) {
  const std::filesystem::path script = folder / "figures.py";
  write_whole(script, embedded::figures_py);
  for (const std::string& python : pythons) {
    if (run_quietly({python, "-c", "import matplotlib"}) != 0) continue;
    if (run_quietly({python, script.string()}) == 0) return "";
    return fmt::format("no figures: drawing failed. The data are written; run {} {} to see the error", python,
                       script.string());
  }
  return fmt::format(
      "no figures: Python has no matplotlib. The data are written; install python3-matplotlib and run "
      "python3 {}",
      script.string());
}

}  // namespace tacit
