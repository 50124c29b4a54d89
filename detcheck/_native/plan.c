/* From the encoder's int32 arrays (detcheck/engine/native_plan.py) to a machine, every offset checked.
 *
 * header    backend, rng kind, words of the workspace, word offsets: rng, tick, active list, players, players' image;
 *           bytes of the players' columns, whether programs write to them, number of setup programs; word offset and
 *           count of the row numbers 0, 1, 2, ...
 * programs  rows, guard segments (start, count), dense (start, count), sparse (start, count)
 * segments  items (start, count), steps (start, count)
 * items     kind, rows, steps (start, count), accumulations (start, count), id, begins at row 0's value
 * steps     op, id, aux, reported operands, then word offset and stride of d, a, b, c
 * events    tick, byte offset, cell, width
 */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

enum { DC_HEADER = 13, DC_PROGRAM = 7, DC_SEGMENT = 4, DC_ITEM = 8, DC_STEP = 12, DC_EVENT = 4 };

static const size_t dc_widths[5] = {DC_PROGRAM, DC_SEGMENT, DC_ITEM, DC_STEP, DC_EVENT};

struct dc_reader {
    struct dc_machine *m;
    const char *why;
};

static int dc_fail(struct dc_reader *r, const char *why)
{
    if (r->why == NULL)
        r->why = why;
    return 0;
}

/* A pointer into the workspace with `bytes` readable behind it; NULL where it does not fit. */
static unsigned char *dc_place(struct dc_reader *r, int32_t word, uint64_t bytes)
{
    if (word < 0 || (uint64_t)word * 4u + bytes > r->m->bytes) {
        dc_fail(r, "an operand lies outside the workspace");
        return r->m->memory;
    }
    return r->m->memory + (size_t)word * 4u;
}

static int dc_range(struct dc_reader *r, int32_t start, int32_t count, uint32_t limit)
{
    if (start < 0 || count < 0 || (uint64_t)start + (uint64_t)count > limit)
        return dc_fail(r, "a range lies outside its array");
    return 1;
}

/* Operands that are whole columns or tables, not lanes of the block: bytes by op and operand, 0 for lanes. */
static uint64_t dc_whole(const struct dc_machine *m, uint32_t op, int operand, uint32_t aux)
{
    const uint64_t rows = aux;
    switch (op) {
    case DC_load_at:
        return operand == 1 ? rows * 4u : 0u;
    case DC_load_at_8:
        return operand == 1 ? rows : 0u;
    case DC_store_at:
    case DC_num_store_at:
    case DC_scatter_add:
    case DC_scatter_sub:
        return operand == 0 ? rows * 4u : 0u;
    case DC_store_at_8:
        return operand == 0 ? rows : 0u;
    case DC_gather:
        return operand == 2 ? rows * 4u : 0u;
    case DC_gather_8:
        return operand == 2 ? rows : 0u;
    case DC_broadcast:
    case DC_broadcast_8:
        return operand == 1 ? 4u : 0u;
    case DC_num_sin_angle:
    case DC_num_cos_angle:
    case DC_num_sin:
    case DC_num_cos:
    case DC_num_sincos_cos:
        return operand == 3 && m->backend == DC_FLOAT ? DC_SINE_ENTRIES * 4u : 0u;
    case DC_num_heading:
    case DC_num_atan2:
    case DC_num_asin:
    case DC_num_acos:
        return operand == 3 && m->backend == DC_FLOAT ? DC_ATAN_ENTRIES * 4u : 0u;
    default:
        return 0u;
    }
}

