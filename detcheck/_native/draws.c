/* Draws: one op takes the words of all its active rows before the next op does (design: math, Generators).
 *
 * The generator's saved state lies in the workspace as it is hashed: mt19937's 624 words and `left`, or splitmix64's 64
 * bits, low word first. Tempered words of the current block are kept beside it. */
#include "machine.h"

#include <string.h>

#define DC_CHUNK 4096u

static inline uint32_t dc_twisted(uint32_t high, uint32_t low, uint32_t far)
{
    const uint32_t joined = (high & 0x80000000u) | (low & 0x7fffffffu);
    return far ^ (joined >> 1) ^ (0x9908b0dfu & (0u - (joined & 1u)));
}

static void dc_temper(struct dc_machine *m)
{
    for (uint32_t i = 0; i < DC_MT_WORDS; i++) {
        uint32_t y = m->rng[i];
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680u;
        y ^= (y << 15) & 0xefc60000u;
        m->tempered[i] = y ^ (y >> 18);
    }
    m->fresh = 1;
}

static void dc_twist(struct dc_machine *m)
{
    uint32_t *mt = m->rng, i = 0;
    for (; i < 227u; i++)
        mt[i] = dc_twisted(mt[i], mt[i + 1], mt[i + 397]);
    for (; i < 623u; i++)
        mt[i] = dc_twisted(mt[i], mt[i + 1], mt[i - 227]);
    mt[623] = dc_twisted(mt[623], mt[0], mt[396]);
    mt[DC_MT_WORDS] = DC_MT_WORDS;
    dc_temper(m);
}

/* The words still unread in the block, twisting lazily when there are none. */
static const uint32_t *dc_mt_words(struct dc_machine *m, uint32_t *count)
{
    if (m->rng[DC_MT_WORDS] == 0)
        dc_twist(m);
    else if (!m->fresh)
        dc_temper(m);
    *count = m->rng[DC_MT_WORDS];
    return m->tempered + (DC_MT_WORDS - *count);
}

static void dc_mt_take(struct dc_machine *m, uint32_t count)
{
    m->rng[DC_MT_WORDS] -= count;
    m->draws += count;
}

static inline uint64_t dc_splitmix_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t dc_splitmix_load(const struct dc_machine *m)
{
    return (uint64_t)m->rng[0] | (uint64_t)m->rng[1] << 32;
}

static void dc_splitmix_save(struct dc_machine *m, uint64_t state, uint32_t count)
{
    m->rng[0] = (uint32_t)state;
    m->rng[1] = (uint32_t)(state >> 32);
    m->draws += count;
}

/* n words, mt19937's, or the upper halves of splitmix64's. */
static void dc_words(struct dc_machine *m, uint32_t *d, uint32_t n)
{
    if (m->rng_kind == DC_SPLITMIX) {
        uint64_t state = dc_splitmix_load(m);
        for (uint32_t i = 0; i < n; i++)
            d[i] = (uint32_t)(dc_splitmix_next(&state) >> 32);
        dc_splitmix_save(m, state, n);
        return;
    }
    while (n > 0) {
        uint32_t available;
        const uint32_t *words = dc_mt_words(m, &available);
        const uint32_t count = n < available ? n : available;
        memcpy(d, words, (size_t)count * sizeof *d);
        dc_mt_take(m, count);
        d += count;
        n -= count;
    }
}

/* mt19937: words masked to the smallest 2^k - 1 >= width, drawn again while above it. Every word counts. */
static uint32_t dc_mt_bounded(struct dc_machine *m, uint32_t width)
{
    uint32_t mask = width;
    for (uint32_t shift = 1; shift < 32; shift *= 2)
        mask |= mask >> shift;
    for (;;) {
        uint32_t available;
        const uint32_t *words = dc_mt_words(m, &available);
        for (uint32_t i = 0; i < available; i++)
            if ((words[i] & mask) <= width) {
                dc_mt_take(m, i + 1);
                return words[i] & mask;
            }
        dc_mt_take(m, available);
    }
}

/* The same for n rows of one width: refused words are overwritten, so the loop has no unpredictable branch. */
static void dc_mt_bounded_rows(struct dc_machine *m, uint32_t *d, uint32_t n, uint32_t width, uint32_t add)
{
    uint32_t mask = width;
    for (uint32_t shift = 1; shift < 32; shift *= 2)
        mask |= mask >> shift;
    while (n > 0) {
        uint32_t available, i = 0, accepted = 0;
        const uint32_t *words = dc_mt_words(m, &available);
        while (i < available && accepted < n) {
            const uint32_t value = words[i++] & mask;
            d[accepted] = value + add;
            accepted += (uint32_t)(value <= width);
        }
        dc_mt_take(m, i);
        d += accepted;
        n -= accepted;
    }
}

/* lo + [0, width] on n rows; a stride of 0: one bound for all. */
static void dc_bounded(struct dc_machine *m, uint32_t *d, const uint32_t *lo, uint32_t lo_step, const uint32_t *hi,
                       uint32_t hi_step, uint32_t n)
{
    if (m->rng_kind == DC_SPLITMIX) {
        uint64_t state = dc_splitmix_load(m);
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t low = lo[(size_t)i * lo_step];
            const uint64_t width = (uint64_t)(hi[(size_t)i * hi_step] - low) + 1u;
            d[i] = low + (uint32_t)(((dc_splitmix_next(&state) >> 32) * width) >> 32);
        }
        dc_splitmix_save(m, state, n);
    } else if (lo_step == 0 && hi_step == 0) {
        dc_mt_bounded_rows(m, d, n, *hi - *lo, *lo);
    } else {
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t low = lo[(size_t)i * lo_step];
            d[i] = low + dc_mt_bounded(m, hi[(size_t)i * hi_step] - low);
        }
    }
}

