/* All kernels of one build, and their table. Included once by each loops_*.c, which names the table. */
#include "kernels/canary.h"
#include "kernels/fasttrig.h"
#include "kernels/fixed.h"
#include "kernels/wrapping.h"

#define DC_FIXED_ENTRY(id, name) [DC_##id] = fixed_##id,
#define DC_WRAPPING_ENTRY(id, name) [DC_##id] = wrapping_##id,
#define DC_FLOAT_ENTRY(id, name) [DC_##id] = float_##id,
#define DC_COMMON_ENTRY(id, name) [DC_##id] = id,
#define DC_COMMON_KERNELS                                                                                              \
    DC_INTEGER_KERNELS(DC_COMMON_ENTRY, i32)                                                                           \
    DC_INTEGER_KERNELS(DC_COMMON_ENTRY, u32)                                                                           \
    DC_LANE_KERNELS(DC_COMMON_ENTRY)

#define DC_LOOPS(text)                                                                                                 \
    {                                                                                                                  \
        .name = (text),                                                                                                \
        .kernel = {[DC_FIXED] = {DC_NUM_KERNELS(DC_FIXED_ENTRY) DC_COMMON_KERNELS},                                    \
                   [DC_WRAPPING] = {DC_NUM_KERNELS(DC_WRAPPING_ENTRY) DC_COMMON_KERNELS},                              \
                   [DC_FLOAT] = {DC_NUM_KERNELS(DC_FLOAT_ENTRY) DC_RADIAN_KERNELS(DC_FLOAT_ENTRY) DC_COMMON_KERNELS}}, \
        .canary = dc_canary_values,                                                                                    \
    }
