// Cooperative groups, tensor core fragments and the device side of cuRAND.

namespace cooperative_groups {
inline namespace v1 {
namespace details {}
struct thread_group {
    void sync() const;
    unsigned long long size() const;
    unsigned long long num_threads() const;
    unsigned long long thread_rank() const;
    bool is_valid() const;
    unsigned get_type() const;
};
struct thread_block : thread_group {
    static dim3 group_index();
    static dim3 thread_index();
    static dim3 group_dim();
    static dim3 dim_threads();
    struct arrival_token {};
    arrival_token barrier_arrive() const;
    void barrier_wait(arrival_token &&) const;
};
struct grid_group : thread_group {
    dim3 group_dim() const;
    dim3 dim_blocks() const;
    dim3 block_index() const;
    unsigned long long block_rank() const;
    unsigned long long num_blocks() const;
    struct arrival_token {};
    arrival_token barrier_arrive() const;
    void barrier_wait(arrival_token &&) const;
};
struct multi_grid_group : thread_group {
    unsigned grid_rank() const;
    unsigned num_grids() const;
};
struct cluster_group : thread_group {
    struct arrival_token {};
    static arrival_token barrier_arrive();
    static void barrier_wait(arrival_token &&);
    static void barrier_wait();
    template <class T> static T *map_shared_rank(T *, int);
    static unsigned query_shared_rank(const void *);
    static dim3 block_index();
    static dim3 dim_blocks();
    static unsigned block_rank();
    static unsigned num_blocks();
    static dim3 thread_index();
    static dim3 dim_threads();
};
struct hipify_lanes : thread_group {
    template <class T> T shfl(T, int) const;
    template <class T> T shfl_down(T, unsigned) const;
    template <class T> T shfl_up(T, unsigned) const;
    template <class T> T shfl_xor(T, unsigned) const;
    int any(int) const;
    int all(int) const;
    unsigned ballot(int) const;
    template <class T> unsigned match_any(T) const;
    template <class T> unsigned match_all(T, int &) const;
    unsigned long long meta_group_rank() const;
    unsigned long long meta_group_size() const;
};
struct coalesced_group : hipify_lanes {};
template <unsigned size_, class Parent = void> struct thread_block_tile : hipify_lanes {
    template <class T> thread_block_tile(const T &);
    static constexpr unsigned long long size() { return size_; }
    static constexpr unsigned long long num_threads() { return size_; }
};
thread_block this_thread_block();
grid_group this_grid();
multi_grid_group this_multi_grid();
cluster_group this_cluster();
coalesced_group coalesced_threads();
thread_group this_thread();
template <unsigned size, class Group> thread_block_tile<size, Group> tiled_partition(const Group &);
template <class Group> thread_group tiled_partition(const Group &, unsigned);
template <class Group> coalesced_group binary_partition(const Group &, bool);
template <class Group, class Label> coalesced_group labeled_partition(const Group &, Label);
template <class Group> void sync(const Group &);
template <class Group> unsigned long long thread_rank(const Group &);
template <class Group> unsigned long long group_size(const Group &);
template <class Group, class T, class Op> T reduce(const Group &, T, Op &&);
template <class Group, class T, class... A> T inclusive_scan(const Group &, T, A...);
template <class Group, class T, class... A> T exclusive_scan(const Group &, T, A...);
template <class... A> void memcpy_async(A &&...);
template <class... A> void wait(A &&...);
template <class... A> void wait_prior(A &&...);
template <unsigned stages, class Group> void wait_prior(const Group &);
template <class... A> void invoke_one(A &&...);
template <class T = void> struct plus { template <class U> U operator()(U, U) const; };
template <class T = void> struct less { template <class U> U operator()(U, U) const; };
template <class T = void> struct greater { template <class U> U operator()(U, U) const; };
template <class T = void> struct bit_and { template <class U> U operator()(U, U) const; };
template <class T = void> struct bit_or { template <class U> U operator()(U, U) const; };
template <class T = void> struct bit_xor { template <class U> U operator()(U, U) const; };
namespace experimental { template <class... A> void set_block_scratch(A...); template <unsigned n> struct block_tile_memory {}; }
template <unsigned n, unsigned m = 1> struct block_tile_memory {};
template <unsigned n, unsigned m> thread_block this_thread_block(block_tile_memory<n, m> &);
}
}

