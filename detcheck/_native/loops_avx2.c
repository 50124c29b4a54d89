/* The same loops for AVX2, chosen at run time. AVX2 does not bring fused multiply-add, and nothing here asks for it. */
#if (defined(__x86_64__) || defined(_M_X64)) && (defined(__GNUC__) || defined(__clang__))

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#include "loops.h"

const struct dc_loops dc_loops_avx2 = DC_LOOPS("avx2");

#if defined(__clang__)
#pragma clang attribute pop
#endif

int dc_avx2_usable(void) { return __builtin_cpu_supports("avx2") != 0; }

#else

#include "kernels.h"

const struct dc_loops dc_loops_avx2 = {.name = "avx2"};

int dc_avx2_usable(void) { return 0; }

#endif
