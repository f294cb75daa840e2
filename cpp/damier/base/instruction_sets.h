// Functions that one source compiles for several instruction sets: the compiler turns their loops into vectors, for
// whichever a function is marked for. What such a function calls is DAMIER_INLINE, to be compiled with it.

#pragma once

#if defined(__GNUC__)
#define DAMIER_INLINE [[gnu::always_inline]] inline
#else
#define DAMIER_INLINE inline
#endif

#if defined(__x86_64__) && defined(__GNUC__)
#define DAMIER_HAS_AVX
#define DAMIER_AVX2 __attribute__((target("avx2")))
#if defined(__clang__)
#define DAMIER_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl")))
#else
#define DAMIER_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,prefer-vector-width=512")))
#endif
#endif

namespace damier {

#if defined(DAMIER_HAS_AVX)
inline bool runs_avx2() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
}
inline bool runs_avx512() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}
#endif

}  // namespace damier
