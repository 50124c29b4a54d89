/* The benchmark workload (native_scenarios.py, WORKLOAD) as one fused loop a tick: what the interpreter is measured
 * against. Each op is the pinned one; draws are taken op by op as whole columns, since the order of words is pinned.
 * Built by native_workload.py with the extension's own flags; FUSED_AVX2 picks the instruction set. */
#if defined(FUSED_AVX2)
#pragma GCC target("avx2")
#endif

#include "../detcheck/_native/kernels/fixed.h"
#include "../detcheck/_native/kernels/float.h"

#define EXPORT __attribute__((visibility("default")))

struct columns {
    uint32_t *x, *y, *vx, *vy, *speed, *ratio, *luck, *mix, *dice;
    uint32_t *mt; /* 624 words and left, then the block's tempered words */
};

/* step, -arena, arena, pull, blend, scale: cells of the backend */
struct constants {
    uint32_t step, low, high, pull, blend, scale;
};

static void twist(uint32_t *mt)
{
    for (uint32_t i = 0; i < 624; i++) {
        const uint32_t joined = (mt[i] & 0x80000000u) | (mt[i + 1 < 624 ? i + 1 : 0] & 0x7fffffffu);
        mt[i] = mt[i + 397 < 624 ? i + 397 : i - 227] ^ (joined >> 1) ^ (0x9908b0dfu & (0u - (joined & 1u)));
    }
    mt[624] = 624;
    for (uint32_t i = 0; i < 624; i++) {
        uint32_t y = mt[i];
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680u;
        y ^= (y << 15) & 0xefc60000u;
        mt[625 + i] = y ^ (y >> 18);
    }
}

static void roll(uint32_t *restrict d, uint32_t n, uint32_t lo, uint32_t hi, uint32_t *restrict mt)
{
    uint32_t mask = hi - lo;
    for (uint32_t shift = 1; shift < 32; shift *= 2)
        mask |= mask >> shift;
    for (uint32_t i = 0; i < n;) {
        if (mt[624] == 0)
            twist(mt);
        uint32_t k = 624 - mt[624];
        for (; k < 624 && i < n; k++) {
            const uint32_t value = mt[625 + k] & mask;
            d[i] = lo + value;
            i += value <= hi - lo;
        }
        mt[624] = 624 - k;
    }
}

#define units(luck, n, mt, from_word)                                                                                  \
    for (uint32_t i = 0, count; i < (n); i += count) {                                                                 \
        if ((mt)[624] == 0)                                                                                            \
            twist(mt);                                                                                                 \
        count = (n) - i < (mt)[624] ? (n) - i : (mt)[624];                                                             \
        const uint32_t *restrict words = (mt) + 625 + 624 - (mt)[624];                                                 \
        uint32_t *restrict to = (luck) + i;                                                                            \
        for (uint32_t k = 0; k < count; k++)                                                                           \
            to[k] = from_word(words[k]);                                                                               \
        (mt)[624] -= count;                                                                                            \
    }

