// What a checkpoint saves: memory of a replica and of this machine, for work that is done a second time.
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.tpu;

using namespace octet;

namespace {

using Arrays = std::vector<Array>;

constexpr int layers = 6;
const TensorType narrow{DType::f32, {256, 128}}, wide{DType::f32, {128, 512}}, back{DType::f32, {512, 128}};

/// The gradient of layers whose inner values are four times as wide as what passes between them.
Graph step(bool checkpointed) {
  const auto loss = [=](const Arrays& a) {
    const auto layer = [&](const Array& x) { return x + matmul(gelu(matmul(x, a[1])), a[2]); };
    Array x = a[0];
    for (int i = 0; i < layers; ++i) x = checkpointed ? checkpoint(layer)(x) : layer(x);
    return sum(square(x));
  };
  return trace([&](const Arrays& in) { return grad(loss)(in); }, {narrow, wide, back});
}

std::vector<Tensor> arguments() {
  std::vector<Tensor> values;
  const Key key = Key::of_seed(5);
  std::uint64_t drawn = 0;
  for (const TensorType& type : {narrow, wide, back}) {
    Tensor value{type};
    for (float& each : value.mutable_span<float>()) each = static_cast<float>(uniform(key, drawn++) - 0.5) / 8;
    values.push_back(std::move(value));
  }
  return values;
}

/// The bytes of the wide values that `count` layers keep: what the gradient of gelu needs.
double kept(int count) { return 4.0 * 256 * 512 * count; }

}  // namespace

TEST_CASE("a checkpoint keeps what passes between layers, on a replica and here, and the bits are the same") {
  const Executable plain = Executable::compile(step(false), {}), again = Executable::compile(step(true), {});
  Threads alone;
  const auto one = plain.run(arguments(), alone), other = again.run(arguments(), alone);
  for (std::size_t i = 0; i < one.size(); ++i)
    CHECK(std::vector(one[i].bytes().begin(), one[i].bytes().end()) ==
          std::vector(other[i].bytes().begin(), other[i].bytes().end()));
  const auto live = [](const Executable& program) { return static_cast<double>(program.statistics().live_bytes); };
  INFO(live(plain) << " and " << live(again));
  CHECK(live(plain) - live(again) > kept(layers - 2));

  const tpu::ProgramEstimate there = tpu::estimate(step(false), tpu::slice("v3-8")),
                             once_more = tpu::estimate(step(true), tpu::slice("v3-8"));
  INFO(there.memory.peak << " and " << once_more.memory.peak);
  CHECK(there.memory.peak - once_more.memory.peak > kept(layers - 2));
  CHECK(once_more.seconds > there.seconds);

  // A program that comes as text, as JAX's do, saves as much.
  const tpu::ProgramEstimate read_back = tpu::estimate(optimize(read(to_string(step(true)))), tpu::slice("v3-8"));
  CHECK(read_back.memory.peak == once_more.memory.peak);
}
