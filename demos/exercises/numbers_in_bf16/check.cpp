import octet;
import facts;
using namespace octet;

Array looked_up(Array words, Array table);

void check() {
  // As jit compiles by default, and as a TPU works: products round their operands to bf16.
  const facts::Program program{looked_up};
  const Tensor table = facts::row({3, 256, 257, 2049});
  facts::result("looked_up({0, 1, 2, 3})", program(facts::row_i32({0, 1, 2, 3}), table), table);
  facts::result("looked_up({3, 0, 2})", program(facts::row_i32({3, 0, 2}), table), facts::row({2049, 3, 257}));
}
