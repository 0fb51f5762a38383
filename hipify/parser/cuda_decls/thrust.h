// Thrust and libcu++: containers, iterators and algorithms in outline. Their names do not change on the way to HIP.

namespace thrust {
template <class T> struct hipify_iterator {
    typedef T value_type;
    typedef T &reference;
    typedef T *pointer;
    typedef long difference_type;
    typedef int iterator_category;
    template <class... A> hipify_iterator(A &&...);
    T &operator*() const;
    T &operator[](long) const;
    T *get() const;
    hipify_iterator &operator++();
    hipify_iterator operator++(int);
    hipify_iterator &operator--();
    hipify_iterator &operator+=(long);
    hipify_iterator operator+(long) const;
    hipify_iterator operator-(long) const;
    long operator-(const hipify_iterator &) const;
    bool operator==(const hipify_iterator &) const;
    bool operator!=(const hipify_iterator &) const;
    bool operator<(const hipify_iterator &) const;
};
template <class T> using device_ptr = hipify_iterator<T>;
template <class T> using device_reference = T &;
template <class T> struct hipify_vector {
    typedef T value_type;
    typedef T &reference;
    typedef T *pointer;
    typedef hipify_size_t size_type;
    typedef hipify_iterator<T> iterator;
    typedef hipify_iterator<const T> const_iterator;
    template <class... A> hipify_vector(A &&...);
    template <class V> hipify_vector &operator=(const V &);
    iterator begin() const;
    iterator end() const;
    iterator rbegin() const;
    iterator rend() const;
    iterator cbegin() const;
    iterator cend() const;
    hipify_iterator<T> data() const;
    hipify_size_t size() const;
    hipify_size_t capacity() const;
    bool empty() const;
    T &operator[](hipify_size_t) const;
    T &front() const;
    T &back() const;
    template <class... A> void resize(A &&...);
    template <class... A> void assign(A &&...);
    template <class... A> iterator insert(A &&...);
    template <class... A> iterator erase(A &&...);
    template <class... A> void push_back(A &&...);
    void pop_back();
    void reserve(hipify_size_t);
    void clear();
    void shrink_to_fit();
    void swap(hipify_vector &);
};
template <class T, class A = void> struct device_vector : hipify_vector<T> {
    using hipify_vector<T>::hipify_vector;
    using hipify_vector<T>::operator=;
};
template <class T, class A = void> struct host_vector : hipify_vector<T> {
    using hipify_vector<T>::hipify_vector;
    using hipify_vector<T>::operator=;
};
template <class T, class A = void> struct universal_vector : device_vector<T> {
    using device_vector<T>::device_vector;
};
template <class T> struct device_allocator { typedef T value_type; };
template <class T> T *raw_pointer_cast(const hipify_iterator<T> &);
template <class T> T *raw_pointer_cast(T *);
template <class T> T &raw_reference_cast(T &);
template <class T> hipify_iterator<T> device_pointer_cast(T *);
template <class T> hipify_iterator<T> device_pointer_cast(const hipify_iterator<T> &);
template <class T> hipify_iterator<T> device_malloc(hipify_size_t);
template <class T> hipify_iterator<T> device_new(hipify_size_t);
template <class T> void device_free(T);
template <class T> void device_delete(T);

template <class... T> struct tuple { template <class... A> tuple(A &&...); };
template <class A, class B> struct pair { A first; B second; pair(); template <class U, class V> pair(U, V); };
template <class... T> tuple<T...> make_tuple(T...);
template <class A, class B> pair<A, B> make_pair(A, B);
template <class... T> tuple<T &...> tie(T &...);
template <hipify_size_t i, class T> struct tuple_element;
template <hipify_size_t i, class T, class... R> struct tuple_element<i, tuple<T, R...>>
    : tuple_element<i - 1, tuple<R...>> {};
template <class T, class... R> struct tuple_element<0, tuple<T, R...>> { typedef T type; };
template <class T> struct tuple_size { static const int value = 0; };
template <hipify_size_t i, class... T> typename tuple_element<i, tuple<T...>>::type &get(const tuple<T...> &);

template <class T> struct counting_iterator : hipify_iterator<T> { using hipify_iterator<T>::hipify_iterator; };
template <class T> struct constant_iterator : hipify_iterator<T> { using hipify_iterator<T>::hipify_iterator; };
template <class T = int> struct discard_iterator : hipify_iterator<int> { using hipify_iterator<int>::hipify_iterator; };
template <class F, class I, class R = int, class V = R> struct transform_iterator : hipify_iterator<R> {
    using hipify_iterator<R>::hipify_iterator;
};
template <class E, class I> struct permutation_iterator : E { template <class... A> permutation_iterator(A &&...); };
template <class T> struct zip_iterator : hipify_iterator<T> { using hipify_iterator<T>::hipify_iterator; };
template <class I> struct reverse_iterator : I { template <class... A> reverse_iterator(A &&...); };
template <class T> counting_iterator<T> make_counting_iterator(T);
template <class T> constant_iterator<T> make_constant_iterator(T);
template <class I, class F> transform_iterator<F, I> make_transform_iterator(I, F);
template <class E, class I> permutation_iterator<E, I> make_permutation_iterator(E, I);
template <class... T> zip_iterator<tuple<T...>> make_zip_iterator(tuple<T...>);
template <class... T> zip_iterator<tuple<T...>> make_zip_iterator(T...);
template <class I> reverse_iterator<I> make_reverse_iterator(I);
discard_iterator<> make_discard_iterator();
template <class I> struct iterator_difference { typedef long type; };
template <class I> struct iterator_value { typedef typename I::value_type type; };
template <class I> struct iterator_traits { typedef typename I::value_type value_type; typedef long difference_type; };

struct hipify_policy {
    template <class... A> hipify_policy on(A &&...) const;
    template <class... A> hipify_policy operator()(A &&...) const;
};
extern const hipify_policy host, device, seq;
struct random_access_traversal_tag {};
struct device_system_tag {};
struct host_system_tag {};
struct use_default {};
template <class A = void, class R = void> struct unary_function {};
template <class A = void, class B = void, class R = void> struct binary_function {};
namespace system { struct system_error { const char *what() const; }; }
typedef system::system_error system_error;
namespace cuda { extern const hipify_policy par, par_nosync; template <class... A> struct pointer {}; }
namespace cuda_cub { extern const hipify_policy par, par_nosync; }
namespace placeholders { struct hipify_any { template <class... A> hipify_any operator()(A &&...) const; };
    extern const hipify_any _1, _2, _3; }
#define HIPIFY_BINARY(name) template <class T = void> struct name { \
    template <class A, class B> A operator()(const A &, const B &) const; typedef T result_type; };
