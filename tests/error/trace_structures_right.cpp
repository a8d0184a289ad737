/// The same structures as they may be. Must compile.
#include <array>
#include <string>
#include <variant>
#include <vector>
import octet.base;
import octet.trace;

using namespace octet;

struct Encoder {
  Array weight;
};
struct Derived {
  Encoder encoder;
  Array bias;
};
struct StandardArray {
  int before = 0;
  std::array<Array, 3> weights;
  Array bias;
};
struct Letters {
  Array weight;
  std::string name;
};
struct Held {
  Array weight;
};
struct Options {
  int heads = 2;
  float epsilon = 1e-5f;
};
struct ConstantOptions {
  const Options options{};
  const std::vector<Options> of_layers{};
  Array weight;
};
struct Constant {
  const int heads = 2;
  const std::vector<int> widths;
  Array weight, bias;
};
struct Sixteen {
  Array a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
};
struct Either {
  std::vector<std::variant<std::monostate, Encoder, Derived>> layers;
  std::variant<int, std::string> kind;
};
struct Holder {
  std::vector<Derived> layers;
  std::vector<Holder> parts;
};

void run(Array x) {
  names_of(Derived{});
  names_of(StandardArray{});
  names_of(Letters{});
  names_of(Held{x});
  names_of(Constant{.widths = {2}, .weight = x, .bias = x});
  names_of(ConstantOptions{.weight = x});
  names_of(Sixteen{});
  names_of(Holder{});
  names_of(Either{});
  names_of(std::array<Holder, 2>{});
  with_arrays(Held{x}, {x});
}
