// Where fast paths for x86-64 are compiled. With TACIT_PORTABLE none are compiled, so that tests can run the
// code that other processors use (tacit_portable_test in cmake/rooms.cmake).
//
// TACIT_X86 is defined where functions may use AVX2, after asking the processor.
//
// TACIT_SIMD marks a hot loop to be compiled twice, for any x86-64 and for AVX2, the right one being picked
// when the program starts. So one binary serves every machine, without -march flags that would change the
// library's ABI.
//
// TACIT_SIMD_PRODUCTS is the same with a third version, for AVX-512: only there vectors have products of
// 64-bit numbers.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(TACIT_PORTABLE)
#define TACIT_X86
#endif

#if defined(TACIT_X86) && !defined(__clang__) && !defined(TACIT_SANITIZED)
#define TACIT_SIMD __attribute__((target_clones("default", "arch=x86-64-v3")))
#define TACIT_SIMD_PRODUCTS __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else  // sanitizers cannot run before the loader has picked a version
#define TACIT_SIMD
#define TACIT_SIMD_PRODUCTS
#endif
