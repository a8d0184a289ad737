#include <vector>
import octet;
import facts;
using namespace octet;

const char* layer();

void check() {
  const Graph graph = read(layer(), "the text in layer()");
  const Tensor x = facts::rows(3, {1, 0, 0, 0, -1, 0}), other = facts::rows(3, {0, 0, 1, -1, 1, 0});
  const Tensor w = facts::rows(4, {1, 2, 3, 4, 5, 6, -7, -8, 9, 9, 9, 9});
  facts::result("layer of x and w", evaluate(graph, std::vector{x, w})[0], facts::rows(4, {1, 2, 3, 4, 0, 0, 7, 8}));
  facts::result("layer of another x and w", evaluate(graph, std::vector{other, w})[0],
                facts::rows(4, {9, 9, 9, 9, 4, 4, 0, 0}));
}
