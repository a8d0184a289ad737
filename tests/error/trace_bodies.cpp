/// What loops, branches and max cannot be called with. Must not compile.
import octet.base;
import octet.trace;

using namespace octet;

Array add(Array x, Array y) { return x + y; }

Array program(Array p, Array x, Array y) {
  const auto negated = [](Array v) { return -v; };
  Array a = cond(p, x, y);                   // refused: X405: cond takes two functions
  Array b = cond(p, negated, negated, x);    // refused: X405: cond takes two functions
  Array c = scan(add, x, y).first;           // refused: X405: scan.body, carry, inputs. calls
  Array d = fori_loop(0, 3, negated, x);     // refused: X405: fori_loop.lower, upper, body, state. calls
  Array e = while_loop(negated, add, x);     // refused: X405: while_loop.condition, body, state. calls
  Array f = max(x, 0);                       // refused: X403: max and min look along dimensions
  return a + b + c + d + e + f + min(x, y);  // refused: X403: max and min look along dimensions
}
