// How many threads a single BLAS or LAPACK call may use.
#pragma once

namespace tacit {

/// While it lives, BLAS calls use n threads; then again as many as before. With experts on several threads of
/// one's own, one BLAS thread each is fastest. The setting belongs to the whole process: make one of these
/// before the threads start, not one in each.
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

}  // namespace tacit
