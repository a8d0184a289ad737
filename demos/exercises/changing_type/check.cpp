#include <string>
#include <utility>
import octet;
import facts;
using namespace octet;

Tensor prepared(const Tensor& labels);
Array count(Array labels);

void check() {
  const facts::Program program{count};
  const Tensor labels = facts::row_i32({7, -100, 0, -100}), large = facts::row_i32({30521, -100, 257, 3});
  const std::pair<DType, std::string> readers[] = {{DType::i32, "i32"}, {DType::i64, "i64"}, {DType::f32, "f32"}};
  for (const auto& [type, name] : readers)
    facts::result("count of {7, -100, 0, -100}, " + name, program(prepared(labels.converted(type))), facts::number(2));
  facts::compiles(program.statistics(), 1);
  facts::result("count of {30521, -100, 257, 3}, i32", program(prepared(large)), facts::number(3));
  for (const auto& [type, name] : readers)
    facts::result("labels in prepared({30521, -100, 257, 3}), " + name,
                  prepared(large.converted(type)).converted(DType::i32), large);
}
