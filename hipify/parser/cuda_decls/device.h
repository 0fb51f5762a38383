// Device functions whose result depends on their arguments, and the fixed ones of other than the usual types.

// To clang a builtin of the device alone; the second form is for functions that count as both.
__device__ void __syncthreads();
struct hipify_nothing {};
void __syncthreads(hipify_nothing = {});
int __syncthreads_count(int);
int __syncthreads_and(int);
int __syncthreads_or(int);
void __syncwarp(unsigned mask = 0xffffffffu);
void __threadfence();
void __threadfence_block();
void __threadfence_system();
void __nanosleep(unsigned);
void __trap();
void __brkpt();
void __prof_trigger(int);
long long clock64();
extern "C" long clock();
unsigned long long __clock_hipify();
unsigned __activemask();
unsigned __ballot(int);
unsigned __ballot_sync(unsigned mask, int predicate);
int __any(int);
int __all(int);
int __uni(int);
int __any_sync(unsigned mask, int predicate);
int __all_sync(unsigned mask, int predicate);
int __uni_sync(unsigned mask, int predicate);
template <class T> unsigned __match_any_sync(unsigned mask, T value);
template <class T> unsigned __match_all_sync(unsigned mask, T value, int *predicate);
template <class T> T __reduce_add_sync(unsigned mask, T value);
template <class T> T __reduce_min_sync(unsigned mask, T value);
template <class T> T __reduce_max_sync(unsigned mask, T value);
template <class T> T __reduce_and_sync(unsigned mask, T value);
template <class T> T __reduce_or_sync(unsigned mask, T value);
template <class T> T __reduce_xor_sync(unsigned mask, T value);
template <class T> T __shfl(T value, int lane, int width = 32);
template <class T> T __shfl_up(T value, unsigned delta, int width = 32);
template <class T> T __shfl_down(T value, unsigned delta, int width = 32);
template <class T> T __shfl_xor(T value, int mask, int width = 32);
template <class T> T __shfl_sync(unsigned mask, T value, int lane, int width = 32);
template <class T> T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32);
template <class T> T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32);
template <class T> T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32);

template <class T> struct hipify_same { typedef T type; };
#define HIPIFY_ATOMIC(name) \
    template <class T> T name(T *, typename hipify_same<T>::type); \
    template <class T> T name##_block(T *, typename hipify_same<T>::type); \
    template <class T> T name##_system(T *, typename hipify_same<T>::type); \
    template <class T> T name(volatile T *, typename hipify_same<T>::type);
HIPIFY_ATOMIC(atomicAdd)
HIPIFY_ATOMIC(atomicSub)
HIPIFY_ATOMIC(atomicExch)
HIPIFY_ATOMIC(atomicMin)
HIPIFY_ATOMIC(atomicMax)
HIPIFY_ATOMIC(atomicInc)
HIPIFY_ATOMIC(atomicDec)
HIPIFY_ATOMIC(atomicAnd)
HIPIFY_ATOMIC(atomicOr)
HIPIFY_ATOMIC(atomicXor)
#undef HIPIFY_ATOMIC
template <class T> T atomicCAS(T *, typename hipify_same<T>::type, typename hipify_same<T>::type);
template <class T> T atomicCAS(volatile T *, typename hipify_same<T>::type, typename hipify_same<T>::type);
template <class T> T atomicCAS_block(T *, typename hipify_same<T>::type, typename hipify_same<T>::type);
template <class T> T atomicCAS_system(T *, typename hipify_same<T>::type, typename hipify_same<T>::type);

template <class T> T __ldg(const T *);
template <class T> T __ldca(const T *);
template <class T> T __ldcg(const T *);
template <class T> T __ldcs(const T *);
template <class T> T __ldcv(const T *);
template <class T> T __ldlu(const T *);
template <class T, class U> void __stcg(T *, U);
template <class T, class U> void __stcs(T *, U);
template <class T, class U> void __stwb(T *, U);
template <class T, class U> void __stwt(T *, U);

