/* Canaries: values that come out otherwise when the compiler or the processor's mode breaks the pinned arithmetic. The
 * expected bits, and what each one tells, stand in detcheck/engine/canaries.py, in this order. Operands are volatile so
 * that nothing is computed by the compiler. This file is also built alone (canary.c), well and badly, by a test. */
#ifndef DETCHECK_CANARY_H
#define DETCHECK_CANARY_H

#include "lanes.h"

static uint32_t dc_canary_values(uint64_t values[DC_CANARY_VALUES])
{
    static volatile const float f[] = {
        0x1.99999ap-4f,  0x1.666666p+0f, 0x1.0a3d7p-3f,  /* lerp: a, b, t */
        0x1.19999ap+0f,  -0x1.4ccccep-2f, 0x1.333334p+1f, 0x1.d70a3ep+0f, /* dot: ax, ay, bx, by */
        0x1p-149f,       0x1.4p-70f,     0x1.8p-70f,     /* denormals */
        1.0f,            0x1p-24f,       -1.0f,          3.0f,
        0x1.fffffep+127f, 2.0f,          0.5f,           1e8f,
    };
    static volatile const double g[] = {
        1.0, 0x1.002p-53, 0x1.fffffffffffffp+1023, 2.0, 0.5, 2.5, -3.5, 0x1.921fb6p+6, 0x1p-1074, 0x1.4p-530, 0x1.8p-530, 3.0,
    };
    uint32_t k = 0;
    const float a = f[0], b = f[1], t = f[2];
    values[k++] = dc_bits(a + (b - a) * t);
    values[k++] = dc_bits(f[3] * f[5] + f[4] * f[6]);
    values[k++] = dc_bits64(g[7] - 0x1.921fb54442d18p+2 * g[11]);
    values[k++] = dc_bits(sqrtf(f[7]));
    values[k++] = dc_bits(f[8] * f[9]);
    values[k++] = dc_bits(f[7] * 0x1p+100f);
    values[k++] = dc_bits64(g[9] * g[10]);
    values[k++] = dc_bits64(g[8] * 0x1p+600);
    values[k++] = dc_bits(f[10] + f[11]);
    values[k++] = dc_bits(f[10] / f[13]);
    values[k++] = dc_bits(f[12] / f[13]);
    values[k++] = dc_bits64(g[0] / g[11]);
    values[k++] = dc_bits64(-g[0] / g[11]);
    values[k++] = dc_round_low32(g[5]);
    values[k++] = dc_round_low32(g[6]);
    values[k++] = dc_bits64(g[0] + g[1]);
    values[k++] = dc_bits64(g[2] * g[3] * g[4]);
    values[k++] = dc_bits(f[14] * f[15] * f[16]);
    values[k++] = dc_bits((f[10] + f[17]) - f[17]);
    float sum = 0.0f;
    for (uint32_t i = 0; i < 64; i++) /* one partial sum, or several of a reassociated loop */
        sum += i & 1u ? f[0] : f[17];
    values[k++] = dc_bits(sum);
    const float nan = (f[14] * f[15]) - (f[14] * f[15]);
    values[k++] = nan != nan ? DC_NAN_BITS : dc_bits(nan);
    const uint32_t order = 0x01020304u;
    uint8_t bytes[4];
    memcpy(bytes, &order, sizeof bytes);
    values[k++] = bytes[0];
    return k;
}

#endif
