// CUB: enough shape for its users' code to parse. Algorithms take anything and return what CUB's return.

namespace cub {
struct NullType {};
enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };
enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };
enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
enum GridMappingStrategy { GRID_MAPPING_RAKE, GRID_MAPPING_STRIP_MINE, GRID_MAPPING_DYNAMIC };
enum RadixRankAlgorithm { RADIX_RANK_BASIC, RADIX_RANK_MEMOIZE, RADIX_RANK_MATCH };
enum WarpMatchAlgorithm { WARP_MATCH_ANY, WARP_MATCH_ATOMIC_OR };
enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };

#define HIPIFY_VOID(name) template <class... A> static void name(A &&...);
#define HIPIFY_GIVES(type, name) template <class... A> static type name(A &&...);
#define HIPIFY_STORAGE(name) \
    struct TempStorage { int hipify_storage; TempStorage &Alias(); }; \
    template <class... A> name(A &&...);

template <class T, int x, BlockReduceAlgorithm algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int y = 1, int z = 1, int p = 0>
struct BlockReduce {
    HIPIFY_STORAGE(BlockReduce) HIPIFY_GIVES(T, Reduce) HIPIFY_GIVES(T, Sum)
};
template <class T, int x, BlockScanAlgorithm algorithm = BLOCK_SCAN_RAKING, int y = 1, int z = 1, int p = 0>
struct BlockScan {
    HIPIFY_STORAGE(BlockScan) HIPIFY_VOID(ExclusiveSum) HIPIFY_VOID(InclusiveSum) HIPIFY_VOID(ExclusiveScan)
    HIPIFY_VOID(InclusiveScan)
};
template <class T, int x, int items, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT, int y = 1, int z = 1, int p = 0>
struct BlockLoad { HIPIFY_STORAGE(BlockLoad) HIPIFY_VOID(Load) };
template <class T, int x, int items, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT, int y = 1, int z = 1, int p = 0>
struct BlockStore { HIPIFY_STORAGE(BlockStore) HIPIFY_VOID(Store) };
template <class Key, int x, int items, class Value = NullType, int bits = 4, bool memoize = true,
          BlockScanAlgorithm algorithm = BLOCK_SCAN_WARP_SCANS, int config = 0, int y = 1, int z = 1, int p = 0>
struct BlockRadixSort {
    HIPIFY_STORAGE(BlockRadixSort) HIPIFY_VOID(Sort) HIPIFY_VOID(SortDescending) HIPIFY_VOID(SortBlockedToStriped)
    HIPIFY_VOID(SortDescendingBlockedToStriped)
};
template <class T, int x, int items, bool slicing = false, int y = 1, int z = 1, int p = 0> struct BlockExchange {
    HIPIFY_STORAGE(BlockExchange) HIPIFY_VOID(BlockedToStriped) HIPIFY_VOID(StripedToBlocked)
    HIPIFY_VOID(BlockedToWarpStriped) HIPIFY_VOID(WarpStripedToBlocked) HIPIFY_VOID(ScatterToBlocked)
    HIPIFY_VOID(ScatterToStriped) HIPIFY_VOID(ScatterToStripedGuarded) HIPIFY_VOID(ScatterToStripedFlagged)
};
template <class T, int x, int y = 1, int z = 1, int p = 0> struct BlockDiscontinuity {
    HIPIFY_STORAGE(BlockDiscontinuity) HIPIFY_VOID(FlagHeads) HIPIFY_VOID(FlagTails) HIPIFY_VOID(FlagHeadsAndTails)
};
template <class T, int x, int y = 1, int z = 1, int p = 0> struct BlockAdjacentDifference {
    HIPIFY_STORAGE(BlockAdjacentDifference) HIPIFY_VOID(SubtractLeft) HIPIFY_VOID(SubtractRight)
    HIPIFY_VOID(SubtractLeftPartialTile) HIPIFY_VOID(SubtractRightPartialTile) HIPIFY_VOID(FlagHeads)
};
template <class T, int x, int y = 1, int z = 1, int p = 0> struct BlockShuffle {
    HIPIFY_STORAGE(BlockShuffle) HIPIFY_VOID(Offset) HIPIFY_VOID(Rotate) HIPIFY_VOID(Up) HIPIFY_VOID(Down)
};
template <class T, int x, int items, int bins, BlockHistogramAlgorithm algorithm = BLOCK_HISTO_SORT, int y = 1,
          int z = 1, int p = 0>