#define HIPIFY_TEST(name) template <class T = void> struct name { \
    template <class A, class B> bool operator()(const A &, const B &) const; typedef bool result_type; };
#define HIPIFY_UNARY(name) template <class T = void> struct name { template <class A> A operator()(const A &) const; };
HIPIFY_BINARY(plus) HIPIFY_BINARY(minus) HIPIFY_BINARY(multiplies) HIPIFY_BINARY(divides) HIPIFY_BINARY(modulus)
HIPIFY_BINARY(maximum) HIPIFY_BINARY(minimum) HIPIFY_BINARY(bit_and) HIPIFY_BINARY(bit_or) HIPIFY_BINARY(bit_xor)
HIPIFY_TEST(less) HIPIFY_TEST(less_equal) HIPIFY_TEST(greater) HIPIFY_TEST(greater_equal) HIPIFY_TEST(equal_to)
HIPIFY_TEST(not_equal_to) HIPIFY_TEST(logical_and) HIPIFY_TEST(logical_or)
HIPIFY_UNARY(negate) HIPIFY_UNARY(identity) HIPIFY_UNARY(square) HIPIFY_UNARY(logical_not)
#undef HIPIFY_BINARY
#undef HIPIFY_TEST
#undef HIPIFY_UNARY
template <class T> struct complex { T re, im; complex(T = 0, T = 0); template <class U> complex(const complex<U> &);
    T real() const; T imag() const; complex operator+(complex) const; complex operator-(complex) const;
    complex operator*(complex) const; complex operator/(complex) const; complex operator-() const;
    complex &operator+=(complex); complex &operator-=(complex); complex &operator*=(complex); };
