import octet;
import facts;
using namespace octet;

Array dropped(Array x, Array key);

void check() {
  const tpu::Slice slice = tpu::slice("v3-8");
  const Tensor key = facts::row_i32({0, 7}).converted(DType::u32);
  const auto arguments = facts::shared_out(slice, {facts::filled({1000}, 0.9), key}, {});
  const auto first = facts::on_replicas(facts::function(dropped), slice, arguments);
  const auto again = facts::on_replicas(facts::function(dropped), slice, arguments);
  const Tensor other = facts::row_i32({0, 8}).converted(DType::u32);
  facts::other_bits("what replica 5 drops with another key", first[5][0],
                    facts::on_replicas(facts::function(dropped), slice,
                                       facts::shared_out(slice, {facts::filled({1000}, 0.9), other}, {}))[5][0]);
  facts::other_bits("what replicas 0 and 1 drop", first[0][0], first[1][0]);
  facts::other_bits("what replicas 3 and 7 drop", first[3][0], first[7][0]);
  facts::same_bits("replica 5, run twice", first[5][0], again[5][0]);
  double alike = 0;
  for (unsigned one = 0; one < 8; ++one)
    for (unsigned other = 0; other < one; ++other) alike += first[one][0] == first[other][0];
  facts::result("pairs of replicas that drop the same, of 28", alike, 0);
  double zeros = 0, kept = 0;
  for (int i = 0; i < 1000; ++i) {
    zeros += first[2][0].at(i) == 0;
    if (first[2][0].at(i) != 0) kept = first[2][0].at(i);
  }
  facts::at_most("dropped of 1000 on replica 2", zeros, 140);
  facts::at_least("dropped of 1000 on replica 2", zeros, 60);
  facts::result("what a kept 0.9 becomes, divided by the share that is kept", kept, 1, 1e-6);
}