struct BlockHistogram { HIPIFY_STORAGE(BlockHistogram) HIPIFY_VOID(InitHistogram) HIPIFY_VOID(Histogram)
    HIPIFY_VOID(Composite) };
template <class Key, int x, int items, class Value = NullType, int y = 1, int z = 1> struct BlockMergeSort {
    HIPIFY_STORAGE(BlockMergeSort) HIPIFY_VOID(Sort) HIPIFY_VOID(StableSort)
};
template <class T, int x, int runs, int items, class Offset = unsigned, int y = 1, int z = 1>
struct BlockRunLengthDecode { HIPIFY_STORAGE(BlockRunLengthDecode) HIPIFY_VOID(RunLengthDecode) };
template <class T, int lanes = 32, int p = 0> struct WarpReduce {
    HIPIFY_STORAGE(WarpReduce) HIPIFY_GIVES(T, Reduce) HIPIFY_GIVES(T, Sum) HIPIFY_GIVES(T, HeadSegmentedSum)
    HIPIFY_GIVES(T, TailSegmentedSum) HIPIFY_GIVES(T, HeadSegmentedReduce) HIPIFY_GIVES(T, TailSegmentedReduce)
};
template <class T, int lanes = 32, int p = 0> struct WarpScan {
    HIPIFY_STORAGE(WarpScan) HIPIFY_VOID(ExclusiveSum) HIPIFY_VOID(InclusiveSum) HIPIFY_VOID(ExclusiveScan)
    HIPIFY_VOID(InclusiveScan) HIPIFY_VOID(Scan) HIPIFY_GIVES(T, Broadcast)
};
template <class T, int items, int lanes = 32, int p = 0, WarpExchangeAlgorithm a = WARP_EXCHANGE_SMEM>
struct WarpExchange {
    HIPIFY_STORAGE(WarpExchange) HIPIFY_VOID(BlockedToStriped) HIPIFY_VOID(StripedToBlocked)
    HIPIFY_VOID(ScatterToStriped)
};
template <class T, int items, WarpLoadAlgorithm a = WARP_LOAD_DIRECT, int lanes = 32, int p = 0>
struct WarpLoad { HIPIFY_STORAGE(WarpLoad) HIPIFY_VOID(Load) };
template <class T, int items, WarpStoreAlgorithm a = WARP_STORE_DIRECT, int lanes = 32, int p = 0>
struct WarpStore { HIPIFY_STORAGE(WarpStore) HIPIFY_VOID(Store) };
template <class Key, int items, int lanes = 32, class Value = NullType> struct WarpMergeSort {
    HIPIFY_STORAGE(WarpMergeSort) HIPIFY_VOID(Sort) HIPIFY_VOID(StableSort)
};

#define HIPIFY_D(name) HIPIFY_GIVES(cudaError_t, name)
struct DeviceReduce { HIPIFY_D(Reduce) HIPIFY_D(Sum) HIPIFY_D(Min) HIPIFY_D(Max) HIPIFY_D(ArgMin) HIPIFY_D(ArgMax)
    HIPIFY_D(TransformReduce) HIPIFY_D(ReduceByKey) };
struct DeviceSegmentedReduce { HIPIFY_D(Reduce) HIPIFY_D(Sum) HIPIFY_D(Min) HIPIFY_D(Max) HIPIFY_D(ArgMin)
    HIPIFY_D(ArgMax) };
struct DeviceScan { HIPIFY_D(ExclusiveSum) HIPIFY_D(InclusiveSum) HIPIFY_D(ExclusiveScan) HIPIFY_D(InclusiveScan)
    HIPIFY_D(InclusiveScanInit) HIPIFY_D(ExclusiveSumByKey) HIPIFY_D(InclusiveSumByKey) HIPIFY_D(ExclusiveScanByKey)
    HIPIFY_D(InclusiveScanByKey) };
struct DeviceRadixSort { HIPIFY_D(SortPairs) HIPIFY_D(SortPairsDescending) HIPIFY_D(SortKeys)
    HIPIFY_D(SortKeysDescending) };
struct DeviceSegmentedRadixSort { HIPIFY_D(SortPairs) HIPIFY_D(SortPairsDescending) HIPIFY_D(SortKeys)
    HIPIFY_D(SortKeysDescending) };
struct DeviceSegmentedSort { HIPIFY_D(SortPairs) HIPIFY_D(SortPairsDescending) HIPIFY_D(SortKeys)
    HIPIFY_D(SortKeysDescending) HIPIFY_D(StableSortKeys) HIPIFY_D(StableSortPairs)
    HIPIFY_D(StableSortKeysDescending) HIPIFY_D(StableSortPairsDescending) };
