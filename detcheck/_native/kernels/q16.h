/* What both Q16.16 backends share: order, classification, moving, CORDIC. A lane holds the int32 raw. */
#ifndef DETCHECK_Q16_H
#define DETCHECK_Q16_H

#include "integers.h"

/* atan(2^-i) in angle units (2^32 = one turn), the seed document's 24 constants. */
#define DC_CORDIC_STEPS(STEP)                                                                                          \
    STEP(0, 536870912) STEP(1, 316933406) STEP(2, 167458907) STEP(3, 85004756) STEP(4, 42667331) STEP(5, 21354465)     \
    STEP(6, 10679838) STEP(7, 5340245) STEP(8, 2670163) STEP(9, 1335087) STEP(10, 667544) STEP(11, 333772)             \
    STEP(12, 166886) STEP(13, 83443) STEP(14, 41722) STEP(15, 20861) STEP(16, 10430) STEP(17, 5215) STEP(18, 2608)     \
    STEP(19, 1304) STEP(20, 652) STEP(21, 326) STEP(22, 163) STEP(23, 81)

#define DC_CORDIC_K 652032874

struct dc_cordic {
    uint32_t sine, cosine;
};

/* Rotation mode. All values stay inside int32: |z| is at most 2^30 plus one constant less than 2^30, and (x, y) starts
 * at 2^30 / gain and its length only grows towards 2^30 (< 2^30 + 24 by the shifts' flooring). */
static inline struct dc_cordic dc_cordic_rotate(uint32_t angle)
{
    const int32_t turned = S(angle);
    const uint32_t flip = (uint32_t)(turned > (1 << 30) || turned < -(1 << 30));
    int32_t z = S(angle + (flip << 31));
    int32_t x = DC_CORDIC_K, y = 0;
#define DC_STEP(i, atan)                                                                                               \
    {                                                                                                                  \
        const int32_t sign = z >= 0 ? 0 : -1;                                                                          \
        const int32_t dx = ((y >> i) ^ sign) - sign, dy = ((x >> i) ^ sign) - sign;                                    \
        x -= dx;                                                                                                       \
        y += dy;                                                                                                       \
        z -= ((atan) ^ sign) - sign;                                                                                   \
    }
    DC_CORDIC_STEPS(DC_STEP)
#undef DC_STEP
    const uint32_t back = 0u - flip;
    struct dc_cordic result;
    result.sine = ((uint32_t)((y + (1 << 13)) >> 14) ^ back) - back;
    result.cosine = ((uint32_t)((x + (1 << 13)) >> 14) ^ back) - back;
    return result;
}

/* Vectoring mode in 64 bits on raw << 14; 0 for the zero vector. |x| and |y| start below 2^45 + 1 and grow by less than
 * a factor of three. */
static inline uint32_t dc_cordic_heading(uint32_t x_raw, uint32_t y_raw)
{
    const int64_t negate = S(x_raw) < 0 ? -1 : 0;
    int64_t x = (((int64_t)S(x_raw) * 16384) ^ negate) - negate, y = (((int64_t)S(y_raw) * 16384) ^ negate) - negate;
    uint32_t z = (uint32_t)negate << 31;
#define DC_STEP(i, atan)                                                                                               \
    {                                                                                                                  \
        const int64_t sign = y > 0 ? 0 : -1;                                                                           \
        const int64_t dx = ((y >> i) ^ sign) - sign, dy = ((x >> i) ^ sign) - sign;                                    \
        x += dx;                                                                                                       \
        y -= dy;                                                                                                       \
        z += ((uint32_t)(atan) ^ (uint32_t)sign) - (uint32_t)sign;                                                     \
    }
    DC_CORDIC_STEPS(DC_STEP)
#undef DC_STEP
    return (x_raw | y_raw) == 0 ? 0u : z;
}

DC_MAP2(q16_min, S(y) < S(x) ? y : x)
DC_MAP2(q16_max, S(x) < S(y) ? y : x)
DC_MAP3_TRAP(q16_clamp, S(y) > S(z), S(x) > S(z) ? z : S(x) < S(y) ? y : x)
DC_MAP2(q16_lt, (uint32_t)(S(x) < S(y)))
DC_MAP2(q16_le, (uint32_t)(S(x) <= S(y)))
DC_MAP2(q16_gt, (uint32_t)(S(x) > S(y)))
DC_MAP2(q16_ge, (uint32_t)(S(x) >= S(y)))
DC_MAP2(q16_eq, (uint32_t)(x == y))
DC_MAP2(q16_ne, (uint32_t)(x != y))
DC_MAP1(q16_never, x & 0u)
DC_MAP1(q16_always, x | 1u ? 1u : 0u)
DC_MAP1(q16_floor, x & 0xffff0000u)
DC_MAP1(q16_sin_angle, dc_cordic_rotate(x).sine)
DC_MAP1(q16_cos_angle, dc_cordic_rotate(x).cosine)
DC_MAP2(q16_heading, dc_cordic_heading(x, y))
DC_FOLD(q16_fold_min, S(y) < S(x) ? y : x)
DC_FOLD(q16_fold_max, S(x) < S(y) ? y : x)

#define fixed_num_min q16_min
#define fixed_num_max q16_max
#define fixed_num_clamp q16_clamp
#define fixed_num_lt q16_lt
#define fixed_num_le q16_le
#define fixed_num_gt q16_gt
#define fixed_num_ge q16_ge
#define fixed_num_eq q16_eq
#define fixed_num_ne q16_ne
#define fixed_num_is_nan q16_never
#define fixed_num_is_inf q16_never
#define fixed_num_is_finite q16_always
#define fixed_num_floor q16_floor
#define fixed_num_sin_angle q16_sin_angle
#define fixed_num_cos_angle q16_cos_angle
#define fixed_num_heading q16_heading
#define fixed_num_store copy
#define fixed_num_store_at store_at
#define fixed_num_fold_min q16_fold_min
#define fixed_num_fold_max q16_fold_max

#define wrapping_num_min q16_min
#define wrapping_num_max q16_max
#define wrapping_num_clamp q16_clamp
#define wrapping_num_lt q16_lt
#define wrapping_num_le q16_le
#define wrapping_num_gt q16_gt
#define wrapping_num_ge q16_ge
#define wrapping_num_eq q16_eq
#define wrapping_num_ne q16_ne
#define wrapping_num_is_nan q16_never
#define wrapping_num_is_inf q16_never
#define wrapping_num_is_finite q16_always
#define wrapping_num_floor q16_floor
#define wrapping_num_sin_angle q16_sin_angle
#define wrapping_num_cos_angle q16_cos_angle
#define wrapping_num_heading q16_heading
#define wrapping_num_store copy
#define wrapping_num_store_at store_at
#define wrapping_num_fold_min q16_fold_min
#define wrapping_num_fold_max q16_fold_max

#endif
