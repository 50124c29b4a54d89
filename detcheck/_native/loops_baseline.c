/* The loops for every processor the compiler's target covers. */
#include "loops.h"

const struct dc_loops dc_loops_baseline = DC_LOOPS("baseline");