#define FUSED(name, from_word, add, sub, mul, div, root, clamp, less, is_zero, store)                                  \
    static __attribute__((noinline)) void name##_rows(                                                                 \
        uint32_t *restrict px, uint32_t *restrict py, uint32_t *restrict qx, uint32_t *restrict qy,                    \
        uint32_t *restrict speed, uint32_t *restrict ratio, const uint32_t *restrict luck, uint32_t *restrict mix,     \
        const struct constants c, uint32_t n)                                                                          \
    {                                                                                                                  \
        const struct dc_range range = dc_i32_range();                                                                  \
        (void)range;                                                                                                   \
        for (uint32_t i = 0; i < n; i++) {                                                                             \
            uint32_t vx = qx[i], vy = qy[i];                                                                           \
            const uint32_t x = clamp(add(px[i], mul(vx, c.step)), c.low, c.high);                                      \
            const uint32_t y = clamp(add(py[i], mul(vy, c.step)), c.low, c.high);                                      \
            const uint32_t swift = root(add(mul(vx, vx), mul(vy, vy)));                                                \
            const uint32_t length = root(add(mul(x, x), mul(y, y)));                                                   \
            const uint32_t divisor = is_zero(length) ? c.scale : length;                                               \
            const uint32_t nx = div(x, divisor), ny = div(y, divisor);                                                 \
            vx = add(vx, mul(sub(mul(is_zero(length) ? 0u : nx, c.pull), vx), c.blend));                               \
            vy = add(vy, mul(sub(mul(is_zero(length) ? 0u : ny, c.pull), vy), c.blend));                               \
            const uint32_t share = div(swift, c.scale);                                                                \
            const uint32_t luck_here = luck[i], mix_here = mix[i];                                                     \
            px[i] = store(x);                                                                                          \
            py[i] = store(y);                                                                                          \
            qx[i] = store(vx);                                                                                         \
            qy[i] = store(vy);                                                                                         \
            speed[i] = store(swift);                                                                                   \
            ratio[i] = store(less(share, luck_here) ? luck_here : share);                                              \
            mix[i] = (mix_here ^ (mix_here << 13)) * 2654435769u;                                                      \
        }                                                                                                              \
    }                                                                                                                  \
    EXPORT void name(const struct columns *t, const struct constants *k, uint32_t n, uint32_t ticks);                  \
    EXPORT void name(const struct columns *t, const struct constants *k, uint32_t n, uint32_t ticks)                   \
    {                                                                                                                  \
        for (; ticks > 0; ticks--) {                                                                                   \
            roll(t->dice, n, (uint32_t)-37, 41u, t->mt);                                                               \
            units(t->luck, n, t->mt, from_word);                                                                       \
            name##_rows(t->x, t->y, t->vx, t->vy, t->speed, t->ratio, t->luck, t->mix, *k, n);                         \
        }                                                                                                              \
    }

#define Q_MUL(a, b) dc_fixed_mul(range, a, b)
#define Q_DIV(a, b) dc_fixed_div(range, a, b)
#define Q_WORD(w) ((w) >> 16)
#define Q_CLAMP(v, lo, hi) (S(v) > S(hi) ? (hi) : S(v) < S(lo) ? (lo) : (v))
#define Q_LESS(a, b) (S(a) < S(b))
#define Q_ZERO(a) ((a) == 0u)
#define Q_STORE(a) (a)

#define F_WORD(w) dc_bits((float)((double)(w) * 0x1.00000001p-32))
#define F_ADD(a, b) dc_bits(F(a) + F(b))
#define F_SUB(a, b) dc_bits(F(a) - F(b))
#define F_MUL(a, b) dc_bits(F(a) * F(b))
#define F_DIV(a, b) dc_bits(F(a) / F(b))
#define F_ROOT(a) dc_bits(sqrtf(F(a)))
#define F_LESS(a, b) (F(a) < F(b))
#define F_ZERO(a) (F(a) == 0.0f)

static inline uint32_t f_clamp(uint32_t v, uint32_t lo, uint32_t hi)
{
    return F(v) > F(hi) ? hi : F(v) < F(lo) ? lo : v;
}

FUSED(fused_fixed, Q_WORD, dc_fixed_add, dc_fixed_sub, Q_MUL, Q_DIV, dc_fixed_sqrt, Q_CLAMP, Q_LESS, Q_ZERO,
      Q_STORE)
FUSED(fused_float, F_WORD, F_ADD, F_SUB, F_MUL, F_DIV, F_ROOT, f_clamp, F_LESS, F_ZERO, dc_float_canonical)

/* The memory limit: every column read and written once. */
EXPORT void touch(const struct columns *t, uint32_t n, uint32_t ticks);
EXPORT void touch(const struct columns *t, uint32_t n, uint32_t ticks)
{
    uint32_t *const columns[] = {t->x, t->y, t->vx, t->vy, t->speed, t->ratio, t->luck, t->mix, t->dice};
    for (; ticks > 0; ticks--)
        for (uint32_t k = 0; k < sizeof columns / sizeof *columns; k++)
            for (uint32_t i = 0; i < n; i++)
                columns[k][i] += 1u;
}