template <class T> T abs(const complex<T> &);
template <class T> T norm(const complex<T> &);
template <class T> T arg(const complex<T> &);
template <class T> complex<T> conj(const complex<T> &);
template <class T> complex<T> exp(const complex<T> &);
template <class T> complex<T> sqrt(const complex<T> &);
template <class T> complex<T> polar(T, T = 0);
namespace random {
struct default_random_engine { template <class... A> default_random_engine(A &&...); unsigned operator()();
    void discard(unsigned long long); void seed(unsigned); };
template <class T = int> struct uniform_int_distribution { uniform_int_distribution(T, T); template <class E> T operator()(E &); };
template <class T = float> struct uniform_real_distribution { uniform_real_distribution(T = 0, T = 1);
    template <class E> T operator()(E &); };
template <class T = float> struct normal_distribution { normal_distribution(T = 0, T = 1); template <class E> T operator()(E &); };
typedef default_random_engine minstd_rand, taus88, ranlux24;
}
using namespace random;
#define HIPIFY_NOTHING(name) template <class... A> void name(A &&...);
HIPIFY_NOTHING(sort) HIPIFY_NOTHING(stable_sort) HIPIFY_NOTHING(sort_by_key) HIPIFY_NOTHING(stable_sort_by_key)
HIPIFY_NOTHING(fill) HIPIFY_NOTHING(sequence) HIPIFY_NOTHING(tabulate) HIPIFY_NOTHING(generate) HIPIFY_NOTHING(replace)
HIPIFY_NOTHING(replace_if) HIPIFY_NOTHING(reverse) HIPIFY_NOTHING(scatter) HIPIFY_NOTHING(scatter_if)
HIPIFY_NOTHING(shuffle) HIPIFY_NOTHING(swap) HIPIFY_NOTHING(uninitialized_fill)
#undef HIPIFY_NOTHING
// A first argument that is a policy stands for itself; the result is an iterator like the last one.
template <class... A> struct hipify_last;
template <class T> struct hipify_last<T> { typedef T type; };
template <class T, class... A> struct hipify_last<T, A...> : hipify_last<A...> {};
template <class F, class... A> struct hipify_first { typedef F type; };
template <class S, class... A> struct hipify_first<hipify_policy, S, A...> { typedef S type; };
#define HIPIFY_FIRST(name) template <class... A> typename hipify_first<A...>::type name(A...);
HIPIFY_FIRST(for_each) HIPIFY_FIRST(for_each_n) HIPIFY_FIRST(transform) HIPIFY_FIRST(transform_if) HIPIFY_FIRST(copy)
HIPIFY_FIRST(copy_n) HIPIFY_FIRST(copy_if) HIPIFY_FIRST(remove) HIPIFY_FIRST(remove_if) HIPIFY_FIRST(remove_copy_if)
HIPIFY_FIRST(unique) HIPIFY_FIRST(unique_copy) HIPIFY_FIRST(inclusive_scan) HIPIFY_FIRST(exclusive_scan)
HIPIFY_FIRST(inclusive_scan_by_key) HIPIFY_FIRST(exclusive_scan_by_key) HIPIFY_FIRST(transform_inclusive_scan)
HIPIFY_FIRST(transform_exclusive_scan) HIPIFY_FIRST(adjacent_difference) HIPIFY_FIRST(find) HIPIFY_FIRST(find_if)
HIPIFY_FIRST(find_if_not) HIPIFY_FIRST(max_element) HIPIFY_FIRST(min_element) HIPIFY_FIRST(lower_bound)
HIPIFY_FIRST(upper_bound) HIPIFY_FIRST(partition) HIPIFY_FIRST(stable_partition) HIPIFY_FIRST(gather)
HIPIFY_FIRST(gather_if) HIPIFY_FIRST(merge) HIPIFY_FIRST(set_union) HIPIFY_FIRST(set_intersection)
HIPIFY_FIRST(set_difference) HIPIFY_FIRST(fill_n) HIPIFY_FIRST(generate_n) HIPIFY_FIRST(next) HIPIFY_FIRST(advance)
HIPIFY_FIRST(uninitialized_copy)
#undef HIPIFY_FIRST
#define HIPIFY_TWO(name) template <class... A> \
    pair<typename hipify_first<A...>::type, typename hipify_first<A...>::type> name(A...);
