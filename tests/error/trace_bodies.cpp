/// What loops, branches and max cannot be called with. Must not compile.
import octet.base;
import octet.trace;

using namespace octet;

Array add(Array x, Array y) { return x + y; }

Array program(Array p, Array x, Array y) {
  auto negated = [](Array v) { return -v; };
  Array a = cond(p, x, y);                                                   // refused: X405: cond takes two functions
  Array b = cond(p, [](Array v) { return v; }, [](Array v) { return -v; });  // refused: X405: cond takes two functions
  Array c = cond(p, negated, negated, x);                                    // refused: X405: cond takes two functions
  Array d = scan(add, x, y).first;                                           // refused: X405: scan.body, carry, inputs.
  Array e = scan([](Array s, Array v) { return s + v; }, x, y).first;        // refused: X405: scan.body, carry, inputs.
  Array y1 =
      scan([](auto s, Array v) { return std::pair{s + v, v}; }, 5.0, y).first;  // refused: X405: scan.body, carry
  Array f = fori_loop(0, 3, negated, x);                            // refused: X405: fori_loop.lower, upper, b
  Array g = fori_loop(0, 3, [](Array s) { return s; }, x);          // refused: X405: fori_loop.lower, upper, b
  Array h = fori_loop(0, 3, [](Array, Array& s) { return s; }, x);  // refused: X405: fori_loop.lower, upper, b
  Array i = while_loop(negated, add, x);                            // refused: X405: while_loop.condition, bod
  Array j = while_loop([](Array s) { return s < 1; }, add, x);      // refused: X405: while_loop.condition, bod
  Array l = while_loop([](Array) { return true; }, negated, x);     // refused: X405: while_loop.condition, bod
  Array m =
      cond(p, [&] { return std::pair{x, x}; }, [&] { return x; }).first;  // refused: X405: cond takes two functions
  switch_case(p, [&] { return x; });  // refused: X405: switch_case takes a number and at least two
  switch_case(p, [&] { return x; }, [&] { return std::pair{x, x}; });  // refused: X405: switch_case takes a number and
  map_rows(negated, x, y);                                             // refused: X405: map_rows.function, inputs. call
  switch_case(p, [] {}, negated, add);  // refused: X405: switch_case takes a number and at least two
  map_rows(add, x);                     // refused: X405: map_rows.function, inputs. calls the function
  cond(p, [] {}, [] {});                // refused: X405: cond takes two functions
  Array k = max(x, 0);                  // refused: X403: max and min look along dimensions
  return a + b + c + d + e + f + g + h + i + j + min(x, k);  // refused: X403: max and min look along dimensions
}
