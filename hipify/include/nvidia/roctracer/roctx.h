// roctx on NVIDIA GPUs: NVTX's marks and ranges under its names.
#pragma once
#include <nvtx3/nvToolsExt.h>

typedef nvtxRangeId_t roctx_range_id_t;

#define roctxMark nvtxMarkA
#define roctxMarkA nvtxMarkA
#define roctxRangePush nvtxRangePushA
#define roctxRangePushA nvtxRangePushA
#define roctxRangePop nvtxRangePop
#define roctxRangeStart nvtxRangeStartA
#define roctxRangeStartA nvtxRangeStartA
#define roctxRangeStop nvtxRangeEnd
