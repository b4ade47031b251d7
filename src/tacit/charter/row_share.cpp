#include "tacit/charter/row_share.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/charter/terms.hpp"
#include "tacit/gp/kernel/bounds.hpp"

namespace tacit {
namespace {

constexpr double too_much = 0.9;

double share(double variance, double noise) { return variance / (variance + noise * noise); }

// The kernel with the largest k(x, x) that the box allows.
Kernel largest(const Kernel& kernel, const ExactTuneOptions& search) {
  std::vector<double> numbers;
  for (const Kernel::Leaf& leaf : kernel.leaves()) {
    // Short length-scales make a linear part large; for others they do not matter.
    numbers.insert(numbers.end(), leaf.lengthscale.size(), std::max(search.box_low, search.lengthscale_low));
    if (leaf.has_extra()) numbers.push_back(leaf.extra);
    if (leaf.free_signal) numbers.push_back(search.box_high);
  }
  return kernel.with(numbers);
}

std::string percent(double part) {
  if (part > 0.999) return "more than 99.9 %";
  return fmt::format("{:.3g} %", 100 * part);
}

}  // namespace

RowShare row_share(const Charter& charter) {
  const Terms terms = terms_of(charter);
  const auto inputs = static_cast<Index>(width(terms.inputs));
  const Prior& start = terms.model.start;
  RowShare found;
  double variance = kernel_bounds(start.kernel, inputs, 1).high;
  found.noise_low = start.noise;
  found.at_start = share(variance, start.noise);
  if (const auto& search = terms.tuning.search) {
    variance = kernel_bounds(largest(start.kernel, *search), inputs, 1).high;
    found.noise_low = std::max(search->box_low, search->noise_low);
  }
  found.signal_high = std::sqrt(variance);
  found.most = share(variance, found.noise_low);
  return found;
}

std::vector<std::string> in_words(const RowShare& share) {
  std::vector<std::string> words{
      fmt::format("With noise of at least {:.3g} and a signal of at most {:.3g}, one row can make up {} of "
                  "its party's own prediction at that row's inputs; with the numbers that the model starts "
                  "from it is {}.",
                  share.noise_low, share.signal_high, percent(share.most), percent(share.at_start))};
  if (share.most > too_much)
    words.push_back(fmt::format(
        "Warning: where no other row of its party is within about a length-scale, a row's target can be "
        "worked out from a prediction at its inputs, whatever the noise; and a member that lies in a "
        "fit can lead it to the least noise and length-scale that are allowed. So keep "
        "tuning.lengthscale_floor near what rows are apart. Where rows are near, a noise of a third "
        "of the signal keeps a row's share at 90 %: raise tuning.noise_floor towards {:.2g}, or "
        "lower tuning.high; for models with a signal of about 1, as standardised targets mostly "
        "have, 0.33 is enough.",
        share.signal_high / 3));
  return words;
}

}  // namespace tacit
