/* The kernels: one op over the rows of one block. The list below is the only numbering of ops; Python reads the names
 * from the module, so nothing else holds a copy of it. */
#ifndef DETCHECK_KERNELS_H
#define DETCHECK_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* Rows of one block: a register is 2 KB, so that the registers of a system stay in the first-level cache. */
#ifndef DC_BLOCK
#define DC_BLOCK 512u
#endif

#define DC_SINE_ENTRIES 4097u
#define DC_ATAN_ENTRIES 8193u

#define DC_NAN_BITS 0x7fc00000u

enum dc_backend { DC_FIXED, DC_WRAPPING, DC_FLOAT, DC_BACKENDS };

/* X(identifier, op code): by number backend. */
#define DC_NUM_KERNELS(X)                                                                                              \
    X(num_add, "num.add")                                                                                              \
    X(num_sub, "num.sub")                                                                                              \
    X(num_mul, "num.mul")                                                                                              \
    X(num_div, "num.div")                                                                                              \
    X(num_neg, "num.neg")                                                                                              \
    X(num_abs, "num.abs")                                                                                              \
    X(num_floor, "num.floor")                                                                                          \
    X(num_ceil, "num.ceil")                                                                                            \
    X(num_sqrt, "num.sqrt")                                                                                            \
    X(num_min, "num.min")                                                                                              \
    X(num_max, "num.max")                                                                                              \
    X(num_clamp, "num.clamp")                                                                                          \
    X(num_lt, "num.lt")                                                                                                \
    X(num_le, "num.le")                                                                                                \
    X(num_gt, "num.gt")                                                                                                \
    X(num_ge, "num.ge")                                                                                                \
    X(num_eq, "num.eq")                                                                                                \
    X(num_ne, "num.ne")                                                                                                \
    X(num_is_nan, "num.is_nan")                                                                                        \
    X(num_is_inf, "num.is_inf")                                                                                        \
    X(num_is_finite, "num.is_finite")                                                                                  \
    X(num_from_i32, "num.from_i32")                                                                                    \
    X(num_from_u32, "num.from_u32")                                                                                    \
    X(num_round, "num.round")                                                                                          \
    X(num_sin_angle, "num.sin_angle")                                                                                  \
    X(num_cos_angle, "num.cos_angle")                                                                                  \
    X(num_heading, "num.heading")                                                                                      \
    X(num_store, "store.num")                                                                                          \
    X(num_store_at, "store.at.num")                                                                                    \
    X(num_fold_sum, "fold.sum.num")                                                                                    \
    X(num_fold_min, "fold.min.num")                                                                                    \
    X(num_fold_max, "fold.max.num")

/* Radians: on float_pinned_32 only. */
#define DC_RADIAN_KERNELS(X)                                                                                           \
    X(num_sin, "num.sin")                                                                                              \
    X(num_cos, "num.cos")                                                                                              \
    X(num_sincos_cos, "num.sincos_cos")                                                                                \
    X(num_atan2, "num.atan2")                                                                                          \
    X(num_asin, "num.asin")                                                                                            \
    X(num_acos, "num.acos")

