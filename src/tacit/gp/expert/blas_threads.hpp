// The number of threads of a BLAS or LAPACK call, and the processor that OpenBLAS has detected.
#pragma once

#include <string>

namespace tacit {

/// Sets the number of BLAS threads for its lifetime; the destructor restores the previous number. Callers
/// that compute experts on their own threads are fastest with one BLAS thread. The setting applies to the
/// whole process: create one object before the threads start, not one in each thread.
class BlasThreads {
 public:
  /// Throws InputError if n < 1. BLAS may use fewer than n threads.
  explicit BlasThreads(int n);
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;
  BlasThreads& operator=(const BlasThreads&) = delete;

  /// Returns the current setting.
  static int current();

 private:
  int before_;
};

/// Returns OpenBLAS's name of the processor for which it selected its kernels, and the processor features
/// that determine the code paths of the compiler and the C library. Machines with equal names round numbers
/// in the same way.
std::string blas_processor();

}  // namespace tacit
