/* What every kernel file stands on: 32-bit lanes, reinterpretation without aliasing, and the loop shapes.
 *
 * Loops stay plain so that every compiler vectorises them; the same source gives the same bits in every build, because
 * each lane is one pinned operation and nothing is summed across lanes out of order. */
#ifndef DETCHECK_LANES_H
#define DETCHECK_LANES_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../kernels.h"

#if !defined(DC_CANARY_ALONE) && defined(__FAST_MATH__)
#error "a fast-math build would change bits"
#endif
#if !defined(DC_CANARY_ALONE) && FLT_EVAL_METHOD != 0
#error "binary32 and binary64 have to be evaluated in their own precision (32-bit x86: -msse2 -mfpmath=sse)"
#endif

#if defined(_MSC_VER)
#pragma fp_contract(off)
#pragma float_control(precise, on)
#elif defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

/* d is written and never overlaps an operand. */
#define DC_PARAMS                                                                                                      \
    uint32_t *restrict d, const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t n, uint32_t aux
#define DC_IGNORE_BC (void)b, (void)c, (void)aux
#define DC_IGNORE_C (void)c, (void)aux

static inline float dc_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t dc_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline uint64_t dc_bits64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Two's complement, as on every machine this is built for. */
static inline int32_t dc_signed(uint32_t lane) { return (int32_t)lane; }

/* Nearest integer, ties to even, of |v| <= 2^32, as the low 32 bits: the sum with 1.5 * 2^52 has a unit in the last
 * place of exactly one, so the addition itself rounds, by the machine's mode (to nearest even: a canary holds it). */
static inline uint32_t dc_round_low32(double v) { return (uint32_t)dc_bits64(v + 6755399441055744.0); }

/* The int32 range, for kernels that saturate. The bounds are read once a call, as if they could change: of constants GCC
 * makes integer selects behind the conversion, of variables the minimum and maximum they are. */
struct dc_range {
    double low, high;
};

static inline struct dc_range dc_i32_range(void)
{
    static volatile const double low = -2147483648.0, high = 2147483647.0;
    const struct dc_range range = {low, high};
    return range;
}

/* Into the range; a NaN stays. */
static inline double dc_clamp(struct dc_range range, double v)
{
    v = range.high < v ? range.high : v;
    return v < range.low ? range.low : v;
}

/* Loop shapes: x, y, z are the operand lanes (X: their form), `result` an expression of them. */
#define DC_MAP1(name, result)                                                                                          \
    static uint32_t name(DC_PARAMS)                                                                                    \
    {                                                                                                                  \
        DC_IGNORE_BC;                                                                                                  \
        for (uint32_t i = 0; i < n; i++) {                                                                             \
            const uint32_t x = a[i];                                                                                   \
            d[i] = (result);                                                                                           \
        }                                                                                                              \
        return n;                                                                                                      \
    }

#define DC_MAP2(name, result)                                                                                          \
    static uint32_t name(DC_PARAMS)                                                                                    \
    {                                                                                                                  \
        DC_IGNORE_C;                                                                                                   \
        for (uint32_t i = 0; i < n; i++) {                                                                             \
            const uint32_t x = a[i], y = b[i];                                                                         \
            d[i] = (result);                                                                                           \
        }                                                                                                              \
        return n;                                                                                                      \
    }

/* As DC_MAP1 and DC_MAP2; `range` is the int32 range. */
#define DC_MAP1_RANGE(name, result)                                                                                    \
    static uint32_t name(DC_PARAMS)                                                                                    \
    {                                                                                                                  \
        DC_IGNORE_BC;                                                                                                  \
        const struct dc_range range = dc_i32_range();                                                                  \
        for (uint32_t i = 0; i < n; i++) {                                                                             \
            const uint32_t x = a[i];                                                                                   \
            d[i] = (result);                                                                                           \
        }                                                                                                              \
        return n;                                                                                                      \
    }

#define DC_MAP2_RANGE(name, result)                                                                                    \
    static uint32_t name(DC_PARAMS)                                                                                    \
    {                                                                                                                  \
        DC_IGNORE_C;                                                                                                   \
        const struct dc_range range = dc_i32_range();                                                                  \
        for (uint32_t i = 0; i < n; i++) {                                                                             \
            const uint32_t x = a[i], y = b[i];                                                                         \
            d[i] = (result);                                                                                           \
        }                                                                                                              \
        return n;                                                                                                      \
    }

/* As DC_MAP2, where `trap` is true of no row; else the first such row is returned before anything is computed. */
#define DC_MAP2_TRAP(name, trap, result)                                                                               \
    static uint32_t name(DC_PARAMS)                                                                                    \
    {                                                                                                                  \
        DC_IGNORE_C;                                                                                                   \
        uint32_t trapped = 0;                                                                                          \
        for (uint32_t i = 0; i < n; i++) {                                                                             \
            const uint32_t x = a[i], y = b[i];                                                                         \
            (void)x, (void)y;                                                                                          \
            trapped |= (uint32_t)(trap);                                                                               \
        }                                                                                                              \
        if (trapped != 0)                                                                                              \
            for (uint32_t i = 0; i < n; i++) {                                                                         \
                const uint32_t x = a[i], y = b[i];                                                                     \
                (void)x, (void)y;                                                                                      \
                if (trap)                                                                                              \
                    return i;                                                                                          \
            }                                                                                                          \
        for (uint32_t i = 0; i < n; i++) {                                                                             \
            const uint32_t x = a[i], y = b[i];                                                                         \
            d[i] = (result);                                                                                           \
        }                                                                                                              \
        return n;                                                                                                      \
    }

#define DC_MAP3_TRAP(name, trap, result)                                                                               \
    static uint32_t name(DC_PARAMS)                                                                                    \
    {                                                                                                                  \
        (void)aux;                                                                                                     \
        uint32_t trapped = 0;                                                                                          \
        for (uint32_t i = 0; i < n; i++) {                                                                             \
            const uint32_t y = b[i], z = c[i];                                                                         \
            trapped |= (uint32_t)(trap);                                                                               \
        }                                                                                                              \
        if (trapped != 0)                                                                                              \
            for (uint32_t i = 0; i < n; i++) {                                                                         \
                const uint32_t y = b[i], z = c[i];                                                                     \
                if (trap)                                                                                              \
                    return i;                                                                                          \
            }                                                                                                          \
        for (uint32_t i = 0; i < n; i++) {                                                                             \
            const uint32_t x = a[i], y = b[i], z = c[i];                                                               \
            d[i] = (result);                                                                                           \
        }                                                                                                              \
        return n;                                                                                                      \
    }

/* d[0] is the accumulator; rows in order, since a rounding or saturating sum depends on it. x: accumulator, y: value. */
#define DC_FOLD(name, result)                                                                                          \
    static uint32_t name(DC_PARAMS)                                                                                    \
    {                                                                                                                  \
        DC_IGNORE_BC;                                                                                                  \
        uint32_t x = d[0];                                                                                             \
        for (uint32_t i = 0; i < n; i++) {                                                                             \
            const uint32_t y = a[i];                                                                                   \
            x = (result);                                                                                              \
        }                                                                                                              \
        d[0] = x;                                                                                                      \
        return n;                                                                                                      \
    }

#endif
