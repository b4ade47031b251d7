// Macros for the fast paths on x86-64. TACIT_PORTABLE disables them, so that tests can run the code of other
// processors (tacit_portable_test in cmake/rooms.cmake).
//
// TACIT_X86 is defined where functions may use AVX2, after a check that the processor supports it.
//
// TACIT_SIMD compiles a hot loop twice, for any x86-64 and for AVX2. The loader picks the version when the
// program starts. One binary serves every machine, without -march flags, which would change the library's
// ABI.
//
// TACIT_SIMD_PRODUCTS adds a third version, for AVX-512, the first to multiply vectors of 64-bit integers.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(TACIT_PORTABLE)
#define TACIT_X86
#endif

#if defined(TACIT_X86) && !defined(__clang__) && !defined(TACIT_SANITIZED)
#define TACIT_SIMD __attribute__((target_clones("default", "arch=x86-64-v3")))
#define TACIT_SIMD_PRODUCTS __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else  // sanitizers cannot run before the loader picks a version
#define TACIT_SIMD
#define TACIT_SIMD_PRODUCTS
#endif
