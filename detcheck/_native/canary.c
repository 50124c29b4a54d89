/* The canaries alone, for a test that builds them badly and sees each of them fail. Not part of the extension. */
#define DC_CANARY_ALONE
#include "kernels/canary.h"

#if defined(_WIN32)
#define DC_EXPORT __declspec(dllexport)
#else
#define DC_EXPORT __attribute__((visibility("default")))
#endif

DC_EXPORT uint32_t detcheck_canary(uint64_t values[DC_CANARY_VALUES]);

DC_EXPORT uint32_t detcheck_canary(uint64_t values[DC_CANARY_VALUES]) { return dc_canary_values(values); }
