/* The interpreter: segments of ops over blocks of rows.
 *
 * Traps: the one to report is the earliest op's, for that the lowest row's. Blocks run one after the other, so when a
 * block traps at an op, the later blocks (and they only) still run the ops before it, in case one of those traps. */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

#define DC_NO_LIMIT UINT32_MAX

static const uint32_t *dc_at(const unsigned char *base, uint32_t stride, uint32_t position)
{
    return (const uint32_t *)(const void *)(base + (size_t)stride * position);
}

static void dc_record_trap(struct dc_machine *m, const struct dc_step *step, uint32_t position, uint32_t lane,
                           uint32_t row)
{
    const unsigned char *const bases[3] = {step->a, step->b, step->c};
    const uint32_t strides[3] = {step->a_stride, step->b_stride, step->c_stride};
    m->trap.program = m->program;
    m->trap.id = step->id;
    m->trap.row = row;
    for (uint32_t k = 0; k < 3; k++)
        m->trap.operands[k] = k < step->sources ? dc_at(bases[k], strides[k], position)[lane] : 0u;
}

/* Appends the block's active rows to the list, which the first block begins. Never more rows than were asked about,
 * whatever the mask holds: the list has room for each row once. */
static void dc_compact(struct dc_machine *m, const struct dc_step *step, uint32_t position, uint32_t n)
{
    const uint32_t *mask = dc_at(step->a, step->a_stride, position);
    uint32_t count = position == 0 ? 0u : m->active_count;
    for (uint32_t i = 0; i < n; i++) {
        m->active[count] = position + i;
        count += mask[i] != 0;
    }
    m->active_count = count;
}

/* The steps over the block of n rows from `position`; stops before the op `limit`. Returns the limit from here on: that
 * of the op that trapped, else the old one. `list` gives the row numbers where not all rows are active. */
static uint32_t dc_block(struct dc_machine *m, const struct dc_step *step, const struct dc_step *end,
                         uint32_t position, uint32_t n, const uint32_t *list, uint32_t limit)
{
    for (; step < end && step->id < limit; step++) {
        if (step->kernel == NULL) {
            dc_compact(m, step, position, n);
            continue;
        }
        uint32_t *d = (uint32_t *)(void *)(step->d + (size_t)step->d_stride * position);
        const uint32_t done =
            step->kernel(d, dc_at(step->a, step->a_stride, position), dc_at(step->b, step->b_stride, position),
                         dc_at(step->c, step->c_stride, position), n, step->aux);
        if (done < n) {
            dc_record_trap(m, step, position, done, list != NULL ? list[position + done] : position + done);
            return step->id;
        }
    }
    return limit;
}

/* The same, polled on the way: a long list of steps is a long time for one block. */
static enum dc_result dc_block_polled(struct dc_machine *m, const struct dc_step *step, const struct dc_step *end,
                                      uint32_t position, uint32_t n, const uint32_t *list, uint32_t *limit)
{
    while (step < end) {
        const uint32_t count = end - step < DC_POLL_STEPS ? (uint32_t)(end - step) : DC_POLL_STEPS;
        *limit = dc_block(m, step, step + count, position, n, list, *limit);
        if (dc_poll(m, (uint64_t)(n + DC_STEP_WORK) * count))
            return DC_STOPPED;
        step += count;
    }
    return DC_DONE;
}

/* A fold: its body over all rows of the folded table, accumulated from row 0 up. The accumulators are zero at first. */
static enum dc_result dc_fold(struct dc_machine *m, const struct dc_item *item, uint32_t first_row, uint32_t *limit)
{
    const struct dc_step *body = m->steps + item->step_start, *end = body + item->step_count;
    const struct dc_step *reduce = m->steps + item->reduce_start, *reduce_end = reduce + item->reduce_count;
    uint32_t trapped = DC_NO_LIMIT;
    for (const struct dc_step *step = reduce; step < reduce_end; step++)
        *(uint32_t *)(void *)step->d = 0u;
    if (item->rows == 0 && item->begins_at_first) {
        m->trap = (struct dc_trap){.program = m->program, .id = item->id, .row = first_row};
        *limit = item->id;
        return DC_DONE;
    }
    for (uint32_t position = 0; position < item->rows; position += DC_BLOCK) {
        const uint32_t left = item->rows - position, n = left < DC_BLOCK ? left : DC_BLOCK;
        if (dc_block_polled(m, body, end, position, n, NULL, &trapped) == DC_STOPPED)
            return DC_STOPPED;
        for (const struct dc_step *step = reduce; step < reduce_end; step++) {
            uint32_t *accumulator = (uint32_t *)(void *)step->d;
            const uint32_t *values = dc_at(step->a, step->a_stride, position);
            const uint32_t skip = position == 0 && item->begins_at_first;
            if (skip)
                *accumulator = values[0];
            step->kernel(accumulator, values + skip, NULL, NULL, n - skip, 0);
        }
        if (dc_poll(m, (uint64_t)(n + DC_STEP_WORK) * item->reduce_count))
            return DC_STOPPED;
    }
    if (trapped != DC_NO_LIMIT)
        *limit = trapped;
    return DC_DONE;
}

