/// Structures of arrays that cannot be taken apart into their members. Must not compile. Each is refused where it is
/// used first.
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
import octet.base;
import octet.trace;

using namespace octet;

struct Encoder {
  Array weight;
};
struct Derived : Encoder {
  Array bias;
};
struct CArray {
  int before = 0;
  Array weights[3];
  Array bias;
};
struct Letters {
  Array weight;
  char name[8];
};
struct Referring {
  Array& weight;
};
struct ReferringLater {
  Array bias;
  Array& weight;
};
struct Constant {
  const Array weight;
  Array bias;
};
struct ConstantList {
  const std::vector<Encoder> layers;
};
struct Constructed {
  Constructed() {}
  Array weight;
};
struct Precise {
  Array weight;
  long double rate;
};
struct Many {
  Array a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q;
};
struct DerivedLayer : Encoder {
  Array bias;
};
struct Holder {
  std::vector<DerivedLayer> layers;
};
struct DerivedHead : Encoder {
  Array bias;
};
struct Heads {
  std::optional<DerivedHead> first;
};

void run(Array x) {
  names_of(Derived{});                          // refused: a structure of arrays has no base class
  names_of(CArray{});                           // refused: a structure of arrays has no C arrays
  names_of(Letters{});                          // refused: std::string for a text
  names_of(Referring{x});                       // refused: write the member without &
  names_of(ReferringLater{x, x});               // refused: write the member without &
  names_of(Constant{x, x});                     // refused: write the member without const
  names_of(ConstantList{});                     // refused: write the member without const
  names_of(Constructed{});                      // refused: without constructors, virtual functions and private members
  names_of(Many{});                             // refused: a structure of arrays has at most 16 members
  names_of(Holder{});                           // refused: a structure of arrays has no base class
  names_of(std::array<Heads, 2>{});             // refused: a structure of arrays has no base class
  names_of(std::pair<const Array, int>{x, 1});  // refused: write its elements without const
  names_of(std::optional<const Encoder>{Encoder{x}});      // refused: write its elements without const
  names_of(std::tuple<const Array&, const Array&>{x, x});  // refused: write its elements without const
  names_of(Precise{x, 1});  // refused: a number in a structure of arrays has at most 64 bits
}
