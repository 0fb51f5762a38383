#include <cuda_runtime.h>
#include <cstdio>

static const char *spliced = "cudaMalloc \
  cudaFree<<<1, 2>>> \
  end";

static const char *raw = R"(
__global__ void k() { k<<<1, 1>>>(); }
/* " */
)";
static const char *fenced = R"cuda(
)" cudaFree
)cuda"; int behind = no_such_behind; // FAULT 1

__global__ void tabs(int *p)	{	*p = 1;	}

void launched(int *p)	{
	tabs<<<1,	2>>>(p);	tabs<<<	1, 2	>>>(	no_such_tab	); // FAULT 2
}

void names(void *p) {
  cuda\
Free(p);
  cudaMem\
set(p, 0, \
    no_such_splice); // FAULT 3
  printf("%s %s %s" "cudaMemcpy"
         "\n", spliced, raw, fenced); no_such_print(); // FAULT 4
}

void comments(int *p) {
  tabs /* a
  b */ <<< /* c
  d */ 1, 2 >>> /* e
  f */ ( no_such_comment ); // FAULT 5
}

void longest(void *p) { const char *s = "漢字"; cudaFree((void *)s); no_such_wide("ä"); } // FAULT 6
int last = no_such_last; // FAULT 7