/// How reductions add up: sixteen partial results and a fixed tree, whatever the vector width (see
/// octet.graph:reference).
module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :isa_dispatch;
import :loop;

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

template <Reducer reducer, class T>
struct Row {
  [[gnu::always_inline]] static void run(void* partials, const void* values, std::size_t n) {
    using P = Partial<T>;
    P lanes[reduce_partials];
    P* const p = static_cast<P*>(partials);
    const T* const v = static_cast<const T*>(values);
    for (int l = 0; l < reduce_partials; ++l) lanes[l] = p[l];
    std::size_t i = 0;
    for (; i + reduce_partials <= n; i += reduce_partials)
      for (std::size_t l = 0; l < reduce_partials; ++l) lanes[l] = combine<reducer>(lanes[l], static_cast<P>(v[i + l]));
    for (std::size_t l = 0; i + l < n; ++l) lanes[l] = combine<reducer>(lanes[l], static_cast<P>(v[i + l]));
    for (int l = 0; l < reduce_partials; ++l) p[l] = lanes[l];
  }
};

template <Reducer reducer, class T>
struct Rows {
  [[gnu::always_inline]] static void run(void* results, const void* values, std::size_t rows, std::size_t n) {
    using P = Partial<T>;
    const T* v = static_cast<const T*>(values);
    for (std::size_t r = 0; r < rows; ++r, v += n) {
      P lanes[reduce_partials];
      for (int l = 0; l < reduce_partials; ++l) lanes[l] = neutral<reducer, P>();
      std::size_t i = 0;
      for (; i + reduce_partials <= n; i += reduce_partials)
        for (std::size_t l = 0; l < reduce_partials; ++l)
          lanes[l] = combine<reducer>(lanes[l], static_cast<P>(v[i + l]));
      for (std::size_t l = 0; i + l < n; ++l) lanes[l] = combine<reducer>(lanes[l], static_cast<P>(v[i + l]));
      static_cast<T*>(results)[r] = static_cast<T>(folded<reducer>(lanes));
    }
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

template <Reducer reducer, class T>
void start(void* partials, std::size_t count) {
  std::fill_n(static_cast<Partial<T>*>(partials), count, neutral<reducer, Partial<T>>());
}

template <Reducer reducer, class T>
void finish(void* results, const void* partials, std::size_t count, std::size_t stride) {
  using P = Partial<T>;
  const P* const p = static_cast<const P*>(partials);
  for (std::size_t i = 0; i < count; ++i) {
    P lanes[reduce_partials];
    for (std::size_t l = 0; l < reduce_partials; ++l) lanes[l] = p[l * stride + i];
    static_cast<T*>(results)[i] = static_cast<T>(folded<reducer>(lanes));
  }
}

template <Reducer reducer, class T>
const ReduceFunctions& functions(Isa isa) {
  const auto make = [](Isa which) -> ReduceFunctions {
    return {sizeof(Partial<T>),
            &start<reducer, T>,
            dispatched<Row<reducer, T>, void*, const void*, std::size_t>(which),
            dispatched<Rows<reducer, T>, void*, const void*, std::size_t, std::size_t>(which),
            dispatched<Column<reducer, T>, void*, const void*, std::size_t>(which),
            &finish<reducer, T>};
  };
  static const ReduceFunctions of_isa[] = {make(Isa::baseline), make(Isa::avx2), make(Isa::avx512)};
  return of_isa[static_cast<std::size_t>(isa)];
}

}  // namespace

const ReduceFunctions& reduce_functions(Reducer reducer, DType dtype, Isa isa) {
  return visit_dtype(dtype, [&]<class T>(std::type_identity<T>) -> const ReduceFunctions& {
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
  });
}

}  // namespace octet
