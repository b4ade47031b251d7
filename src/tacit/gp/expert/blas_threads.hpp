// How many threads a single BLAS or LAPACK call may use, and for which processor it was written.
#pragma once

#include <string>

namespace tacit {

/// While such an object lives, BLAS calls use n threads; afterwards as many as before. A caller that runs
/// experts on threads of its own is fastest with one BLAS thread each. The setting belongs to the whole
/// process: make one of these before the threads start, not one in each.
class BlasThreads {
 public:
  /// Throws InputError if n < 1. BLAS may use fewer than asked for.
  explicit BlasThreads(int n);
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;
  BlasThreads& operator=(const BlasThreads&) = delete;

  /// The present setting.
  static int current();

 private:
  int before_;
};

/// The kind of processor for which OpenBLAS has chosen its loops, as it calls it, and what else the
/// compiler's and the C library's choice depends on. Where it is the same, numbers are rounded the same way.
std::string blas_processor();

}  // namespace tacit
