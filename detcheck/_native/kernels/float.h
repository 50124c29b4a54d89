/* float_pinned_32: IEEE binary32, one operation and one rounding an op.
 *
 * A NaN result may have any bits inside a system; store.num makes every NaN 7fc00000, so no state holds another one.
 * neg and abs work on the sign bit. */
#ifndef DETCHECK_FLOAT_H
#define DETCHECK_FLOAT_H

#include "lanes.h"

#define F(lane) dc_float(lane)

#define DC_F_MAGNITUDE 0x7fffffffu
#define DC_F_INFINITY 0x7f800000u
#define DC_F_SIGN 0x80000000u

static inline uint32_t dc_float_canonical(uint32_t x)
{
    return (x & DC_F_MAGNITUDE) > DC_F_INFINITY ? DC_NAN_BITS : x;
}

static inline uint32_t dc_float_bad_bounds(uint32_t lo, uint32_t hi)
{
    return (uint32_t)((lo & DC_F_MAGNITUDE) >= DC_F_INFINITY) | (uint32_t)((hi & DC_F_MAGNITUDE) >= DC_F_INFINITY) |
           (uint32_t)!(F(lo) <= F(hi));
}

/* From 2^23 on every binary32 is an integer (or an infinity, or NaN); below it int32 holds the truncated value. The
 * sign bit stays, so that -0, and what goes up to zero from -1 < x < 0, is -0. */
static inline uint32_t dc_float_integral(uint32_t x, float step, int up)
{
    const uint32_t small = (uint32_t)((x & DC_F_MAGNITUDE) < 0x4b000000u);
    const float value = F(small ? x : 0u);
    float whole = (float)(int32_t)value;
    whole = (up ? whole < value : whole > value) ? whole + step : whole;
    return small ? (dc_bits(whole) & DC_F_MAGNITUDE) | (x & DC_F_SIGN) : x;
}

static inline uint32_t dc_float_round(struct dc_range range, uint32_t x)
{
    const uint32_t nearest = dc_round_low32(dc_clamp(range, (double)F(x)));
    return (x & DC_F_MAGNITUDE) > DC_F_INFINITY ? 0u : nearest;
}

DC_MAP2(float_num_add, dc_bits(F(x) + F(y)))
DC_MAP2(float_num_sub, dc_bits(F(x) - F(y)))
DC_MAP2(float_num_mul, dc_bits(F(x) * F(y)))
DC_MAP2(float_num_div, dc_bits(F(x) / F(y)))
DC_MAP1(float_num_sqrt, dc_bits(sqrtf(F(x))))
DC_MAP1(float_num_neg, x ^ DC_F_SIGN)
DC_MAP1(float_num_abs, x & DC_F_MAGNITUDE)
DC_MAP1(float_num_floor, dc_float_integral(x, -1.0f, 0))
DC_MAP1(float_num_ceil, dc_float_integral(x, 1.0f, 1))
DC_MAP2(float_num_min, F(y) < F(x) ? y : x)
DC_MAP2(float_num_max, F(x) < F(y) ? y : x)
DC_MAP3_TRAP(float_num_clamp, dc_float_bad_bounds(y, z), F(x) > F(z) ? z : F(x) < F(y) ? y : x)
DC_MAP2(float_num_lt, (uint32_t)(F(x) < F(y)))
DC_MAP2(float_num_le, (uint32_t)(F(x) <= F(y)))
DC_MAP2(float_num_gt, (uint32_t)(F(x) > F(y)))
DC_MAP2(float_num_ge, (uint32_t)(F(x) >= F(y)))
DC_MAP2(float_num_eq, (uint32_t)(F(x) == F(y)))
DC_MAP2(float_num_ne, (uint32_t)!(F(x) == F(y)))
DC_MAP1(float_num_is_nan, (uint32_t)((x & DC_F_MAGNITUDE) > DC_F_INFINITY))
DC_MAP1(float_num_is_inf, (uint32_t)((x & DC_F_MAGNITUDE) == DC_F_INFINITY))
DC_MAP1(float_num_is_finite, (uint32_t)((x & DC_F_MAGNITUDE) < DC_F_INFINITY))
DC_MAP1(float_num_from_i32, dc_bits((float)dc_signed(x)))
DC_MAP1(float_num_from_u32, dc_bits((float)x))
DC_MAP1_RANGE(float_num_round, dc_float_round(range, x))
DC_MAP1(float_num_store, dc_float_canonical(x))
DC_FOLD(float_num_fold_sum, dc_bits(F(x) + F(y)))
DC_FOLD(float_num_fold_min, F(y) < F(x) ? y : x)
DC_FOLD(float_num_fold_max, F(x) < F(y) ? y : x)

static uint32_t float_num_store_at(DC_PARAMS)
{
    DC_IGNORE_C;
    for (uint32_t i = 0; i < n; i++)
        d[b[i]] = dc_float_canonical(a[i]);
    return n;
}

#endif
