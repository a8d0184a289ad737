#include <string>
#include <utility>
import octet;
import facts;
using namespace octet;

std::pair<Tensor, Tensor> prepared(const Tensor& loss, const Tensor& label);
Array mean_loss(Array loss, Array label);

void check() {
  const facts::Program program{mean_loss};
  for (int labels = 1; labels <= 6; ++labels) {
    const auto [loss, label] = prepared(facts::counted(8), pad_to(facts::filled_i32({labels}, 3), {8}, -100));
    facts::result("mean_loss of {0, 1, ..., 7}, of which " + std::to_string(labels) + " have a label",
                  program(loss, label), facts::number((labels - 1) / 2.0));
  }
  facts::compiles(program.statistics(), 1);
}
