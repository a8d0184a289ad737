#include <vector>
import octet;
import facts;
using namespace octet;

const char* layer();

void check() {
  const Graph graph = read(layer(), "the text in layer()");
  const std::vector<Tensor> arguments{facts::rows(3, {1, 0, 0, 0, -1, 0}),
                                      facts::rows(4, {1, 2, 3, 4, 5, 6, -7, -8, 9, 9, 9, 9})};
  facts::result("layer of x and w", evaluate(graph, arguments)[0], facts::rows(4, {1, 2, 3, 4, 0, 0, 7, 8}));
}
