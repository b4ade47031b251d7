// Measurement of ratios. Absolute times depend on the machine and its load. The ratio of two tasks that run
// alternately depends mainly on the code.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace tacit::bench {

inline double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

struct Ratio {
  double subject = 0;   ///< median seconds of the measured task
  double baseline = 0;  ///< median seconds of the reference task
  double ratio = 0;     ///< median of the ratios of adjacent repetitions
};

/// Runs both tasks alternately, `repeats` times each after one warm-up.
inline Ratio measure_ratio(int repeats, const std::function<void()>& subject,
                           const std::function<void()>& baseline) {
  subject();
  baseline();
  std::vector<double> a, b, ratios;
  for (int k = 0; k < repeats; ++k) {
    a.push_back(seconds_of(subject));
    b.push_back(seconds_of(baseline));
    ratios.push_back(a.back() / b.back());
  }
  return {median(a), median(b), median(ratios)};
}

inline void print_ratio(const std::string& what, const Ratio& r) {
  std::printf("%-62s %10.3f ms %10.3f ms   ratio %5.2f\n", what.c_str(), r.subject * 1e3, r.baseline * 1e3,
              r.ratio);
}

}  // namespace tacit::bench
