#include "tacit/gp/expert/blas_threads.hpp"

#include <cblas.h>
#include <fmt/format.h>

#include "tacit/base/error.hpp"
#include "tacit/base/simd.hpp"

namespace tacit {

BlasThreads::BlasThreads(int n) : before_(current()) {
  if (n < 1) throw InputError(fmt::format("the number of BLAS threads is {}; set it to at least 1", n));
  openblas_set_num_threads(n);
}

BlasThreads::~BlasThreads() { openblas_set_num_threads(before_); }

int BlasThreads::current() { return openblas_get_num_threads(); }

std::string blas_processor() {
  std::string name = openblas_get_corename();
#ifdef TACIT_X86
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) name += " without AVX2";
#endif
  return name;
}

}  // namespace tacit