/* below(n), splitmix64: the upper 32 bits times n, upper half; 0 gives 0 and takes a word. */
static void dc_below(struct dc_machine *m, uint32_t *d, const uint32_t *bound, uint32_t step, uint32_t n)
{
    uint64_t state = dc_splitmix_load(m);
    for (uint32_t i = 0; i < n; i++)
        d[i] = (uint32_t)(((dc_splitmix_next(&state) >> 32) * bound[(size_t)i * step]) >> 32);
    dc_splitmix_save(m, state, n);
}

static inline uint32_t dc_float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A word over 2^32 - 1 in binary64, then binary32. The scale is binary64's nearest: 2^-32 + 2^-64. */
static inline float dc_unit_53(uint32_t word) { return (float)((double)word * 0x1.00000001p-32); }

/* As with 24-bit x87 precision: the word is loaded as a signed integer, exactly; a negative one gets 2^32 added, rounded
 * to 24 bits; the product with the scale rounds once to 24 bits. In units of 2^-64 the product of an integer v is
 * v * 2^32 + v: exact in 64 bits, so that the conversion to binary32 is the one rounding. The rounded negative word is a
 * multiple of 256 up to 2^32, so v / 256 is taken, in units of 2^-56. */
static inline float dc_unit_24(uint32_t word)
{
    if (word < 0x80000000u)
        return (float)((uint64_t)word << 32 | word) * 0x1p-64f;
    const uint64_t rounded = (uint64_t)(float)word >> 8;
    return (float)((rounded << 32) + rounded) * 0x1p-56f;
}

/* next_float as bits, in place over words. splitmix64's unit has 24 bits of its own and is only used for floats. */
static void dc_unit_bits(const struct dc_machine *m, uint32_t *d, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const float value = m->rng_kind == DC_MT53   ? dc_unit_53(d[i])
                            : m->rng_kind == DC_MT24 ? dc_unit_24(d[i])
                                                     : (float)(d[i] >> 8) * 0x1p-24f;
        d[i] = dc_float_bits(value);
    }
}

/* from_f32 of a value in [0, 1]: times 2^16, nearest, ties to even, by the sum with 1.5 * 2^52. */
static void dc_unit_raw(uint32_t *d, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        float value;
        memcpy(&value, d + i, sizeof value);
        const double shifted = (double)value * 65536.0 + 6755399441055744.0;
        uint64_t bits;
        memcpy(&bits, &shifted, sizeof bits);
        d[i] = (uint32_t)bits;
    }
}

static void dc_draw_rows(struct dc_machine *m, const struct dc_step *step, uint32_t *d, uint32_t position, uint32_t n)
{
    const uint32_t a_step = step->a_stride / 4u, b_step = step->b_stride / 4u;
    const uint32_t *a = (const uint32_t *)(const void *)(step->a + (size_t)step->a_stride * position);
    const uint32_t *b = (const uint32_t *)(const void *)(step->b + (size_t)step->b_stride * position);
    static const uint32_t zero = 0;
    switch (step->op) {
    case DC_draw_roll:
        dc_bounded(m, d, a, a_step, b, b_step, n);
        return;
    case DC_draw_next_int_inclusive:
        dc_bounded(m, d, &zero, 0, a, a_step, n);
        return;
    case DC_draw_below:
        dc_below(m, d, a, a_step, n);
        return;
    default:
        dc_words(m, d, n);
    }
    if (step->op == DC_draw_rand_unit && m->backend != DC_FLOAT) {
        for (uint32_t i = 0; i < n; i++)
            d[i] >>= 16;
    } else if (step->op != DC_draw_rand_u32) {
        dc_unit_bits(m, d, n);
        if (m->backend != DC_FLOAT)
            dc_unit_raw(d, n);
    }
}

/* The first row whose bounds are out of order, or n. */
static uint32_t dc_bad_bounds(const struct dc_step *step, uint32_t position, uint32_t n)
{
    const uint32_t *lo = (const uint32_t *)(const void *)(step->a + (size_t)step->a_stride * position);
    const uint32_t *hi = (const uint32_t *)(const void *)(step->b + (size_t)step->b_stride * position);
    const uint32_t lo_step = step->a_stride / 4u, hi_step = step->b_stride / 4u;
    for (uint32_t i = 0; i < n; i++) {
        if ((int32_t)hi[(size_t)i * hi_step] < (int32_t)lo[(size_t)i * lo_step])
            return i;
        if (lo_step == 0 && hi_step == 0)
            break;
    }
    return n;
}

enum dc_result dc_draw(struct dc_machine *m, const struct dc_step *step, uint32_t count, uint32_t *row)
{
    for (uint32_t position = 0; position < count; position += DC_CHUNK) {
        const uint32_t left = count - position, n = left < DC_CHUNK ? left : DC_CHUNK;
        if (step->op == DC_draw_roll) {
            const uint32_t bad = dc_bad_bounds(step, position, n);
            if (bad < n) {
                *row = position + bad;
                return DC_TRAPPED;
            }
        }
        dc_draw_rows(m, step, (uint32_t *)(void *)(step->d + (size_t)step->d_stride * position), position, n);
        if (dc_poll(m, 2u * (uint64_t)n))
            return DC_STOPPED;
    }
    return DC_DONE;
}