/* Checks the operands of a step that runs over `rows` rows. */
static int dc_check_step(struct dc_reader *r, const int32_t *wire, uint64_t rows)
{
    for (int operand = 0; operand < 4; operand++) {
        const int32_t word = wire[4 + 2 * operand], stride = wire[5 + 2 * operand];
        const uint64_t whole = dc_whole(r->m, (uint32_t)wire[0], operand, (uint32_t)wire[2]);
        if (stride != 0 && stride != 4 && stride != 1)
            return dc_fail(r, "a stride is not 0, 1 or 4");
        const uint64_t lanes = rows < DC_BLOCK ? rows : DC_BLOCK;
        dc_place(r, word, whole != 0 ? whole : stride == 0 ? lanes * 4u : rows * (uint64_t)stride);
    }
    return r->why == NULL;
}

static int dc_read_header(struct dc_reader *r, const int32_t *h)
{
    struct dc_machine *m = r->m;
    if (h[0] < 0 || h[0] >= DC_BACKENDS || h[1] < 0 || h[1] >= DC_RNGS || h[2] <= 0 || h[8] < 0)
        return dc_fail(r, "the header is out of range");
    m->backend = (uint32_t)h[0];
    m->rng_kind = (uint32_t)h[1];
    m->bytes = (size_t)(uint32_t)h[2] * 4u;
    m->allocated = calloc(m->bytes + 64u, 1);
    if (m->allocated == NULL)
        return dc_fail(r, "memory");
    m->memory = (unsigned char *)(((uintptr_t)m->allocated + 63u) & ~(uintptr_t)63u);
    m->players_bytes = (uint32_t)h[8];
    m->players_written = h[9] != 0;
    m->rng = (uint32_t *)(void *)dc_place(r, h[3], m->rng_kind == DC_SPLITMIX ? 8u : (DC_MT_WORDS + 1u) * 4u);
    m->tick_cell = (uint32_t *)(void *)dc_place(r, h[4], 4u);
    m->active = (uint32_t *)(void *)dc_place(r, h[5], 4u);
    m->players = dc_place(r, h[6], m->players_bytes);
    m->players_image = dc_place(r, h[7], m->players_bytes);
    uint32_t *row_numbers = (uint32_t *)(void *)dc_place(r, h[11], h[12] > 0 ? (uint64_t)h[12] * 4u : 0u);
    for (int32_t row = 0; r->why == NULL && row < h[12]; row++)
        row_numbers[row] = (uint32_t)row;
    m->setup_count = (uint32_t)h[10];
    if (h[10] < 0 || m->setup_count > m->program_count)
        return dc_fail(r, "more setup programs than programs");
    return r->why == NULL;
}

static int dc_read_steps(struct dc_reader *r, const int32_t *wire)
{
    struct dc_machine *m = r->m;
    for (uint32_t k = 0; k < m->step_count; k++, wire += DC_STEP) {
        struct dc_step *step = m->steps + k;
        if (wire[0] < 0 || wire[0] >= DC_OPS || wire[1] < 0 || wire[2] < 0 || wire[3] < 0 || wire[3] > 3)
            return dc_fail(r, "a step is out of range");
        step->op = (uint32_t)wire[0];
        step->kernel = m->loops->kernel[m->backend][step->op];
        if (step->kernel == NULL && step->op < DC_compact)
            return dc_fail(r, "the backend has no such op");
        step->id = (uint32_t)wire[1];
        if ((step->op == DC_compact) != (step->id == DC_COMPACT_ID))
            return dc_fail(r, "a compact has not the id above all others, or another op has it");
        step->aux = (uint32_t)wire[2];
        step->sources = (uint32_t)wire[3];
        step->d = dc_place(r, wire[4], 0);
        step->a = dc_place(r, wire[6], 0);
        step->b = dc_place(r, wire[8], 0);
        step->c = dc_place(r, wire[10], 0);
        step->d_stride = (uint32_t)wire[5];
        step->a_stride = (uint32_t)wire[7];
        step->b_stride = (uint32_t)wire[9];
        step->c_stride = (uint32_t)wire[11];
    }
    return r->why == NULL;
}

