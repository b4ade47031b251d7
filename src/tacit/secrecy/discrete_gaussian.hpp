// An exact sampler for the discrete Gaussian N_Z(0, σ²), whose probability at an integer x is proportional to
// exp(-x²/(2σ²)). It implements algorithms 1 to 3 of Canonne, Kamath and Steinke, "The Discrete Gaussian for
// Differential Privacy" (2020), with integers only: no rounding changes the distribution.
//
// Threads: any number of threads may use a DiscreteGaussian; a stream belongs to one thread at a time.
// Errors: InputError for a variance that cannot be used; those of the stream.
// Stopping: draw cannot be stopped; it takes about a microsecond a number.
#pragma once

#include <cstdint>
#include <span>

#include "tacit/secrecy/prg.hpp"

namespace tacit {

class DiscreteGaussian {
 public:
  /// The largest variance. Products of the sampler then fit 128 bits.
  static constexpr std::uint64_t most_variance = std::uint64_t{1} << 48;

  /// `variance` is σ², 1 to most_variance.
  explicit DiscreteGaussian(std::uint64_t variance);

  /// Fills `out` with independent numbers. The time depends on the numbers drawn.
  void draw(Prg& randomness, std::span<std::int64_t> out) const;

  std::uint64_t variance() const { return variance_; }

 private:
  std::uint64_t variance_;
  std::uint64_t scale_;  // t = ⌊σ⌋ + 1 of algorithm 3
};

}  // namespace tacit
