// What a checkpoint saves: memory of a replica and of this machine, for work that is done a second time.
#include <algorithm>
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

#include "check_lines.hpp"

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

TEST_CASE("the checklist sees what a program recomputes already, and asks for more of it alone") {
  // So that replicas are short of memory for what they keep, layers keep much.
  const auto of_rows = [](std::int64_t rows, int checkpointed, const std::string& option) {
    const TensorType x{DType::f32, {rows, 1024}}, weight{DType::f32, {1024, 1024}};
    const auto loss = [=](const Arrays& a) {
      const auto layer = [&](const Array& y) {
        return y + tanh(tanh(tanh(tanh(matmul(tanh(matmul(y, a[1])), a[1])))));
      };
      Array y = a[0];
      for (int i = 0; i < layers; ++i) y = i < checkpointed ? checkpoint(layer)(y) : layer(y);
      return sum(square(y));
    };
    CheckOptions options;
    options.batch = {"arg0"};
    options.recompute_option = option;
    const Graph program = trace([&](const Arrays& in) { return grad(loss)(in); }, {x, weight});
    return check(read(to_string(program)), tpu::slice("v3-8"), options).line("memory");
  };
  const std::string ask = "ask for recomputing in the program", more = "ask for more recomputing in the program",
                    counted = "behind an optimization_barrier, is counted as it is";
  const std::int64_t few = 1024, many = 120'000, half_of_more = 230'000;
  CHECK(!mentions(of_rows(few, 0, ""), counted));
  const Graph held = trace(
      [](const Arrays& in) {
        const Arrays out = optimization_barrier(Arrays{tanh(in[0])});
        return Arrays{transpose(in[0], {1, 0}), out[0] * 2.0};
      },
      {{DType::f32, {256, 128}}});
  CHECK(!mentions(check(held, tpu::slice("v3-8")).line("memory"), counted));
  CHECK(mentions(of_rows(few, layers, ""), counted));
  const CheckLine plain = of_rows(many, 0, "--again");
  CHECK(plain.verdict == Verdict::warn);
  CHECK(plain.cure.front().starts_with(ask + " (--again): "));
  CHECK(of_rows(many, layers, "").verdict == Verdict::pass);
  const CheckLine half = of_rows(half_of_more, layers / 2, "");
  INFO(half.finding);
  REQUIRE(half.verdict == Verdict::warn);
  CHECK(mentions(half, "it fits if more activations are dropped and computed again"));
  CHECK(half.cure.front().starts_with(more + ": "));
  CHECK(!mentions(of_rows(half_of_more, layers / 2, "--again"), "ask for"));
}

TEST_CASE("what is proposed is a program that was traced: with what it can ask for, and in parts") {
  // Of its layers, a program can ask for so many to be computed again.
  const auto memory_of = [](std::int64_t rows, int can_ask) {
    const std::int64_t replicas = 8;
    Candidate candidate;
    candidate.calls = {{.names = {"x", "weight"},
                        .types = {{DType::f32, {rows * replicas, 1024}}, {DType::f32, {1024, 1024}}},
                        .replicated = {"weight"}}};
    candidate.trace_otherwise = [=](const Signature& types, bool asks, std::int64_t parts) {
      const std::int64_t each = types.types[0].shape[0] / parts;
      return trace(
          [&](const Arrays& in) {
            const auto layer = [&](const Array& y) {
              return y + tanh(tanh(tanh(tanh(matmul(tanh(matmul(y, in[1])), in[1])))));
            };
            Array total = zeros(in[1].type());
            for (std::int64_t part = 0; part < parts; ++part) {
              const auto loss = [&](const Array& x) {
                Array y = x;
                for (int i = 0; i < layers; ++i) y = asks && i < can_ask ? checkpoint(layer)(y) : layer(y);
                return sum(square(y));
              };
              const Array x = slice(in[0], {part * each, 0}, {(part + 1) * each, 1024});
              total = total + sum(grad(loss)(x));
            }
            return Arrays{total};
          },
          {types.types[0], {DType::f32, {1024, 1024}}});
    };
    candidate.trace = [otherwise = candidate.trace_otherwise](const Signature& types) {
      return otherwise(types, false, 1);
    };
    return check(candidate, tpu::slice("v3-8"), {.recompute_option = "--again", .accumulate_option = "--parts"})
        .line("memory");
  };
  // All layers: dropping what is cheap to compute again would not do, and what it asks for does.
  const CheckLine all = memory_of(400'000, layers);
  INFO(all.finding);
  CHECK(all.verdict == Verdict::fail);
  CHECK(all.finding.ends_with(" of the 16.6 GB that a program may use on v3-8: it fits if recomputing is asked for."));
  CHECK(all.cure.front().starts_with("ask for recomputing in the program (--again): "));
  CHECK(!mentions(all, "rent"));
  // One of them: not enough, and so there are to be fewer examples besides.
  const CheckLine one = memory_of(400'000, 1);
  INFO(one.finding);
  CHECK(one.verdict == Verdict::fail);
  CHECK(!one.cure.front().starts_with("ask for"));
  const std::string fewer = *std::ranges::find_if(
      one.cure, [](const std::string& each) { return each.starts_with("take at most 135,232 examples a replica, "); });
  CHECK(fewer.ends_with("with recomputing asked for (--again), and add up the gradients of 4 equal parts (--parts 4)"));
}