namespace nvcuda { namespace wmma {
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision { struct tf32; }
namespace experimental {
namespace precision { struct b1; struct s4; struct u4; }
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}
template <class T> struct hipify_element { typedef T type; };
template <> struct hipify_element<precision::tf32> { typedef float type; };
template <> struct hipify_element<experimental::precision::b1> { typedef int type; };
template <> struct hipify_element<experimental::precision::s4> { typedef int type; };
template <> struct hipify_element<experimental::precision::u4> { typedef int type; };
template <class T> struct helper_traits;
template <class Use, int m, int n, int k, class T, class Layout = void> struct fragment {
    typedef typename hipify_element<T>::type element_type;
    enum { num_elements = m * n / 32, num_storage_elements = m * n / 32 };
    element_type x[num_elements];
};
template <class... A> void load_matrix_sync(A &&...);
template <class... A> void store_matrix_sync(A &&...);
template <class... A> void mma_sync(A &&...);
template <class... A> void bmma_sync(A &&...);
template <class... A> void fill_fragment(A &&...);
float __float_to_tf32(float);
} }
float __float_to_tf32(float);

#define HIPIFY_STATE(name) struct name##_hipify { unsigned d, v[5]; }; typedef name##_hipify name, name##_t;
HIPIFY_STATE(curandState)
HIPIFY_STATE(curandStateMRG32k3a)
HIPIFY_STATE(curandStateMtgp32)
HIPIFY_STATE(curandStatePhilox4_32_10)
HIPIFY_STATE(curandStateScrambledSobol32)
HIPIFY_STATE(curandStateScrambledSobol64)
HIPIFY_STATE(curandStateSobol32)
HIPIFY_STATE(curandStateSobol64)
#undef HIPIFY_STATE
typedef curandState curandStateXORWOW, curandStateXORWOW_t;
typedef unsigned curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
#define HIPIFY_RANDOM(type, name) template <class S, class... A> type name(S *, A...);
HIPIFY_RANDOM(unsigned, curand)
HIPIFY_RANDOM(uint4, curand4)
HIPIFY_RANDOM(float, curand_uniform)
HIPIFY_RANDOM(float4, curand_uniform4)
HIPIFY_RANDOM(double, curand_uniform_double)
HIPIFY_RANDOM(double2, curand_uniform2_double)
HIPIFY_RANDOM(double4, curand_uniform4_double)
HIPIFY_RANDOM(float, curand_normal)
HIPIFY_RANDOM(float2, curand_normal2)
HIPIFY_RANDOM(float4, curand_normal4)
HIPIFY_RANDOM(double, curand_normal_double)
HIPIFY_RANDOM(double2, curand_normal2_double)
HIPIFY_RANDOM(double4, curand_normal4_double)
HIPIFY_RANDOM(float, curand_log_normal)
HIPIFY_RANDOM(float2, curand_log_normal2)
HIPIFY_RANDOM(float4, curand_log_normal4)
HIPIFY_RANDOM(double, curand_log_normal_double)
HIPIFY_RANDOM(double2, curand_log_normal2_double)
HIPIFY_RANDOM(double4, curand_log_normal4_double)
HIPIFY_RANDOM(unsigned, curand_poisson)
HIPIFY_RANDOM(uint4, curand_poisson4)
HIPIFY_RANDOM(unsigned, curand_discrete)
HIPIFY_RANDOM(uint4, curand_discrete4)
#undef HIPIFY_RANDOM
template <class... A> void curand_init(A...);
template <class... A> void skipahead(A...);
template <class... A> void skipahead_sequence(A...);
template <class... A> void skipahead_subsequence(A...);

typedef float2 cuFloatComplex, cuComplex, cufftComplex;
typedef double2 cuDoubleComplex, cufftDoubleComplex;
typedef float cufftReal;
typedef double cufftDoubleReal;
float cuCrealf(cuFloatComplex);
float cuCimagf(cuFloatComplex);
float cuCabsf(cuFloatComplex);
double cuCreal(cuDoubleComplex);
double cuCimag(cuDoubleComplex);
double cuCabs(cuDoubleComplex);
cuFloatComplex make_cuFloatComplex(float, float);
cuComplex make_cuComplex(float, float);
cuDoubleComplex make_cuDoubleComplex(double, double);
cuFloatComplex cuConjf(cuFloatComplex);
cuFloatComplex cuCaddf(cuFloatComplex, cuFloatComplex);
cuFloatComplex cuCsubf(cuFloatComplex, cuFloatComplex);
cuFloatComplex cuCmulf(cuFloatComplex, cuFloatComplex);
cuFloatComplex cuCdivf(cuFloatComplex, cuFloatComplex);
cuFloatComplex cuCfmaf(cuFloatComplex, cuFloatComplex, cuFloatComplex);
cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex);
cuDoubleComplex cuConj(cuDoubleComplex);
cuDoubleComplex cuCadd(cuDoubleComplex, cuDoubleComplex);
cuDoubleComplex cuCsub(cuDoubleComplex, cuDoubleComplex);
cuDoubleComplex cuCmul(cuDoubleComplex, cuDoubleComplex);
cuDoubleComplex cuCdiv(cuDoubleComplex, cuDoubleComplex);
cuDoubleComplex cuCfma(cuDoubleComplex, cuDoubleComplex, cuDoubleComplex);
cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex);
