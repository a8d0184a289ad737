/// How reductions add up: in runs, of each sixteen partial results and a fixed tree, whatever the vector width (see
/// octet.graph:reference). What a row's largest or smallest is depends on no order.
module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :isa_dispatch;
import :loop;
import :simd;

namespace octet {

namespace {

template <class T>
using Partial = std::conditional_t<std::is_same_v<T, bfloat16>, float, T>;

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

/// Integers wrap around: they are combined as unsigned numbers.
template <class T>
using Wrapping = std::conditional_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, BitsOf<T>, T>;

template <Reducer reducer, class T>
[[gnu::always_inline]] inline T combine(T a, T b) {
  if constexpr (reducer == Reducer::add) {
    return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
  } else if constexpr (reducer == Reducer::multiply) {
    return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
  } else if constexpr (reducer == Reducer::and_) {
    return static_cast<T>(a & b);
  } else if constexpr (reducer == Reducer::or_) {
    return static_cast<T>(a | b);
  } else if constexpr (std::is_floating_point_v<T>) {
    // NaN is passed on, and -0 is less than +0: of two equal numbers the signs are combined.
    const auto x = std::bit_cast<BitsOf<T>>(a), y = std::bit_cast<BitsOf<T>>(b);
    const T equal = std::bit_cast<T>(reducer == Reducer::maximum ? x & y : x | y);
    const bool first = reducer == Reducer::maximum ? a > b : a < b;
    return a != a ? a : b != b ? b : a == b ? equal : first ? a : b;
  } else {
    return reducer == Reducer::maximum ? std::max(a, b) : std::min(a, b);
  }
}

template <Reducer reducer, class T>
constexpr T neutral() {
  using Limits = std::numeric_limits<T>;
  switch (reducer) {
    case Reducer::multiply:
      return T(1);
    case Reducer::maximum:
      return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    case Reducer::minimum:
      return Limits::has_infinity ? Limits::infinity() : Limits::max();
    case Reducer::and_:
      return std::is_same_v<T, bool> ? T(1) : static_cast<T>(~BitsOf<T>{0});
    default:
      return T(0);
  }
}

/// The tree over the partial results.
template <Reducer reducer, class P>
[[gnu::always_inline]] inline P folded(P (&lanes)[reduce_partials]) {
#pragma clang loop unroll(full)
  for (int half = reduce_partials / 2; half > 0; half /= 2)
#pragma clang loop unroll(full)
    for (int l = 0; l < half; ++l) lanes[l] = combine<reducer>(lanes[l], lanes[l + half]);
  return lanes[0];
}

/// The partial results of one run while it is read.
template <Reducer reducer, class T>
class RunPartials {
  using P = Partial<T>;

 public:
  [[gnu::always_inline]] void start() { std::fill_n(lanes_, reduce_partials, neutral<reducer, P>()); }
  /// Value i goes to partial i % 16.
  [[gnu::always_inline]] void take(const T* values, std::size_t n) {
    std::size_t i = 0;
    for (; i + reduce_partials <= n; i += reduce_partials)
      for (std::size_t l = 0; l < reduce_partials; ++l)
        lanes_[l] = combine<reducer>(lanes_[l], static_cast<P>(values[i + l]));
    for (std::size_t l = 0; i + l < n; ++l) lanes_[l] = combine<reducer>(lanes_[l], static_cast<P>(values[i + l]));
  }
  [[gnu::always_inline]] P finish() { return folded<reducer>(lanes_); }

 private:
  P lanes_[reduce_partials];
};

/// Numbers side by side as partials.
template <class Lanes, class T>
[[gnu::always_inline]] inline void read_lanes(Lanes& to, const T* from) {
  if constexpr (std::is_same_v<T, bfloat16>)
    simd::load<reduce_partials>(to, from);
  else
    std::memcpy(&to, from, sizeof to);
}

/// Of real numbers they are one vector, which the compiler cuts into those that the instruction set has: of an array,
/// it takes the numbers apart.
template <Reducer reducer, class T>
  requires(std::is_floating_point_v<Partial<T>> && (reducer == Reducer::add || reducer == Reducer::multiply))
class RunPartials<reducer, T> {
  using P = Partial<T>;
  template <int count>
  using Lanes [[gnu::vector_size(count * sizeof(P))]] = P;

