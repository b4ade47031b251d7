#include "tacit/gp/expert/prior_names.hpp"

#include <algorithm>

namespace tacit {

std::vector<PriorName> prior_names(const Prior& prior, std::span<const std::string> inputs) {
  const std::vector<std::string> names = prior.kernel.names();
  const std::vector<double> values = prior.kernel.numbers();
  const auto& leaves = prior.kernel.leaves();
  std::vector<PriorName> all;
  for (const Kernel::Leaf& leaf : leaves) {
    const std::size_t first = all.size();
    const std::size_t count = leaf.lengthscale.size() + leaf.has_extra() + leaf.free_signal;
    for (std::size_t k = 0; k < count; ++k) {
      PriorName number{names[first + k], {}, {}, {}, values[first + k]};
      number.of_kernel = number.name.substr(0, number.name.find('['));
      number.label = number.of_kernel;
      if (leaves.size() == 1)
        number.label.erase(0, number.label.find('.') + 1);
      else
        std::ranges::replace(number.label, '.', ' ');
      if (leaf.ard && k < leaf.lengthscale.size()) {
        number.input = k;
        number.label += " of " + inputs[k];
      }
      all.push_back(std::move(number));
    }
  }
  all.push_back({"noise", "noise", "noise", {}, prior.noise});
  return all;
}

}  // namespace tacit