/* Which ops may stand where: draws only as items, compact only as a segment's last step. */
static int dc_check_steps(struct dc_reader *r, const int32_t *wire, uint32_t start, uint32_t count, uint64_t rows,
                          int may_compact)
{
    for (uint32_t k = start; k < start + count; k++) {
        if (r->m->steps[k].op > DC_compact)
            return dc_fail(r, "a draw among the steps of a block");
        if (r->m->steps[k].op == DC_compact && !(may_compact && k + 1 == start + count))
            return dc_fail(r, "a compact that is not the last step of a segment");
        if (r->m->steps[k].op == DC_compact)
            dc_place(r, (int32_t)((unsigned char *)r->m->active - r->m->memory) / 4, rows * 4u);
        if (!dc_check_step(r, wire + (size_t)k * DC_STEP, rows))
            return 0;
    }
    return 1;
}

static int dc_check_item(struct dc_reader *r, const struct dc_item *item, const int32_t *steps, uint64_t rows)
{
    const struct dc_machine *m = r->m;
    if (item->kind == DC_ITEM_FOLD)
        return dc_check_steps(r, steps, item->step_start, item->step_count, item->rows, 0) &&
               dc_check_steps(r, steps, item->reduce_start, item->reduce_count, item->rows, 0);
    if (item->step_count != 1)
        return dc_fail(r, "an item of one step has not one");
    if (item->kind == DC_ITEM_UNIFORM)
        return item->rows <= DC_BLOCK && m->steps[item->step_start].op < DC_compact
                   ? dc_check_steps(r, steps, item->step_start, 1, item->rows, 0)
                   : dc_fail(r, "a uniform item is out of range");
    if (m->steps[item->step_start].op <= DC_compact)
        return dc_fail(r, "an item draws with an op that does not");
    return dc_check_step(r, steps + (size_t)item->step_start * DC_STEP, rows);
}

static int dc_check_segments(struct dc_reader *r, uint32_t start, uint32_t count, const int32_t *steps, uint64_t rows)
{
    const struct dc_machine *m = r->m;
    for (uint32_t s = start; s < start + count; s++) {
        const struct dc_segment *segment = m->segments + s;
        for (uint32_t k = 0; k < segment->item_count; k++)
            if (!dc_check_item(r, m->items + segment->item_start + k, steps, rows))
                return 0;
        if (!dc_check_steps(r, steps, segment->step_start, segment->step_count, rows, 1))
            return 0;
    }
    return 1;
}

static int dc_read_items(struct dc_reader *r, const int32_t *wire)
{
    struct dc_machine *m = r->m;
    for (uint32_t k = 0; k < m->item_count; k++, wire += DC_ITEM) {
        if (wire[0] < 0 || wire[0] >= DC_ITEM_KINDS || wire[1] < 0 || wire[6] < 0)
            return dc_fail(r, "an item is out of range");
        if (!dc_range(r, wire[2], wire[3], m->step_count) || !dc_range(r, wire[4], wire[5], m->step_count))
            return 0;
        m->items[k] = (struct dc_item){(uint32_t)wire[0], (uint32_t)wire[1], (uint32_t)wire[2], (uint32_t)wire[3],
                                       (uint32_t)wire[4], (uint32_t)wire[5], (uint32_t)wire[6], wire[7] != 0};
    }
    return 1;
}

static int dc_read_segments(struct dc_reader *r, const int32_t *wire)
{
    struct dc_machine *m = r->m;
    for (uint32_t k = 0; k < m->segment_count; k++, wire += DC_SEGMENT) {
        if (!dc_range(r, wire[0], wire[1], m->item_count) || !dc_range(r, wire[2], wire[3], m->step_count))
            return 0;
        m->segments[k] =
            (struct dc_segment){(uint32_t)wire[0], (uint32_t)wire[1], (uint32_t)wire[2], (uint32_t)wire[3]};
    }
    return 1;
}