struct DeviceMergeSort { HIPIFY_D(SortPairs) HIPIFY_D(SortPairsCopy) HIPIFY_D(SortKeys) HIPIFY_D(SortKeysCopy)
    HIPIFY_D(StableSortKeys) HIPIFY_D(StableSortKeysCopy) HIPIFY_D(StableSortPairs) };
struct DeviceSelect { HIPIFY_D(Flagged) HIPIFY_D(FlaggedIf) HIPIFY_D(If) HIPIFY_D(Unique) HIPIFY_D(UniqueByKey) };
struct DevicePartition { HIPIFY_D(Flagged) HIPIFY_D(If) };
struct DeviceRunLengthEncode { HIPIFY_D(Encode) HIPIFY_D(NonTrivialRuns) };
struct DeviceHistogram { HIPIFY_D(HistogramEven) HIPIFY_D(HistogramRange)
    template <int n, int m, class... A> static cudaError_t MultiHistogramEven(A &&...);
    template <int n, int m, class... A> static cudaError_t MultiHistogramRange(A &&...); };
struct DeviceAdjacentDifference { HIPIFY_D(SubtractLeft) HIPIFY_D(SubtractLeftCopy) HIPIFY_D(SubtractRight)
    HIPIFY_D(SubtractRightCopy) };
struct DeviceCopy { HIPIFY_D(Batched) HIPIFY_D(Copy) };
struct DeviceMemcpy { HIPIFY_D(Batched) };
struct DeviceMerge { HIPIFY_D(MergeKeys) HIPIFY_D(MergePairs) };
struct DeviceFind { HIPIFY_D(FindIf) HIPIFY_D(LowerBound) HIPIFY_D(UpperBound) };
struct DeviceFor { HIPIFY_D(Bulk) HIPIFY_D(ForEach) HIPIFY_D(ForEachN) HIPIFY_D(ForEachCopy) HIPIFY_D(ForEachCopyN)
    HIPIFY_D(ForEachInExtents) };
struct DeviceTransform { HIPIFY_D(Transform) HIPIFY_D(Fill) HIPIFY_D(Generate) HIPIFY_D(TransformIf) };
struct DeviceTopK { HIPIFY_D(MaxKeys) HIPIFY_D(MinKeys) HIPIFY_D(MaxPairs) HIPIFY_D(MinPairs) };
struct DeviceSpmv { HIPIFY_D(CsrMV) };
#undef HIPIFY_D

#define HIPIFY_FUNCTOR(name) struct name { template <class T, class U> T operator()(const T &, const U &) const; };
HIPIFY_FUNCTOR(Sum)
HIPIFY_FUNCTOR(Difference)
HIPIFY_FUNCTOR(Division)
HIPIFY_FUNCTOR(Max)
HIPIFY_FUNCTOR(Min)
HIPIFY_FUNCTOR(ArgMax)
HIPIFY_FUNCTOR(ArgMin)
struct Equality { template <class T, class U> bool operator()(const T &, const U &) const; };
struct Inequality { template <class T, class U> bool operator()(const T &, const U &) const; };
#undef HIPIFY_FUNCTOR
template <class Op> struct InequalityWrapper { InequalityWrapper(Op); };
template <class T> struct CastOp { template <class U> T operator()(const U &) const; };
template <class K, class V> struct KeyValuePair { typedef K Key; typedef V Value; K key; V value;
    KeyValuePair() = default; KeyValuePair(const K &, const V &); };
template <class T> struct DoubleBuffer { T *d_buffers[2]; int selector; DoubleBuffer(); DoubleBuffer(T *, T *);
    T *Current(); T *Alternate(); };
template <class T> struct Uninitialized { T hipify_value; T &Alias(); };
template <int n> struct PowerOfTwo { enum { VALUE = (n & (n - 1)) == 0 }; };
template <int n> struct Log2 { enum { VALUE = n <= 1 ? 0 : 5 }; };
template <int n> struct Int2Type { enum { VALUE = n }; };
template <class T> struct Traits { typedef unsigned UnsignedBits; static T Lowest(); static T Max();
    static UnsignedBits TwiddleIn(UnsignedBits); static UnsignedBits TwiddleOut(UnsignedBits);
    static const int CATEGORY = 0, PRIMITIVE = 1, NULL_TYPE = 0; };
