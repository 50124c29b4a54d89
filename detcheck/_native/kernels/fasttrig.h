/* FastTrig (float_pinned_32): tables and one linear interpolation. All binary32 but for the reduction and the scaling
 * of a heading, which are binary64. The tables are committed bit patterns, handed over by Python (operand c). */
#ifndef DETCHECK_FASTTRIG_H
#define DETCHECK_FASTTRIG_H

#include "float.h"

#define DC_PI 0x1.921fb6p+1f
#define DC_HALF_PI 0x1.921fb6p+0f
#define DC_HALF_PI_BITS 0x3fc90fdbu
#define DC_SINE_SCALE 0x1.45f308p+9f /* 651.898686f, bits 4422f984 */
#define DC_TWO_PI 0x1.921fb54442d18p+2
#define DC_PER_TWO_PI 0x1.45f306dc9c883p-3
#define DC_ANGLE_SCALE 0x1.45f306dc9c883p+29 /* 2^32 / 2 pi */

/* floor for every binary64: below 2^52 adding and taking away 2^52 rounds to an integer, from there on all are. */
static inline double dc_floor64(double v)
{
    const double magic = copysign(4503599627370496.0, v);
    double whole = (v + magic) - magic;
    whole = whole > v ? whole - 1.0 : whole;
    return fabs(v) < 4503599627370496.0 ? whole : v;
}

/* The table coordinate of r radians, or NaN outside (-1, 4096). */
static inline float dc_coordinate(float r)
{
    const double turns = dc_floor64((double)r * DC_PER_TWO_PI);
    float u = (float)((double)r - DC_TWO_PI * turns) * DC_SINE_SCALE;
    u = u >= 4096.0f ? u - 4096.0f : u;
    return u > -1.0f && u < 4096.0f ? u : F(DC_NAN_BITS);
}

static inline float dc_interpolate(const uint32_t *table, uint32_t i, float t)
{
    const float low = F(table[i]);
    return low + (F(table[i + 1]) - low) * t;
}

/* u in (-1, 4096) or NaN. */
static inline uint32_t dc_sine_at(const uint32_t *table, float u)
{
    const float known = u == u ? u : 0.0f;
    const int32_t i = (int32_t)known;
    const float value = dc_interpolate(table, (uint32_t)i, known - (float)i);
    return u == u ? dc_bits(value) : DC_NAN_BITS;
}

static inline uint32_t dc_cosine_at(const uint32_t *table, float u)
{
    const float v = u + 1024.0f;
    return dc_sine_at(table, v >= 4096.0f ? v - 4096.0f : v);
}

static inline uint32_t dc_sine_of_angle(const uint32_t *table, uint32_t angle)
{
    return dc_bits(dc_interpolate(table, angle >> 20, (float)(int32_t)(angle & 0xfffffu) * 0x1p-20f));
}

static inline float dc_arctangent(const uint32_t *table, float a)
{
    const float v = a * 8192.0f;
    const int32_t whole = (int32_t)v;
    const int32_t i = whole < 8191 ? whole : 8191;
    return dc_interpolate(table, (uint32_t)i, v - (float)i);
}

/* -0 counts as 0; a NaN, or two infinities, give NaN. */
static inline float dc_atan2(const uint32_t *table, float y, float x)
{
    const float ay = fabsf(y), ax = fabsf(x);
    const int flat = ay <= ax;
    const float numerator = flat ? ay : ax, denominator = flat ? ax : ay;
    const float ratio = numerator / denominator;
    /* not (0 <= ratio <= 1): 0/0, inf/inf or a NaN; each is settled below */
    const float angle = dc_arctangent(table, ratio <= 1.0f ? ratio : 0.0f);
    float base = flat ? angle : DC_HALF_PI - angle;
    base = x < 0.0f ? DC_PI - base : base;
    base = x == 0.0f ? (y == 0.0f ? 0.0f : DC_HALF_PI) : base;
    base = y < 0.0f ? -base : base;
    /* ratio is NaN for 0/0, which x == 0 has answered */
    return ratio == ratio || (x == 0.0f && y == 0.0f) ? base : F(DC_NAN_BITS);
}

static inline float dc_asin(const uint32_t *table, float x)
{
    const float angle = dc_atan2(table, x, sqrtf(1.0f - x * x));
    return fabsf(x) > 1.0f ? 0.0f : angle;
}

DC_MAP1(float_num_sin_angle, dc_sine_of_angle(c, x))
DC_MAP1(float_num_cos_angle, dc_sine_of_angle(c, x + 0x40000000u))
DC_MAP1(float_num_sin, dc_sine_at(c, dc_coordinate(F(x))))
DC_MAP1(float_num_cos, dc_sine_at(c, dc_coordinate(F(x) + DC_HALF_PI)))
DC_MAP1(float_num_sincos_cos, dc_cosine_at(c, dc_coordinate(F(x))))
DC_MAP2(float_num_atan2, dc_bits(dc_atan2(c, F(x), F(y))))
DC_MAP1(float_num_asin, dc_bits(dc_asin(c, F(x))))
DC_MAP1(float_num_acos, dc_bits(DC_HALF_PI - dc_asin(c, F(x))))

static uint32_t float_num_heading(DC_PARAMS)
{
    (void)aux;
    for (uint32_t i = 0; i < n; i++) {
        const float radians = dc_atan2(c, F(b[i]), F(a[i]));
        const uint32_t angle = dc_round_low32((double)radians * DC_ANGLE_SCALE);
        d[i] = radians == radians ? angle : 0u;
    }
    return n;
}

#endif
