// Marks a hot loop to be compiled twice, for any x86-64 and for AVX2, the right one being picked when the
// program starts. So one binary serves every machine, without -march flags that would change the library's
// ABI.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(TACIT_SANITIZED)
#define TACIT_SIMD __attribute__((target_clones("default", "arch=x86-64-v3")))
#else  // sanitizers cannot run before the loader has picked a version
#define TACIT_SIMD
#endif
