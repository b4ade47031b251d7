#include "tacit/charter/row_share.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/gp/kernel/bounds.hpp"

namespace tacit {
namespace {

constexpr double too_much = 0.9;

double share(double variance, double noise) { return variance / (variance + noise * noise); }

// The kernel with the largest k(x, x) that the box allows.
Kernel largest(const Kernel& kernel, const ExactTuneOptions& search) {
  std::vector<double> numbers;
  for (const Kernel::Leaf& leaf : kernel.leaves()) {
    // A short length-scale makes a linear kernel large. In other kernels it has no effect here.
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

RowShare row_share(const Terms& terms) {
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
      fmt::format("The charter allows a noise of at least {:.3g} and a signal of at most {:.3g}. With these, "
                  "one row can contribute {} of its party's own prediction at that row's inputs. With the "
                  "model's starting values it contributes {}.",
                  share.noise_low, share.signal_high, percent(share.most), percent(share.at_start))};
  if (share.most > too_much)
    words.push_back(fmt::format(
        "Warning: if no other row of its party lies within about one length-scale, a row's target can be "
        "computed from a prediction at its inputs, whatever the noise. A dishonest member can lead a fit to "
        "the lowest noise and length-scale that the charter allows. So keep tuning.lengthscale_floor close "
        "to the distance between rows. Where rows are close together, a noise of one third of the signal "
        "keeps the share of a row at 90 %. Raise tuning.noise_floor towards {:.2g}, or lower tuning.high. "
        "For models with a signal of about 1, which is usual for standardised targets, 0.33 is enough.",
        share.signal_high / 3));
  return words;
}

}  // namespace tacit