HIPIFY_TWO(reduce_by_key) HIPIFY_TWO(unique_by_key) HIPIFY_TWO(unique_by_key_copy) HIPIFY_TWO(minmax_element)
HIPIFY_TWO(equal_range) HIPIFY_TWO(partition_copy) HIPIFY_TWO(mismatch) HIPIFY_TWO(merge_by_key)
#undef HIPIFY_TWO
template <class T> struct hipify_value { typedef typename T::value_type type; };
template <class T> struct hipify_value<T *> { typedef T type; };
template <class... A> typename hipify_value<typename hipify_first<A...>::type>::type reduce(A...);
template <class I, class F, class T, class O> T transform_reduce(I, I, F, T, O);
template <class P, class I, class F, class T, class O> T transform_reduce(P, I, I, F, T, O);
template <class I, class J, class T> T inner_product(I, I, J, T);
template <class P, class I, class J, class T> T inner_product(P, I, I, J, T);
template <class I, class J, class T, class F, class G> T inner_product(I, I, J, T, F, G);
template <class... A> long count(A &&...);
template <class... A> long count_if(A &&...);
template <class... A> long distance(A &&...);
template <class... A> bool is_sorted(A &&...);
template <class... A> bool equal(A &&...);
template <class... A> bool all_of(A &&...);
template <class... A> bool any_of(A &&...);
template <class... A> bool none_of(A &&...);
template <class... A> bool binary_search(A &&...);
template <class T> const T &max(const T &, const T &);
template <class T> const T &min(const T &, const T &);
}

namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
enum memory_order_hipify { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release,
    memory_order_acq_rel, memory_order_seq_cst };
namespace std {
using cuda::memory_order_relaxed;
using cuda::memory_order_acquire;
using cuda::memory_order_release;
using cuda::memory_order_acq_rel;
using cuda::memory_order_seq_cst;
}
#define HIPIFY_ATOMIC_CLASS(name) \
template <class T, thread_scope scope = thread_scope_system> struct name { \
    template <class... A> constexpr name(A &&...); \
    template <class... A> T load(A...) const; \
    template <class... A> void store(A...) const; \
    template <class... A> T exchange(A...) const; \
    template <class... A> T fetch_add(A...) const; \
    template <class... A> T fetch_sub(A...) const; \
    template <class... A> T fetch_and(A...) const; \
    template <class... A> T fetch_or(A...) const; \
    template <class... A> T fetch_xor(A...) const; \
    template <class... A> T fetch_min(A...) const; \
    template <class... A> T fetch_max(A...) const; \
    template <class... A> bool compare_exchange_weak(T &, A...) const; \
    template <class... A> bool compare_exchange_strong(T &, A...) const; \
    template <class... A> void wait(A...) const; \
    void notify_one() const; \
    void notify_all() const; \
    operator T() const; \
    T operator=(T) const; \
    T operator++() const; \
    T operator++(int) const; \
    T operator+=(T) const; \
};
HIPIFY_ATOMIC_CLASS(atomic)
HIPIFY_ATOMIC_CLASS(atomic_ref)
#undef HIPIFY_ATOMIC_CLASS
template <class... A> void atomic_thread_fence(A...);
template <thread_scope scope = thread_scope_system, class F = void> struct barrier {
    struct arrival_token {};
    template <class... A> barrier(A &&...);
    template <class... A> arrival_token arrive(A &&...);
    template <class... A> void wait(A &&...) const;
    template <class... A> void arrive_and_wait(A &&...);
    void arrive_and_drop();
};
template <thread_scope scope, class... A> void init(barrier<scope> *, A...);
template <thread_scope scope = thread_scope_thread> struct pipeline {
    void producer_acquire();
    void producer_commit();
    void consumer_wait();
    void consumer_release();
    bool quit();
};
template <thread_scope scope, int stages> struct pipeline_shared_state {};
template <class... A> pipeline<> make_pipeline(A &&...);
template <int n, class P> void pipeline_consumer_wait_prior(P &);
template <class... A> void pipeline_producer_commit(A &&...);
template <class... A> void memcpy_async(A &&...);
template <hipify_size_t n> struct aligned_size_t { aligned_size_t(hipify_size_t); };
template <class... A> int ceil_div(A &&...);
template <class... A> void discard_memory(A &&...);
namespace device {
template <class... A> void memcpy_async_tx(A &&...);
template <class T> T *barrier_native_handle(T &);
namespace experimental { template <class... A> void cp_async_bulk_global_to_shared(A &&...); }
}
}

#pragma clang force_cuda_host_device end