 public:
  [[gnu::always_inline]] void start() { lanes_ = neutral<reducer, P>() - Lanes<reduce_partials>{}; }
  [[gnu::always_inline]] void take(const T* values, std::size_t n) {
    std::size_t i = 0;
    for (; i + reduce_partials <= n; i += reduce_partials) {
      Lanes<reduce_partials> next;
      read_lanes(next, values + i);
      combine_lanes<reduce_partials>(lanes_, next);
    }
    if (i == n) return;
    // What changes no number: to add +0 would make +0 of -0.
    constexpr T idle = static_cast<T>(reducer == Reducer::add ? P(-0.0) : P(1));
    T rest[reduce_partials];
    for (std::size_t l = 0; l < reduce_partials; ++l) rest[l] = i + l < n ? values[i + l] : idle;
    Lanes<reduce_partials> next;
    read_lanes(next, rest);
    combine_lanes<reduce_partials>(lanes_, next);
  }
  [[gnu::always_inline]] P finish() const {
    auto eight = __builtin_shufflevector(lanes_, lanes_, 0, 1, 2, 3, 4, 5, 6, 7);
    combine_lanes<8>(eight, __builtin_shufflevector(lanes_, lanes_, 8, 9, 10, 11, 12, 13, 14, 15));
    auto four = __builtin_shufflevector(eight, eight, 0, 1, 2, 3);
    combine_lanes<4>(four, __builtin_shufflevector(eight, eight, 4, 5, 6, 7));
    auto two = __builtin_shufflevector(four, four, 0, 1);
    combine_lanes<2>(two, __builtin_shufflevector(four, four, 2, 3));
    return combine<reducer>(static_cast<P>(two[0]), static_cast<P>(two[1]));
  }

 private:
  template <int count>
  [[gnu::always_inline]] static void combine_lanes(Lanes<count>& a, const Lanes<count>& b) {
    if constexpr (reducer == Reducer::add)
      a = a + b;
    else
      a = a * b;
  }

  Lanes<reduce_partials> lanes_;
};

/// The largest or smallest number of a run: of integers that are in the same order, of which each waits for the one
/// before no longer than a comparison takes. As combine() has it, but for which NaN it is: those are the last.
template <Reducer reducer, class T>
  requires(std::is_floating_point_v<Partial<T>> && (reducer == Reducer::maximum || reducer == Reducer::minimum))
class RunPartials<reducer, T> {
  using P = Partial<T>;
  using Key = std::make_signed_t<BitsOf<P>>;
  template <class Each>
  using Lanes [[gnu::vector_size(reduce_partials * sizeof(Each))]] = Each;

 public:
  [[gnu::always_inline]] void start() { set_keys(keys_, neutral<reducer, P>() - Lanes<P>{}); }
  [[gnu::always_inline]] void take(const T* values, std::size_t n) {
    for (; n >= reduce_partials; values += reduce_partials, n -= reduce_partials) take_lanes(values);
    if (n == 0) return;
    T rest[reduce_partials];
    for (std::size_t l = 0; l < reduce_partials; ++l)
      rest[l] = l < n ? values[l] : static_cast<T>(neutral<reducer, P>());
    take_lanes(rest);
  }
  [[gnu::always_inline]] P finish() const {
    Key last = reducer == Reducer::maximum ? __builtin_reduce_max(keys_) : __builtin_reduce_min(keys_);
    order(last);
    return std::bit_cast<P>(last);
  }

 private:
  /// Makes of the bits of a number, or of a vector of them, integers in its order; and of these the bits again.
  template <class Integers>
  [[gnu::always_inline]] static void order(Integers& bits) {
    bits ^= bits >> (8 * sizeof(Key) - 1) & std::numeric_limits<Key>::max();
  }
  [[gnu::always_inline]] static void set_keys(Lanes<Key>& keys, const Lanes<P>& values) {
    using Limits = std::numeric_limits<Key>;
    const Lanes<Key> nan = (reducer == Reducer::maximum ? Limits::max() : Limits::min()) - Lanes<Key>{};
    auto bits = reinterpret_cast<Lanes<Key>>(values);
    order(bits);
    keys = values == values ? bits : nan;
  }
  [[gnu::always_inline]] void take_lanes(const T* from) {
    Lanes<P> values;
    read_lanes(values, from);
    Lanes<Key> keys;
    set_keys(keys, values);
    keys_ = (reducer == Reducer::maximum ? keys > keys_ : keys < keys_) ? keys : keys_;
  }