static int dc_read_programs(struct dc_reader *r, const int32_t *wire, const int32_t *steps)
{
    struct dc_machine *m = r->m;
    for (uint32_t k = 0; k < m->program_count; k++, wire += DC_PROGRAM) {
        if (wire[0] < 0)
            return dc_fail(r, "a program's rows are negative");
        for (int part = 1; part < DC_PROGRAM; part += 2)
            if (!dc_range(r, wire[part], wire[part + 1], m->segment_count) ||
                !dc_check_segments(r, (uint32_t)wire[part], (uint32_t)wire[part + 1], steps, (uint64_t)wire[0]))
                return 0;
        m->programs[k] =
            (struct dc_program){(uint32_t)wire[0], (uint32_t)wire[1], (uint32_t)wire[2], (uint32_t)wire[3],
                                (uint32_t)wire[4], (uint32_t)wire[5], (uint32_t)wire[6]};
    }
    return 1;
}

static int dc_read_events(struct dc_reader *r, const int32_t *wire)
{
    struct dc_machine *m = r->m;
    for (uint32_t k = 0; k < m->event_count; k++, wire += DC_EVENT) {
        if ((wire[3] != 4 && wire[3] != 1) || wire[1] < 0 ||
            (uint64_t)wire[1] + (uint64_t)wire[3] > m->players_bytes)
            return dc_fail(r, "an event lies outside the players' columns");
        m->events[k] = (struct dc_event){wire[0], (uint32_t)wire[1], (uint32_t)wire[2], (uint32_t)wire[3]};
    }
    return 1;
}

static int dc_allocate(struct dc_reader *r)
{
    struct dc_machine *m = r->m;
    m->programs = calloc(m->program_count + 1u, sizeof *m->programs);
    m->segments = calloc(m->segment_count + 1u, sizeof *m->segments);
    m->items = calloc(m->item_count + 1u, sizeof *m->items);
    m->steps = calloc(m->step_count + 1u, sizeof *m->steps);
    m->events = calloc(m->event_count + 1u, sizeof *m->events);
    if (m->programs == NULL || m->segments == NULL || m->items == NULL || m->steps == NULL || m->events == NULL)
        return dc_fail(r, "memory");
    return 1;
}

struct dc_machine *dc_machine_new(const int32_t *header, size_t header_count, const int32_t *const arrays[5],
                                  const size_t counts[5], const struct dc_loops *loops, const char **why)
{
    struct dc_reader r = {.m = calloc(1, sizeof *r.m), .why = NULL};
    if (r.m == NULL) {
        *why = "memory";
        return NULL;
    }
    r.m->loops = loops;
    if (header_count != DC_HEADER)
        dc_fail(&r, "the header has another length");
    for (int k = 0; k < 5; k++)
        if (counts[k] % dc_widths[k] != 0 || counts[k] > INT32_MAX)
            dc_fail(&r, "an array has another length");
    r.m->program_count = (uint32_t)(counts[0] / DC_PROGRAM);
    r.m->segment_count = (uint32_t)(counts[1] / DC_SEGMENT);
    r.m->item_count = (uint32_t)(counts[2] / DC_ITEM);
    r.m->step_count = (uint32_t)(counts[3] / DC_STEP);
    r.m->event_count = (uint32_t)(counts[4] / DC_EVENT);
    if (r.why == NULL && dc_allocate(&r) && dc_read_header(&r, header) && dc_read_steps(&r, arrays[3]) &&
        dc_read_items(&r, arrays[2]) && dc_read_segments(&r, arrays[1]) &&
        dc_read_programs(&r, arrays[0], arrays[3]) && dc_read_events(&r, arrays[4]))
        return r.m;
    *why = r.why;
    dc_machine_free(r.m);
    return NULL;
}

void dc_machine_free(struct dc_machine *m)
{
    if (m == NULL)
        return;
    free(m->allocated);
    free(m->programs);
    free(m->segments);
    free(m->items);
    free(m->steps);
    free(m->events);
    free(m);
}
