/* fixed_point_16_16: Q16.16, nearest even, saturating.
 *
 * Products, quotients and roots go through binary64, exactly. Let |a|, |b| <= 2^31, all divisions of binary64 correctly
 * rounded to nearest even, no extended precision (canaries hold both before every replay).
 *
 * mul  p = a * b. If |p| < 2^53 it is exact, so is p * 2^-16, and dc_round_low32 rounds it once. If |p| >= 2^53 the
 *      computed product still has |p| * 2^-16 >= 2^37 and saturates as the exact one does. Clamping before rounding
 *      equals clamping after it, since the bounds are integers.
 * div  N = a * 65536 is exact (below 2^48). Let q = N / b. The computed quotient differs from q by at most |q| * 2^-53
 *      <= 2^47 / |b| * 2^-53 = 2^-6 / |b|. A tie is (2m + 1) / 2, and |q - tie| = |2N - (2m + 1) b| / (2 |b|) is 0 or at
 *      least 1 / (2 |b|). So the computed quotient lies on the same side of every tie as q; and where q is a tie below
 *      2^32 it is a binary64 number, computed exactly, and rounds to even.
 * sqrt n = a * 65536 <= 2^47 is exact. s = sqrt(n) < 2^24 is computed within 2^-30. (m + 1/2)^2 = m^2 + m + 1/4 is no
 *      integer, so |s - (m + 1/2)| >= (1/4) / (2 * 2^24) = 2^-27: the same side, and no ties. */
#ifndef DETCHECK_FIXED_H
#define DETCHECK_FIXED_H

#include "q16.h"

#define DC_MAX 0x7fffffffu
#define DC_MIN 0x80000000u

/* Where the sign of an overflowed result is wrong, the saturated value follows from the first operand's sign. */
static inline uint32_t dc_fixed_add(uint32_t x, uint32_t y)
{
    const uint32_t sum = x + y;
    return S(~(x ^ y) & (x ^ sum)) < 0 ? (x >> 31) + DC_MAX : sum;
}

static inline uint32_t dc_fixed_sub(uint32_t x, uint32_t y)
{
    const uint32_t difference = x - y;
    return S((x ^ y) & (x ^ difference)) < 0 ? (x >> 31) + DC_MAX : difference;
}

static inline uint32_t dc_fixed_mul(struct dc_range range, uint32_t x, uint32_t y)
{
    return dc_round_low32(dc_clamp(range, (double)S(x) * (double)S(y) * 0x1p-16));
}

/* x / 0 is the greatest value, the least, or 0, by the sign of x. */
static inline uint32_t dc_fixed_div(struct dc_range range, uint32_t x, uint32_t y)
{
    const uint32_t quotient = dc_round_low32(dc_clamp(range, (double)S(x) * 65536.0 / (double)S(y)));
    const uint32_t by_zero = x == 0 ? 0u : (x >> 31) + DC_MAX;
    return y == 0 ? by_zero : quotient;
}

static inline uint32_t dc_fixed_sqrt(uint32_t x)
{
    const double square = S(x) > 0 ? (double)S(x) * 65536.0 : 0.0;
    return dc_round_low32(sqrt(square));
}

static inline uint32_t dc_fixed_neg(uint32_t x) { return x == DC_MIN ? DC_MAX : 0u - x; }

/* Nearest, ties to even, from the upper and lower halves: x = 65536 * high + low. */
static inline uint32_t dc_fixed_round(uint32_t x)
{
    const uint32_t high = (uint32_t)(S(x) >> 16), low = x & 0xffffu;
    return high + (uint32_t)(low + (high & 1u) > 0x8000u);
}

DC_MAP2(fixed_num_add, dc_fixed_add(x, y))
DC_MAP2(fixed_num_sub, dc_fixed_sub(x, y))
DC_MAP2_RANGE(fixed_num_mul, dc_fixed_mul(range, x, y))
DC_MAP2_RANGE(fixed_num_div, dc_fixed_div(range, x, y))
DC_MAP1(fixed_num_sqrt, dc_fixed_sqrt(x))
DC_MAP1(fixed_num_neg, dc_fixed_neg(x))
DC_MAP1(fixed_num_abs, S(x) < 0 ? dc_fixed_neg(x) : x)
DC_MAP1(fixed_num_ceil, S(x) > S(0x7fff0000u) ? DC_MAX : (x + 0xffffu) & 0xffff0000u)
DC_MAP1(fixed_num_from_i32, S(x) > 32767 ? DC_MAX : S(x) < -32768 ? DC_MIN : x << 16)
DC_MAP1(fixed_num_from_u32, x > 32767u ? DC_MAX : x << 16)
DC_MAP1(fixed_num_round, dc_fixed_round(x))
DC_FOLD(fixed_num_fold_sum, dc_fixed_add(x, y))

#endif