unsigned __isGlobal(const void *);
unsigned __isShared(const void *);
unsigned __isConstant(const void *);
unsigned __isLocal(const void *);
unsigned __isGridConstant(const void *);
hipify_size_t __cvta_generic_to_global(const void *);
hipify_size_t __cvta_generic_to_shared(const void *);
hipify_size_t __cvta_generic_to_local(const void *);
hipify_size_t __cvta_generic_to_constant(const void *);
hipify_size_t __cvta_generic_to_grid_constant(const void *);
void *__cvta_global_to_generic(hipify_size_t);
void *__cvta_shared_to_generic(hipify_size_t);
void *__cvta_local_to_generic(hipify_size_t);
void *__cvta_constant_to_generic(hipify_size_t);
void *__cvta_grid_constant_to_generic(hipify_size_t);

int min(int, int);
unsigned min(unsigned, unsigned);
unsigned min(int, unsigned);
unsigned min(unsigned, int);
long min(long, long);
unsigned long min(unsigned long, unsigned long);
unsigned long min(long, unsigned long);
unsigned long min(unsigned long, long);
long long min(long long, long long);
unsigned long long min(unsigned long long, unsigned long long);
unsigned long long min(long long, unsigned long long);
unsigned long long min(unsigned long long, long long);
float min(float, float);
double min(double, double);
double min(float, double);
double min(double, float);
int max(int, int);
unsigned max(unsigned, unsigned);
unsigned max(int, unsigned);
unsigned max(unsigned, int);
long max(long, long);
unsigned long max(unsigned long, unsigned long);
unsigned long max(long, unsigned long);
unsigned long max(unsigned long, long);
long long max(long long, long long);
unsigned long long max(unsigned long long, unsigned long long);
unsigned long long max(long long, unsigned long long);
unsigned long long max(unsigned long long, long long);
float max(float, float);
double max(double, double);
double max(float, double);
double max(double, float);
#define HIPIFY_MATH1(name) extern "C" double name(double); extern "C" float name##f(float); float name(float);
#define HIPIFY_MATH2(name) \
    extern "C" double name(double, double); extern "C" float name##f(float, float); float name(float, float);
HIPIFY_MATH1(rsqrt)
HIPIFY_MATH1(rcbrt)
HIPIFY_MATH1(sinpi)
HIPIFY_MATH1(cospi)
HIPIFY_MATH1(tanpi)
HIPIFY_MATH1(erfinv)
HIPIFY_MATH1(erfcinv)
HIPIFY_MATH1(erfcx)
HIPIFY_MATH1(normcdf)
HIPIFY_MATH1(normcdfinv)
HIPIFY_MATH1(cyl_bessel_i0)
HIPIFY_MATH1(cyl_bessel_i1)
HIPIFY_MATH2(rhypot)
HIPIFY_MATH2(fdivide)
#undef HIPIFY_MATH1
#undef HIPIFY_MATH2
extern "C" double norm3d(double, double, double);
extern "C" float norm3df(float, float, float);
extern "C" double norm4d(double, double, double, double);
extern "C" float norm4df(float, float, float, float);
extern "C" double rnorm3d(double, double, double);
extern "C" float rnorm3df(float, float, float);
extern "C" double rnorm4d(double, double, double, double);
extern "C" float rnorm4df(float, float, float, float);
extern "C" double norm(int, const double *);
extern "C" float normf(int, const float *);
extern "C" double rnorm(int, const double *);
extern "C" float rnormf(int, const float *);
extern "C" void sincospi(double, double *, double *);
extern "C" void sincospif(float, float *, float *);
void sincospi(float, float *, float *);
void sincos(float, float *, float *);
template <class T> T saturate(T);
unsigned umin(unsigned, unsigned);
unsigned umax(unsigned, unsigned);
long long llmin(long long, long long);
long long llmax(long long, long long);
unsigned long long ullmin(unsigned long long, unsigned long long);
unsigned long long ullmax(unsigned long long, unsigned long long);

struct textureReference { int normalized; int filterMode; int addressMode[3]; cudaChannelFormatDesc channelDesc;
    int sRGB; unsigned maxAnisotropy; int mipmapFilterMode; float mipmapLevelBias, minMipmapLevelClamp,
    maxMipmapLevelClamp; };
struct surfaceReference { cudaChannelFormatDesc channelDesc; };
template <class T, int type = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture : textureReference {
    texture(int normalized = 0, int filter = 0, int address = 0);
    texture(int normalized, int filter, int address, cudaChannelFormatDesc desc);
};
template <class T, int type = 1> struct surface : surfaceReference { surface(); };
#define HIPIFY_TEXTURE(name) \
    template <class T, class... A> T name(cudaTextureObject_t, A...); \
    template <class T, class... A> void name(T *, cudaTextureObject_t, A...); \
    template <class T, int type, cudaTextureReadMode mode, class... A> T name(texture<T, type, mode>, A...);
