/// The right twin of trace_bodies.cpp.
import octet.base;
import octet.standard;
import octet.trace;

using namespace octet;

Array program(Array p, Array x, Array y) {
  Array a = select(p, x, y);
  Array b = cond(p, [&] { return x; }, [&] { return -x; });
  Array c = scan([](Array carry, Array row) { return std::pair{carry + row, row}; }, x, y).first;
  Array d = fori_loop(0, 3, [](Array, Array state) { return state; }, x);
  Array e = while_loop([](Array s) { return s < 1; }, [](Array s) { return s + s; }, x);
  const auto moved = [](Array, Array&& s) { return s + 1; };
  Array g = fori_loop(0, 3, moved, x) + fori_loop(0, 3, [n = 0](auto, auto s) mutable { return s + ++n; }, x);
  Array h = scan([](Array&& carry, Array&& row) { return std::pair{carry * row, row}; }, x, y).second;
  Array f = maximum(x, 0);
  f = switch_case(p, [&] { return x; }, [&] { return -x; }, [&] { return y; });
  f = map_rows([](Array row) { return row * 2; }, f);
  return a + b + c + d + e + f + g + h + minimum(x, y) + max(x, {0});
}
