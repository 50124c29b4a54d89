/* Canaries: values that come out otherwise when the compiler or the processor's mode breaks the pinned arithmetic. What
 * each one tells, and its expected bits, stand in detcheck/engine/canaries.py in this order. Operands are volatile so
 * that the compiler computes nothing. This file is also built alone (canary.c), well and badly, by a test. */
#ifndef DETCHECK_CANARY_H
#define DETCHECK_CANARY_H

#include "lanes.h"

static float dc_canary_sum(void)
{
    static volatile const float from[] = {1e8f, 0.7f, -1e8f, 0.7f};
    float terms[64], sum = 0.0f;
    for (uint32_t i = 0; i < 64; i++)
        terms[i] = from[i & 3u];
    for (uint32_t i = 0; i < 64; i++)
        sum += terms[i];
    return sum;
}

static uint32_t dc_canary_values(uint64_t values[DC_CANARY_VALUES])
{
    static volatile const float lerp[] = {0.7f, 5.3f, 0.13f}, dot[] = {1.74f, 6.61f, 2.34f, 8.23f};
    static volatile const float denormal = 0x1p-149f, low_a = 0x1.4p-70f, low_b = 0x1.8p-70f, scale = 0x1p+100f;
    static volatile const float one = 1.0f, three = 3.0f, half_ulp = 0x1p-24f, great = 0x1.fffffep+127f, two = 2.0f,
                                half = 0.5f, million = 1e8f;
    static volatile const double one_d = 1.0, three_d = 3.0, over_tie = 0x1.001p-53, great_d = 0x1.fffffffffffffp+1023,
                                 two_d = 2.0, half_d = 0.5, up = 2.5, down = -3.5, turns = 15.0;
    static volatile const double denormal_d = 0x1p-1074, low_a_d = 0x1.4p-530, low_b_d = 0x1.8p-530, scale_d = 0x1p+600;
    static volatile const float radians = 100.3f, minus_zero = -0.0f, zero = 0.0f, same[] = {3.0f, 3.0f};
    static volatile const double minus_zero_d = -0.0, zero_d = 0.0, same_d[] = {3.0, 3.0};
    uint32_t k = 0;
    /* rounding mode */
    values[k++] = dc_bits(one + half_ulp);
    values[k++] = dc_bits(one / three);
    values[k++] = dc_bits(-one / three);
    values[k++] = dc_bits64(one_d / three_d);
    values[k++] = dc_bits64(-one_d / three_d);
    values[k++] = dc_round_low32(up);
    values[k++] = dc_round_low32(down);
    /* extended precision: a double rounding, ranges and bits beyond the type */
    values[k++] = dc_bits64(one_d + over_tie);
    values[k++] = dc_bits64(great_d * two_d * half_d);
    values[k++] = dc_bits(great * two * half);
    values[k++] = dc_bits((one + million) - million);
    /* contraction */
    const float a = lerp[0], b = lerp[1], t = lerp[2];
    values[k++] = dc_bits(a + (b - a) * t);
    values[k++] = dc_bits(dot[0] * dot[2] + dot[1] * dot[3]);
    values[k++] = dc_bits64((double)radians - 0x1.921fb54442d18p+2 * turns);
    /* flush to zero: normal operands, denormal result */
    values[k++] = dc_bits(low_a * low_b);
    values[k++] = dc_bits64(low_a_d * low_b_d);
    /* denormals are zero: denormal operand, normal result */
    values[k++] = dc_bits(sqrtf(denormal));
    values[k++] = dc_bits(denormal * scale);
    values[k++] = dc_bits64(denormal_d * scale_d);
    /* signed zeros: the literal zero is what a compiler that minds no sign leaves out */
    values[k++] = dc_bits(minus_zero + 0.0f);
    values[k++] = dc_bits(0.0f - zero);
    values[k++] = dc_bits(-(same[0] - same[1]));
    values[k++] = dc_bits64(minus_zero_d + 0.0);
    values[k++] = dc_bits64(0.0 - zero_d);
    values[k++] = dc_bits64(-(same_d[0] - same_d[1]));
    /* reassociation */
    values[k++] = dc_bits(dc_canary_sum());
    /* a NaN that is still seen as one */
    const float infinity = great * two, nan = infinity - infinity;
    values[k++] = nan != nan ? DC_NAN_BITS : dc_bits(nan);
    /* byte order */
    const uint32_t order = 0x01020304u;
    uint8_t first;
    memcpy(&first, &order, 1);
    values[k++] = first;
    return k;
}

#endif