template <class T> struct NumericTraits : Traits<T> {};
template <class T> struct FpLimits { static T Lowest(); static T Max(); };
template <class T> struct FutureValue { FutureValue(const T *); };
struct GridBarrier { void Sync() const; };
struct GridBarrierLifetime : GridBarrier { cudaError_t Setup(int); cudaError_t HostReset(); };
template <class T> struct GridQueue { HIPIFY_VOID(Drain) HIPIFY_VOID(Fill) };
template <class T> struct GridEvenShare { T block_offset, block_end, grid_size; HIPIFY_VOID(DispatchInit)
    HIPIFY_VOID(BlockInit) };
struct CachingDeviceAllocator {
    template <class... A> CachingDeviceAllocator(A &&...);
    template <class... A> cudaError_t DeviceAllocate(A &&...);
    template <class... A> cudaError_t DeviceFree(A &&...);
    cudaError_t FreeAllCached();
    cudaError_t SetMaxCachedBytes(hipify_size_t);
    bool debug;
};
#define HIPIFY_ITERATOR(name, ...) { typedef name self_type; typedef long difference_type; \
    template <class... A> name(A &&...); name operator+(long) const; name operator-(long) const; name &operator++(); \
    __VA_ARGS__ operator*() const; __VA_ARGS__ operator[](long) const; }
template <class T, class O = long> struct CountingInputIterator HIPIFY_ITERATOR(CountingInputIterator, T);
template <class T, class O = long> struct ConstantInputIterator HIPIFY_ITERATOR(ConstantInputIterator, T);
template <class T, class F, class I = T *, class O = long> struct TransformInputIterator
    HIPIFY_ITERATOR(TransformInputIterator, T);
template <class I, class O = long, class V = int> struct ArgIndexInputIterator
    HIPIFY_ITERATOR(ArgIndexInputIterator, KeyValuePair<O, V>);
template <CacheLoadModifier m, class T, class O = long> struct CacheModifiedInputIterator
    HIPIFY_ITERATOR(CacheModifiedInputIterator, T);
template <CacheStoreModifier m, class T, class O = long> struct CacheModifiedOutputIterator
    HIPIFY_ITERATOR(CacheModifiedOutputIterator, T &);
template <class O = long> struct DiscardOutputIterator HIPIFY_ITERATOR(DiscardOutputIterator, int &);
template <class T, class O = long> struct TexObjInputIterator { template <class... A> cudaError_t BindTexture(A &&...);
    cudaError_t UnbindTexture(); T operator[](long) const; };
#undef HIPIFY_ITERATOR
#undef HIPIFY_STORAGE
#define HIPIFY_FREE(name) template <class... A> void name(A &&...);
HIPIFY_FREE(LoadDirectBlocked) HIPIFY_FREE(LoadDirectBlockedVectorized) HIPIFY_FREE(LoadDirectWarpStriped)
HIPIFY_FREE(StoreDirectBlocked) HIPIFY_FREE(StoreDirectBlockedVectorized) HIPIFY_FREE(StoreDirectWarpStriped)
template <int n, class... A> void LoadDirectStriped(A &&...);
template <int n, class... A> void StoreDirectStriped(A &&...);
#undef HIPIFY_FREE
template <CacheLoadModifier m, class T> T ThreadLoad(const T *);
template <CacheStoreModifier m, class T, class U> void ThreadStore(T *, U);
template <int lanes = 32, class T> T ShuffleDown(T, int, int, unsigned);
template <int lanes = 32, class T> T ShuffleUp(T, int, int, unsigned);
template <int lanes = 32, class T> T ShuffleIndex(T, int, unsigned);
unsigned LaneId();
unsigned WarpId();
unsigned LaneMaskLt();
unsigned LaneMaskLe();
unsigned LaneMaskGt();
unsigned LaneMaskGe();
void CTA_SYNC();
void WARP_SYNC(unsigned);
int WARP_ANY(int, unsigned);
int WARP_ALL(int, unsigned);
int WARP_BALLOT(int, unsigned);
int RowMajorTid(int, int, int);
template <class... A> cudaError_t PtxVersion(A &&...);
template <class... A> cudaError_t SmVersion(A &&...);
template <class... A> cudaError_t MaxSmOccupancy(A &&...);
#undef HIPIFY_VOID
#undef HIPIFY_GIVES
}
#define CUB_PTX_WARP_THREADS 32
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_PTX_ARCH 0
#define CUB_RUNTIME_FUNCTION
#define CUB_NS_PREFIX
#define CUB_NS_POSTFIX
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y) - 1) / (y))
#define CubDebug(e) (e)
#define CubDebugExit(e) (e)
