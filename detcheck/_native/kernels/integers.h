/* i32, u32, bool and lane-moving kernels: the same for every backend. Arithmetic is unsigned, so that wrapping is
 * defined; shift counts are taken mod 32. >> of a negative int32_t is arithmetic in every compiler this is built with
 * (the language leaves it to them; tests hold it). */
#ifndef DETCHECK_INTEGERS_H
#define DETCHECK_INTEGERS_H

#include "lanes.h"

#define S(lane) dc_signed(lane)

/* Floor division of i32: -2^31 // -1 is itself and its remainder 0, so -1 never reaches the machine's division. */
static inline uint32_t dc_i32_floordiv(uint32_t x, uint32_t y)
{
    if (y == 0xffffffffu)
        return 0u - x;
    const int32_t quotient = S(x) / S(y), remainder = S(x) % S(y);
    return (uint32_t)quotient - (uint32_t)(remainder != 0 && (remainder < 0) != (S(y) < 0));
}

static inline uint32_t dc_i32_mod(uint32_t x, uint32_t y)
{
    if (y == 0xffffffffu)
        return 0u;
    const int32_t remainder = S(x) % S(y);
    return (uint32_t)remainder + (remainder != 0 && (remainder < 0) != (S(y) < 0) ? y : 0u);
}