/* The same for every backend. */
#define DC_INTEGER_KERNELS(X, T)                                                                                       \
    X(T##_add, #T ".add")                                                                                              \
    X(T##_sub, #T ".sub")                                                                                              \
    X(T##_mul, #T ".mul")                                                                                              \
    X(T##_and, #T ".and")                                                                                              \
    X(T##_or, #T ".or")                                                                                                \
    X(T##_xor, #T ".xor")                                                                                              \
    X(T##_shl, #T ".shl")                                                                                              \
    X(T##_shr, #T ".shr")                                                                                              \
    X(T##_min, #T ".min")                                                                                              \
    X(T##_max, #T ".max")                                                                                              \
    X(T##_floordiv, #T ".floordiv")                                                                                    \
    X(T##_mod, #T ".mod")                                                                                              \
    X(T##_neg, #T ".neg")                                                                                              \
    X(T##_not, #T ".not")                                                                                              \
    X(T##_clamp, #T ".clamp")                                                                                          \
    X(T##_lt, #T ".lt")                                                                                                \
    X(T##_le, #T ".le")                                                                                                \
    X(T##_gt, #T ".gt")                                                                                                \
    X(T##_ge, #T ".ge")                                                                                                \
    X(T##_eq, #T ".eq")                                                                                                \
    X(T##_ne, #T ".ne")                                                                                                \
    X(T##_fold_sum, "fold.sum." #T)                                                                                    \
    X(T##_fold_min, "fold.min." #T)                                                                                    \
    X(T##_fold_max, "fold.max." #T)

/* copy and broadcast move 32-bit lanes; the _8 kernels go between a bool column's bytes and 32-bit lanes; the _at
 * kernels go through a list of row numbers. */
#define DC_LANE_KERNELS(X)                                                                                             \
    X(i32_abs, "i32.abs")                                                                                              \
    X(bool_and, "bool.and")                                                                                            \
    X(bool_or, "bool.or")                                                                                              \
    X(bool_eq, "bool.eq")                                                                                              \
    X(bool_ne, "bool.ne")                                                                                              \
    X(bool_not, "bool.not")                                                                                            \
    X(select, "select")                                                                                                \
    X(copy, "copy")                                                                                                    \
    X(broadcast, "broadcast")                                                                                          \
    X(broadcast_8, "broadcast.8")                                                                                      \
    X(load_8, "load.8")                                                                                                \
    X(load_at, "load.at")                                                                                              \
    X(load_at_8, "load.at.8")                                                                                          \
    X(store_8, "store.8")                                                                                              \
    X(store_at, "store.at")                                                                                            \
    X(store_at_8, "store.at.8")                                                                                        \
    X(gather, "gather")                                                                                                \
    X(gather_8, "gather.8")                                                                                            \
    X(check_index, "check_index")                                                                                      \
    X(scatter_add, "scatter.add")                                                                                      \
    X(scatter_sub, "scatter.sub")                                                                                      \
    X(fold_count, "fold.count")

/* Run by the interpreter itself: the active list of a guard, and draws (mt19937 by block). */
#define DC_MACHINE_OPS(X)                                                                                              \
    X(compact, "compact")                                                                                              \
    X(draw_rand_u32, "draw.rand_u32")                                                                                  \
    X(draw_roll, "draw.roll")                                                                                          \
    X(draw_rand_unit, "draw.rand_unit")                                                                                \
    X(draw_next_float, "draw.next_float")                                                                              \
    X(draw_next_int_inclusive, "draw.next_int_inclusive")                                                              \
    X(draw_below, "draw.below")

#define DC_ALL_OPS(X)                                                                                                  \
    DC_NUM_KERNELS(X)                                                                                                  \
    DC_RADIAN_KERNELS(X)                                                                                               \
    DC_INTEGER_KERNELS(X, i32)                                                                                         \
    DC_INTEGER_KERNELS(X, u32)                                                                                         \
    DC_LANE_KERNELS(X)                                                                                                 \
    DC_MACHINE_OPS(X)

#define DC_ENUM(id, name) DC_##id,
enum dc_op { DC_ALL_OPS(DC_ENUM) DC_OPS };
#undef DC_ENUM

/* d and the operands never overlap, except that operands may be the same lane. Returns n, or the number of the first
 * row whose op traps (nothing is then promised about d). `aux` is the rows of a gather's table. */
typedef uint32_t (*dc_kernel)(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t n,
                              uint32_t aux);

enum { DC_CANARY_VALUES = 32 };

/* One build of every loop: baseline, or for a wider instruction set from the same source. */
struct dc_loops {
    const char *name;
    dc_kernel kernel[DC_BACKENDS][DC_OPS];
    uint32_t (*canary)(uint64_t values[DC_CANARY_VALUES]);
};

extern const struct dc_loops dc_loops_baseline;
extern const struct dc_loops dc_loops_avx2;

/* Whether this build holds AVX2 loops and this processor runs them. */
int dc_avx2_usable(void);

#endif
