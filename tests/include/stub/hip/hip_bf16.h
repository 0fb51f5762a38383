// bfloat16 types as bits.
#pragma once

struct __hip_bfloat16 { unsigned short bits; };
struct __hip_bfloat162 { unsigned bits; };