#define DC_WRAPPING_OPS(T)                                                                                             \
    DC_MAP2(T##_add, x + y)                                                                                            \
    DC_MAP2(T##_sub, x - y)                                                                                            \
    DC_MAP2(T##_mul, x * y)                                                                                             \
    DC_MAP2(T##_and, x & y)                                                                                             \
    DC_MAP2(T##_or, x | y)                                                                                             \
    DC_MAP2(T##_xor, x ^ y)                                                                                            \
    DC_MAP2(T##_shl, x << (y & 31u))                                                                                   \
    DC_MAP1(T##_neg, 0u - x)                                                                                           \
    DC_MAP1(T##_not, ~x)                                                                                               \
    DC_MAP2(T##_eq, (uint32_t)(x == y))                                                                                \
    DC_MAP2(T##_ne, (uint32_t)(x != y))                                                                                \
    DC_FOLD(T##_fold_sum, x + y)

#define DC_ORDERED_OPS(T, V)                                                                                           \
    DC_MAP2(T##_min, V(y) < V(x) ? y : x)                                                                              \
    DC_MAP2(T##_max, V(x) < V(y) ? y : x)                                                                              \
    DC_MAP2(T##_lt, (uint32_t)(V(x) < V(y)))                                                                           \
    DC_MAP2(T##_le, (uint32_t)(V(x) <= V(y)))                                                                          \
    DC_MAP2(T##_gt, (uint32_t)(V(x) > V(y)))                                                                           \
    DC_MAP2(T##_ge, (uint32_t)(V(x) >= V(y)))                                                                          \
    DC_MAP3_TRAP(T##_clamp, V(y) > V(z), V(x) > V(z) ? z : V(x) < V(y) ? y : x)                                        \
    DC_FOLD(T##_fold_min, V(y) < V(x) ? y : x)                                                                         \
    DC_FOLD(T##_fold_max, V(x) < V(y) ? y : x)

#define U(lane) (lane)

DC_WRAPPING_OPS(i32)
DC_WRAPPING_OPS(u32)
DC_ORDERED_OPS(i32, S)
DC_ORDERED_OPS(u32, U)
DC_MAP2(i32_shr, (uint32_t)(S(x) >> (y & 31u)))
DC_MAP2(u32_shr, x >> (y & 31u))
DC_MAP2_TRAP(i32_floordiv, y == 0, dc_i32_floordiv(x, y))
DC_MAP2_TRAP(i32_mod, y == 0, dc_i32_mod(x, y))
DC_MAP2_TRAP(u32_floordiv, y == 0, x / y)
DC_MAP2_TRAP(u32_mod, y == 0, x % y)
DC_MAP1(i32_abs, S(x) < 0 ? 0u - x : x)

DC_MAP2(bool_and, x & y)
DC_MAP2(bool_or, x | y)
DC_MAP2(bool_eq, (uint32_t)(x == y))
DC_MAP2(bool_ne, (uint32_t)(x != y))
DC_MAP1(bool_not, x ^ 1u)

static uint32_t select(DC_PARAMS)
{
    (void)aux;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t mask = 0u - a[i];
        d[i] = (b[i] & mask) | (c[i] & ~mask);
    }
    return n;
}

DC_MAP1(copy, x)

static uint32_t broadcast(DC_PARAMS)
{
    DC_IGNORE_BC;
    const uint32_t x = a[0];
    for (uint32_t i = 0; i < n; i++)
        d[i] = x;
    return n;
}

static uint32_t broadcast_8(DC_PARAMS)
{
    DC_IGNORE_BC;
    const uint32_t x = *(const uint8_t *)a;
    for (uint32_t i = 0; i < n; i++)
        d[i] = x;
    return n;
}

static uint32_t load_8(DC_PARAMS)
{
    DC_IGNORE_BC;
    const uint8_t *column = (const uint8_t *)a;
    for (uint32_t i = 0; i < n; i++)
        d[i] = column[i];
    return n;
}

static uint32_t store_8(DC_PARAMS)
{
    DC_IGNORE_BC;
    uint8_t *restrict column = (uint8_t *)d;
    for (uint32_t i = 0; i < n; i++)
        column[i] = (uint8_t)a[i];
    return n;
}

/* a: the whole column, b: row numbers of the active list */
static uint32_t load_at(DC_PARAMS)
{
    DC_IGNORE_C;
    for (uint32_t i = 0; i < n; i++)
        d[i] = a[b[i]];
    return n;
}

static uint32_t load_at_8(DC_PARAMS)
{
    DC_IGNORE_C;
    const uint8_t *column = (const uint8_t *)a;
    for (uint32_t i = 0; i < n; i++)
        d[i] = column[b[i]];
    return n;
}

/* d: the whole column, a: values, b: row numbers of the active list */
static uint32_t store_at(DC_PARAMS)
{
    DC_IGNORE_C;
    for (uint32_t i = 0; i < n; i++)
        d[b[i]] = a[i];
    return n;
}

static uint32_t store_at_8(DC_PARAMS)
{
    DC_IGNORE_C;
    uint8_t *restrict column = (uint8_t *)d;
    for (uint32_t i = 0; i < n; i++)
        column[b[i]] = (uint8_t)a[i];
    return n;
}

/* a: indices, aux: rows of the table. A negative i32 is a large u32, so one comparison serves both. */
static uint32_t check_index(DC_PARAMS)
{
    (void)d;
    DC_IGNORE_BC;
    uint32_t trapped = 0;
    for (uint32_t i = 0; i < n; i++)
        trapped |= (uint32_t)(a[i] >= aux);
    if (trapped != 0)
        for (uint32_t i = 0; i < n; i++)
            if (a[i] >= aux)
                return i;
    return n;
}

/* a: indices, b: the whole column */
static uint32_t gather(DC_PARAMS)
{
    const uint32_t first = check_index(d, a, b, c, n, aux);
    if (first < n)
        return first;
    for (uint32_t i = 0; i < n; i++)
        d[i] = b[a[i]];
    return n;
}

static uint32_t gather_8(DC_PARAMS)
{
    const uint8_t *column = (const uint8_t *)b;
    const uint32_t first = check_index(d, a, b, c, n, aux);
    if (first < n)
        return first;
    for (uint32_t i = 0; i < n; i++)
        d[i] = column[a[i]];
    return n;
}

/* d: the whole column, a: indices (already checked), b: values */
static uint32_t scatter_add(DC_PARAMS)
{
    DC_IGNORE_C;
    for (uint32_t i = 0; i < n; i++)
        d[a[i]] += b[i];
    return n;
}

static uint32_t scatter_sub(DC_PARAMS)
{
    DC_IGNORE_C;
    for (uint32_t i = 0; i < n; i++)
        d[a[i]] -= b[i];
    return n;
}

DC_FOLD(fold_count, x + y)

#endif
