/// One source, several instruction sets: a function object compiled once for each, chosen at run time. Internal to
/// octet.compile.
///
/// `Body` is an empty type whose static, always-inlined `run(arguments...)` is a plain loop; the compiler vectorizes it
/// anew in each wrapper. Only + - * / sqrt, comparisons and bit operations: no contraction, so every instruction set
/// gives the same bits.
export module octet.compile:isa_dispatch;
import octet.standard;
import :cpu;

namespace octet {

template <class Body, class... Arguments>
void run_baseline(Arguments... arguments) {
  Body::run(arguments...);
}

#if defined(__x86_64__)
template <class Body, class... Arguments>
[[gnu::target("avx2")]] void run_avx2(Arguments... arguments) {
  Body::run(arguments...);
}

template <class Body, class... Arguments>
[[gnu::target("avx512f,avx512dq,avx512vl,avx512bw")]] void run_avx512(Arguments... arguments) {
  Body::run(arguments...);
}
#endif

/// The instance for `isa`: of `Body`, or, with AVX-512, of `Wide`.
template <class Body, class Wide, class... Arguments>
auto dispatched_wide(Isa isa) -> void (*)(Arguments...) {
#if defined(__x86_64__)
  if (isa >= Isa::avx512) return &run_avx512<Wide, Arguments...>;
  if (isa == Isa::avx2) return &run_avx2<Body, Arguments...>;
#endif
  static_cast<void>(isa);
  return &run_baseline<Body, Arguments...>;
}

/// The instance of `Body` for `isa`.
template <class Body, class... Arguments>
auto dispatched(Isa isa) -> void (*)(Arguments...) {
  return dispatched_wide<Body, Body, Arguments...>(isa);
}

}  // namespace octet
