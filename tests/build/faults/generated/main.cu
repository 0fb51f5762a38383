#include <cuda_runtime.h>
#include "util/../inc/shared.h"
#define TABLE "table.def"

struct Row {
  int kind;
  const char *name;
};
static Row rows[] = {
#include "rows.inc"
};

#define ENTRY(name, kind) name = kind,
enum Kinds {
#include TABLE
};
#undef ENTRY

__global__ void filled(float *p) {
#include "body.inl"
}

void use(float *p) {
  filled<<<1, 2>>>(p);
  shared(nullptr);
  no_such_use(rows); // FAULT 1
}
