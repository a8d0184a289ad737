/// What arrays and tensors make outside a traced function, given to a tensor that is there already: between a copy and
/// a move the compiler must choose before it can refuse. Must not compile; the first line is told.
import octet.base;
import octet.standard;
import octet.trace;

using namespace octet;

void run(std::vector<Tensor>& steps, const Tensor& x) {
  steps.push_back(x * 0.5);  // refused: X106: an Array has no data to put into a Tensor
  steps[0] = x - steps[1];
}