  Lanes<Key> keys_;
};

template <Reducer reducer, class T>
[[gnu::always_inline]] inline Partial<T> run_of(const T* values, std::size_t n) {
  RunPartials<reducer, T> run;
  run.start();
  run.take(values, n);
  return run.finish();
}

/// The total takes n values in, run by run; all at once where their order does not matter. Written so that a run is
/// inlined once: in the page, bytes count.
template <Reducer reducer, class T>
[[gnu::always_inline]] inline void take_runs(Partial<T>& total, const T* values, std::size_t n) {
  constexpr bool any_order = reducer == Reducer::maximum || reducer == Reducer::minimum;
  for (;; values += reduce_run, n -= reduce_run) {
    const bool is_last = any_order || n <= reduce_run;
    total = combine<reducer>(total, run_of<reducer, T>(values, is_last ? n : reduce_run));
    if (is_last) return;
  }
}

template <Reducer reducer, class T>
struct Rows {
  [[gnu::always_inline]] static void run(void* totals, const void* values, std::size_t rows, std::size_t n) {
    const T* v = static_cast<const T*>(values);
    for (std::size_t r = 0; r < rows; ++r, v += n) take_runs<reducer, T>(static_cast<Partial<T>*>(totals)[r], v, n);
  }
};

template <Reducer reducer, class T>
struct Column {
  [[gnu::always_inline]] static void run(void* partials, const void* values, std::size_t n) {
    using P = Partial<T>;
    P* __restrict const p = static_cast<P*>(partials);
    const T* __restrict const v = static_cast<const T*>(values);
    for (std::size_t i = 0; i < n; ++i) p[i] = combine<reducer>(p[i], static_cast<P>(v[i]));
  }
};

template <std::size_t size>
struct Pick {
  using Bits = std::tuple_element_t<std::bit_width(size) - 1,
                                    std::tuple<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>>;
  [[gnu::always_inline]] static void run(void* to, const void* values, const std::int32_t* places, std::size_t count,
                                         std::size_t n, std::size_t step) {
    for (std::size_t k = 0; k < n; ++k) {
      Bits* __restrict const row = static_cast<Bits*>(to) + k * count;
      const Bits* __restrict const v = static_cast<const Bits*>(values) + k * step;
      for (std::size_t i = 0; i < count; ++i) row[i] = v[places[i]];
    }
  }
};

/// The tree, with nothing in it of partials that no value joined: what is neutral changes no other.
template <Reducer reducer, class T>
struct Fold {
  [[gnu::always_inline]] static void run(void* partials, std::size_t count, std::size_t filled) {
    using P = Partial<T>;
    P* __restrict const p = static_cast<P*>(partials);
    for (std::size_t half = reduce_partials / 2; half > 0; half /= 2) {
      if (filled <= half) continue;
      const P* __restrict const upper = p + half * count;
      for (std::size_t i = 0; i < (filled - half) * count; ++i) p[i] = combine<reducer>(p[i], upper[i]);
      filled = half;
    }
  }
};

template <Reducer reducer, class T>
void start(void* partials, std::size_t count) {
  std::fill_n(static_cast<Partial<T>*>(partials), count, neutral<reducer, Partial<T>>());
}

template <Reducer reducer, class T>
void finish(void* results, const void* totals, std::size_t count, std::size_t runs) {
  using P = Partial<T>;
  const P* __restrict const t = static_cast<const P*>(totals);
  T* __restrict const to = static_cast<T*>(results);
  if constexpr (std::is_same_v<T, P>)  // a total was begun with what is neutral
    if (runs == 1) return static_cast<void>(std::memcpy(to, t, count * sizeof(T)));
  for (std::size_t i = 0; i < count; ++i) {
    P total = neutral<reducer, P>();
#pragma clang loop vectorize(disable) unroll(disable)
    for (std::size_t r = 0; r < runs; ++r) total = combine<reducer>(total, t[r * count + i]);
    to[i] = static_cast<T>(total);
  }
}

template <Reducer reducer, class T>
ReduceFunctions functions(Isa isa) {
  return {
      sizeof(Partial<T>),
      &start<reducer, T>,
      dispatched<Rows<reducer, T>, void*, const void*, std::size_t, std::size_t>(isa),
      dispatched<Column<reducer, T>, void*, const void*, std::size_t>(isa),
      dispatched<Pick<sizeof(T)>, void*, const void*, const std::int32_t*, std::size_t, std::size_t, std::size_t>(isa),
      dispatched<Fold<reducer, T>, void*, std::size_t, std::size_t>(isa),
      &finish<reducer, T>};
}

/// Not inlined: a page loads those of types that no visit reduces when they are called.
template <class T>
[[gnu::noinline]] ReduceFunctions functions_of(Reducer reducer, Isa isa) {
  constexpr bool logical = std::is_same_v<T, bool>, integral = std::is_integral_v<T>;
  switch (reducer) {
    case Reducer::and_:
      if constexpr (integral) return functions<Reducer::and_, T>(isa);
      break;
    case Reducer::or_:
      if constexpr (integral) return functions<Reducer::or_, T>(isa);
      break;
    case Reducer::multiply:
      if constexpr (!logical) return functions<Reducer::multiply, T>(isa);
      break;
    case Reducer::maximum:
      return functions<Reducer::maximum, T>(isa);
    case Reducer::minimum:
      return functions<Reducer::minimum, T>(isa);
    default:
      break;
  }
  if constexpr (!logical)
    return functions<Reducer::add, T>(isa);
  else
    return functions<Reducer::or_, T>(isa);  // not reached: the shape rules refuse sums of truth values
}

}  // namespace

ReduceFunctions reduce_functions(Reducer reducer, DType dtype, Isa isa) {
  return visit_dtype(dtype, [&]<class T>(std::type_identity<T>) { return functions_of<T>(reducer, isa); });
}

}  // namespace octet
