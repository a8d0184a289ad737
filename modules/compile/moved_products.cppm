/// Moved products: matrix products that write their elements in the order in which their only reader wants them, so
/// that nothing has to be moved afterwards. Internal to octet.compile.
export module octet.compile:moved_products;
import octet.graph;
import octet.standard;
import :fusion;
import :plan;
import :view;

namespace octet {

struct MovedProduct {
  ValueId value = -1;       ///< what is written in the product's stead
  std::size_t mover = 0;    ///< the node that would have moved the elements; its loop need not run
  bool transposed = false;  ///< the operands change places, so that the columns lie side by side
  DotResult places;
};

/// What a node that moves elements reads, over the space of its loop.
View moved(const Graph& graph, const Fusion& fusion, const Node& node);

/// The products that nothing reads but one loop which brings their elements into another order, by their values.
std::map<ValueId, MovedProduct> find_moved_products(const Graph& graph, const Fusion& fusion,
                                                    const std::vector<bool>& uniform);

}  // namespace octet
