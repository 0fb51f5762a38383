// hipCUB on NVIDIA GPUs: CUB under its name.
#pragma once
#include <cub/cub.cuh>

namespace hipcub = cub;

#define HIPCUB_RUNTIME_FUNCTION CUB_RUNTIME_FUNCTION