HIPIFY_TEXTURE(tex1Dfetch)
HIPIFY_TEXTURE(tex1D)
HIPIFY_TEXTURE(tex2D)
HIPIFY_TEXTURE(tex3D)
HIPIFY_TEXTURE(tex1DLod)
HIPIFY_TEXTURE(tex2DLod)
HIPIFY_TEXTURE(tex3DLod)
HIPIFY_TEXTURE(tex1DGrad)
HIPIFY_TEXTURE(tex2DGrad)
HIPIFY_TEXTURE(tex3DGrad)
HIPIFY_TEXTURE(tex1DLayered)
HIPIFY_TEXTURE(tex2DLayered)
HIPIFY_TEXTURE(tex1DLayeredLod)
HIPIFY_TEXTURE(tex2DLayeredLod)
HIPIFY_TEXTURE(tex1DLayeredGrad)
HIPIFY_TEXTURE(tex2DLayeredGrad)
HIPIFY_TEXTURE(tex2Dgather)
HIPIFY_TEXTURE(texCubemap)
HIPIFY_TEXTURE(texCubemapLod)
HIPIFY_TEXTURE(texCubemapGrad)
HIPIFY_TEXTURE(texCubemapLayered)
HIPIFY_TEXTURE(texCubemapLayeredLod)
HIPIFY_TEXTURE(texCubemapLayeredGrad)
#undef HIPIFY_TEXTURE
#define HIPIFY_SURFACE(name) \
    template <class T, class S, class... A> T name##read(S, A...); \
    template <class T, class S, class... A> void name##read(T *, S, A...); \
    template <class T, class S, class... A> void name##write(T, S, A...);
HIPIFY_SURFACE(surf1D)
HIPIFY_SURFACE(surf2D)
HIPIFY_SURFACE(surf3D)
HIPIFY_SURFACE(surf1DLayered)
HIPIFY_SURFACE(surf2DLayered)
HIPIFY_SURFACE(surfCubemap)
HIPIFY_SURFACE(surfCubemapLayered)
#undef HIPIFY_SURFACE

enum { __NV_ATOMIC_RELAXED, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST };
enum { __NV_THREAD_SCOPE_THREAD, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_CLUSTER, __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM };
template <class T, class... A> T __nv_atomic_load_n(T *, A...);
template <class T, class U, class... A> void __nv_atomic_load(T *, U *, A...);
template <class T, class U, class... A> void __nv_atomic_store_n(T *, U, A...);
template <class T, class U, class... A> void __nv_atomic_store(T *, U *, A...);
template <class T, class U, class... A> T __nv_atomic_exchange_n(T *, U, A...);
template <class T, class U, class... A> void __nv_atomic_exchange(T *, U *, U *, A...);
template <class T, class U, class... A> bool __nv_atomic_compare_exchange_n(T *, U *, A...);
template <class T, class U, class... A> bool __nv_atomic_compare_exchange(T *, U *, A...);
template <class T, class U, class... A> T __nv_atomic_fetch_add(T *, U, A...);
template <class T, class U, class... A> T __nv_atomic_fetch_sub(T *, U, A...);
template <class T, class U, class... A> T __nv_atomic_fetch_and(T *, U, A...);
template <class T, class U, class... A> T __nv_atomic_fetch_or(T *, U, A...);
template <class T, class U, class... A> T __nv_atomic_fetch_xor(T *, U, A...);
template <class T, class U, class... A> T __nv_atomic_fetch_min(T *, U, A...);
template <class T, class U, class... A> T __nv_atomic_fetch_max(T *, U, A...);
template <class T, class U, class... A> void __nv_atomic_add(T *, U, A...);
template <class T, class U, class... A> void __nv_atomic_sub(T *, U, A...);
template <class T, class U, class... A> void __nv_atomic_and(T *, U, A...);
template <class T, class U, class... A> void __nv_atomic_or(T *, U, A...);
template <class T, class U, class... A> void __nv_atomic_xor(T *, U, A...);
template <class T, class U, class... A> void __nv_atomic_min(T *, U, A...);
template <class T, class U, class... A> void __nv_atomic_max(T *, U, A...);
void __nv_atomic_thread_fence(...);