/* What runs once before the blocks. A trap there ends it: what follows stands later in the op list. */
static enum dc_result dc_items(struct dc_machine *m, const struct dc_segment *segment, uint32_t count,
                               const uint32_t *list, uint32_t *limit)
{
    const struct dc_item *item = m->items + segment->item_start, *end = item + segment->item_count;
    const uint32_t first_row = list != NULL ? list[0] : 0u;
    for (; item < end && *limit == DC_NO_LIMIT; item++) {
        const struct dc_step *step = m->steps + item->step_start;
        if (item->kind == DC_ITEM_UNIFORM) {
            if (dc_block_polled(m, step, step + 1, 0, item->rows, list, limit) == DC_STOPPED)
                return DC_STOPPED;
            continue;
        }
        if (item->kind == DC_ITEM_FOLD) {
            if (dc_fold(m, item, first_row, limit) == DC_STOPPED)
                return DC_STOPPED;
            continue;
        }
        uint32_t position = 0;
        const enum dc_result result = dc_draw(m, step, count, &position);
        if (result == DC_STOPPED)
            return result;
        if (result == DC_TRAPPED) {
            const uint32_t lane_a = step->a_stride ? position : 0u, lane_b = step->b_stride ? position : 0u;
            m->trap = (struct dc_trap){.program = m->program, .id = step->id, .row = list ? list[position] : position};
            m->trap.operands[0] = ((const uint32_t *)(const void *)step->a)[lane_a];
            m->trap.operands[1] = ((const uint32_t *)(const void *)step->b)[lane_b];
            *limit = step->id;
        }
    }
    return DC_DONE;
}

static enum dc_result dc_segments(struct dc_machine *m, uint32_t start, uint32_t segment_count, uint32_t count,
                                  const uint32_t *list)
{
    const struct dc_segment *segment = m->segments + start, *end = segment + segment_count;
    for (; segment < end; segment++) {
        const struct dc_step *steps = m->steps + segment->step_start, *steps_end = steps + segment->step_count;
        uint32_t limit = DC_NO_LIMIT;
        if (dc_items(m, segment, count, list, &limit) == DC_STOPPED)
            return DC_STOPPED;
        for (uint32_t position = 0; position < count; position += DC_BLOCK) {
            const uint32_t left = count - position, n = left < DC_BLOCK ? left : DC_BLOCK;
            if (dc_block_polled(m, steps, steps_end, position, n, list, &limit) == DC_STOPPED)
                return DC_STOPPED;
        }
        if (limit != DC_NO_LIMIT)
            return DC_TRAPPED;
    }
    return DC_DONE;
}

/* Without an active row nothing of the statements draws, traps or folds. */
static enum dc_result dc_program_run(struct dc_machine *m, uint32_t number)
{
    const struct dc_program *p = m->programs + number;
    m->program = number;
    if (p->rows == 0)
        return DC_DONE;
    if (p->guard_count == 0)
        return dc_segments(m, p->dense_start, p->dense_count, p->rows, NULL);
    m->active_count = 0;
    const enum dc_result result = dc_segments(m, p->guard_start, p->guard_count, p->rows, NULL);
    if (result != DC_DONE || m->active_count == 0)
        return result;
    if (m->active_count == p->rows)
        return dc_segments(m, p->dense_start, p->dense_count, p->rows, NULL);
    return dc_segments(m, p->sparse_start, p->sparse_count, m->active_count, m->active);
}

/* The players' rows at the start of a tick. Where a program writes to them the script's own image is laid over whole. */
static void dc_inputs(struct dc_machine *m)
{
    unsigned char *base = m->players_written ? m->players_image : m->players;
    while (m->next_event < m->event_count && m->events[m->next_event].tick <= m->tick) {
        const struct dc_event *event = m->events + m->next_event++;
        memcpy(base + event->offset, &event->cell, event->width); /* little-endian: a bool is the first byte */
    }
    if (m->players_written)
        memcpy(m->players, m->players_image, m->players_bytes);
}

enum dc_result dc_machine_setup(struct dc_machine *m)
{
    *m->tick_cell = 0;
    for (uint32_t number = 0; number < m->setup_count; number++) {
        const enum dc_result result = dc_program_run(m, number);
        if (result != DC_DONE)
            return result;
    }
    return DC_DONE;
}

enum dc_result dc_machine_run(struct dc_machine *m, int32_t ticks)
{
    for (; ticks > 0; ticks--) {
        *m->tick_cell = (uint32_t)m->tick;
        dc_inputs(m);
        for (uint32_t number = m->setup_count; number < m->program_count; number++) {
            const enum dc_result result = dc_program_run(m, number);
            if (result != DC_DONE)
                return result;
        }
        m->tick++;
        if (dc_poll(m, 64u + m->players_bytes / 16u))
            return DC_STOPPED;
    }
    return DC_DONE;
}
