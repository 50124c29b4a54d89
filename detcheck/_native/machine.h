/* A replay in progress: the workspace (state, registers, lists) and the op lists that run over it. No Python here. */
#ifndef DETCHECK_MACHINE_H
#define DETCHECK_MACHINE_H

#include "kernels.h"

#define DC_MT_WORDS 624u

enum dc_rng { DC_MT53, DC_MT24, DC_SPLITMIX, DC_RNGS };
enum dc_result { DC_DONE, DC_TRAPPED, DC_STOPPED };

/* Operands are where the block starts: base + row * stride, stride 4 or 1 bytes along a column, 0 for a register. */
struct dc_step {
    dc_kernel kernel; /* NULL: the machine runs the op itself */
    unsigned char *d;
    const unsigned char *a, *b, *c;
    uint32_t d_stride, a_stride, b_stride, c_stride;
    uint32_t op, aux;
    uint32_t id;      /* place in the program's op list: traps are compared by it */
    uint32_t sources; /* how many of a, b, c are operands a trap reports */
};

/* What runs before the blocks of a segment, once. */
enum dc_item_kind { DC_ITEM_UNIFORM, DC_ITEM_DRAW, DC_ITEM_FOLD, DC_ITEM_KINDS };
struct dc_item {
    uint32_t kind;
    uint32_t rows;                      /* uniform: lanes to fill; fold: rows of the folded table */
    uint32_t step_start, step_count;    /* the op, or a fold's body */
    uint32_t reduce_start, reduce_count; /* fold: the accumulations, after each block of the body */
    uint32_t id;                        /* fold: for a trap on an empty table */
    uint32_t begins_at_first;           /* fold: min and max begin at row 0's value and trap without one */
};

/* Ops that may run block after block: no op reads what another row of the same segment writes. */
struct dc_segment {
    uint32_t item_start, item_count, step_start, step_count;
};

struct dc_program {
    uint32_t rows;
    uint32_t guard_start, guard_count;   /* segments; no guard: 0 */
    uint32_t dense_start, dense_count;   /* all rows are active */
    uint32_t sparse_start, sparse_count; /* through the active list */
};

struct dc_event {
    int32_t tick;
    uint32_t offset; /* bytes from the first player column */
    uint32_t cell;
    uint32_t width; /* bytes: 4, or 1 for bool */
};

struct dc_trap {
    uint32_t program, id, row, operands[3];
};

struct dc_machine {
    unsigned char *memory; /* the workspace, 64-byte aligned; `allocated` is what to free */
    void *allocated;
    size_t bytes;
    const struct dc_loops *loops;
    uint32_t backend, rng_kind;
    uint32_t *rng, *tick_cell, *active;
    uint32_t players_bytes, players_written;
    unsigned char *players, *players_image;
    uint32_t program_count, setup_count, segment_count, item_count, step_count, event_count;
    struct dc_program *programs;
    struct dc_segment *segments;
    struct dc_item *items;
    struct dc_step *steps;
    struct dc_event *events;
    int32_t tick;
    uint32_t next_event, active_count, program;
    uint64_t draws;
    struct dc_trap trap;
    /* asked every few milliseconds at most; not 0: stop */
    int (*poll)(void *context);
    void *poll_context;
    uint64_t work;
    uint32_t fresh; /* `tempered` belongs to the generator's current block */
    uint32_t tempered[DC_MT_WORDS];
};

/* Lane-ops between two polls: below ten milliseconds with the slowest op. */
#define DC_POLL_WORK (1u << 18)

/* A step costs this many lanes before its first, and at most so many steps run over a block between two polls. */
#define DC_STEP_WORK 16u
#define DC_POLL_STEPS 256u

/* The id of every compact: above all ops, so that a guard that trapped lists nothing. */
#define DC_COMPACT_ID ((1u << 31) - 1u)

static inline int dc_poll(struct dc_machine *m, uint64_t work)
{
    m->work += work;
    if (m->work < DC_POLL_WORK)
        return 0;
    m->work = 0;
    return m->poll != NULL && m->poll(m->poll_context);
}

/* Builds a machine from the encoder's arrays (see plan.c). Returns NULL and sets *why. */
struct dc_machine *dc_machine_new(const int32_t *header, size_t header_count, const int32_t *const arrays[5],
                                  const size_t counts[5], const struct dc_loops *loops, const char **why);
void dc_machine_free(struct dc_machine *m);

enum dc_result dc_machine_setup(struct dc_machine *m);
/* Completes `ticks` ticks, or stops early in a state that is not to be used further. */
enum dc_result dc_machine_run(struct dc_machine *m, int32_t ticks);

/* A draw op over `count` active rows: DC_DONE, DC_TRAPPED with *row the position of the first bad one, DC_STOPPED. */
enum dc_result dc_draw(struct dc_machine *m, const struct dc_step *step, uint32_t count, uint32_t *row);

#endif
