import octet;
import facts;
using namespace octet;

Tensor prepared(const Tensor& labels);
Array count(Array labels);

void check() {
  const facts::Program program{count};
  const Tensor labels = facts::row_i32({7, -100, 0, -100});
  facts::result("count of {7, -100, 0, -100}, i32", program(prepared(labels)), facts::number(2));
  facts::result("count of {7, -100, 0, -100}, i64", program(prepared(labels.converted(DType::i64))), facts::number(2));
  facts::result("count of {7, -100, 0, -100}, f32", program(prepared(labels.converted(DType::f32))), facts::number(2));
  facts::compiles(program.statistics(), 1);
}
