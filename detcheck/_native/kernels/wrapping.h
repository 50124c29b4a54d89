/* fixed_wrapping_16_16: Q16.16 that wraps, in 64-bit integers, as its source document writes it; quotients and roots
 * truncate, and where there is no result the op traps. */
#ifndef DETCHECK_WRAPPING_H
#define DETCHECK_WRAPPING_H

#include "q16.h"

/* The low 32 bits of an arithmetic shift by 16 are those of a logical one. |product| <= 2^62. */
static inline uint32_t dc_wrapping_mul(uint32_t x, uint32_t y)
{
    return (uint32_t)(((uint64_t)((int64_t)S(x) * (int64_t)S(y)) + 0x8000u) >> 16);
}

/* y is not 0; |x * 65536| <= 2^47, so no quotient overflows 64 bits. */
static inline uint32_t dc_wrapping_div(uint32_t x, uint32_t y)
{
    return (uint32_t)(uint64_t)((int64_t)S(x) * 65536 / (int64_t)S(y));
}

/* x >= 0. n = x * 65536 <= 2^47 is exact and s = sqrt(n) < 2^24 is computed within 2^-30. Unless n is a square, s is
 * at least 2^-25 below the next integer (k^2 - 1 gives k - 1 / (2k)), so truncation finds the floor. */
static inline uint32_t dc_wrapping_sqrt(uint32_t x) { return (uint32_t)(int32_t)sqrt((double)S(x) * 65536.0); }

DC_MAP2(wrapping_num_add, x + y)
DC_MAP2(wrapping_num_sub, x - y)
DC_MAP2(wrapping_num_mul, dc_wrapping_mul(x, y))
DC_MAP2_TRAP(wrapping_num_div, y == 0, dc_wrapping_div(x, y))
DC_MAP1(wrapping_num_neg, 0u - x)
DC_MAP1(wrapping_num_abs, S(x) < 0 ? 0u - x : x)
DC_MAP1(wrapping_num_ceil, (x + 0xffffu) & 0xffff0000u)
DC_MAP1(wrapping_num_from_i32, x << 16)
DC_MAP1(wrapping_num_from_u32, x << 16)
DC_MAP1(wrapping_num_round, (uint32_t)(S(x) >> 16) + ((x >> 15) & 1u))
DC_FOLD(wrapping_num_fold_sum, x + y)

static uint32_t wrapping_num_sqrt(DC_PARAMS)
{
    DC_IGNORE_BC;
    uint32_t signs = 0;
    for (uint32_t i = 0; i < n; i++)
        signs |= a[i];
    if (S(signs) < 0)
        for (uint32_t i = 0; i < n; i++)
            if (S(a[i]) < 0)
                return i;
    for (uint32_t i = 0; i < n; i++)
        d[i] = dc_wrapping_sqrt(a[i]);
    return n;
}

#endif
