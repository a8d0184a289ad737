// Weight-update sharding: the parameters of an update by all, with moments of a share.
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
import octet.nn;

using namespace octet;

namespace {

using State = nn::TrainingState<nn::Linear>;

const tpu::Slice eight = tpu::slice("v3-8");

nn::Linear gradient_of(const nn::Linear& model, const Array& x) {
  return value_and_grad([&](const nn::Linear& m) { return sum(square(m(x) - 1.0)); })(model).second;
}

constexpr nn::AdamW optimizer{
    .schedule = {.peak = 0.1, .warmup_steps = 1, .steps = 20}, .weight_decay = 0.1, .clip_norm = 0.5};

struct Whole {
  State operator()(const State& state, const Array& x) const {
    std::vector<Array> reduced;
    for (const Array& gradient : arrays_of(gradient_of(state.model, x)))
      reduced.push_back(all_reduce(gradient, eight.all()) / 16.0);
    return nn::updated(optimizer, state, with_arrays(state.model, reduced));
  }
};

struct Sharded {
  State operator()(const State& state, const Array& x) const {
    return nn::sharded_updated(optimizer, state, gradient_of(state.model, x), full({DType::f32, Shape{}}, 16),
                               eight.all());
  }
};

Tensor drawn(Shape shape, std::uint64_t seed) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < shape.elements(); ++i)
    values.push_back(static_cast<float>(below(Key::of_seed(seed), static_cast<std::uint64_t>(i), 2001)) / 1000 - 1);
  return Tensor::of<float>(std::move(shape), std::span<const float>{values});
}

}  // namespace

TEST_CASE("an update in shares gives the parameters of a whole one, on every replica, to the bit") {
  // 15 and 3 numbers: neither is a multiple of eight, and some replicas keep nothing but filling.
  const Values<nn::Linear> model{nn::Linear{}, {drawn({5, 3}, 1), drawn({3}, 2)}};
  auto whole = tpu::replicated(nn::initial_state(model), 8);
  auto shares = tpu::replicated(nn::initial_sharded_state(model, 8), 8);
  CHECK(shares[0].tensors()[2].shape() == Shape{2});
  CHECK(shares[0].tensors()[3].shape() == Shape{1});
  const auto run_whole = tpu::replicate(Whole{}, eight, {.argument_names = {"state", "x"}});
  const auto run_shares = tpu::replicate(Sharded{}, eight, {.argument_names = {"state", "x"}});
  for (std::uint64_t step = 0; step < 5; ++step) {
    const Tensor x = drawn({16, 5}, 10 + step);
    whole = run_whole(std::move(whole), x);
    shares = run_shares(std::move(shares), x);
    for (std::size_t t = 0; t < 2; ++t)
      for (std::size_t r = 0; r < 8; ++r) CHECK(shares[r].tensors()[t] == whole[r].tensors()[t]);
  }
  // The moments of all replicas, one after another, are the whole ones.
  for (std::size_t t = 2; t < 6; ++t)
    for (std::int64_t i = 0; i < whole[0].tensors()[t].elements(); ++i) {
      const std::int64_t share = shares[0].tensors()[t].elements();
      REQUIRE(shares[static_cast<std::size_t>(i / share)].tensors()[t].at(i % share) == whole[0].tensors()[t].at(i));
    }
}

TEST_CASE("groups that are not all replicas in one are refused") {
  for (const ReplicaGroups& groups : {ReplicaGroups{}, ReplicaGroups{{0, 1}, {2, 3}}, ReplicaGroups{{1, 0}}}) {
    int number = 0;
    try {
      trace(
          [&](const std::vector<Array>& in) {
            return nn::sharded_adamw_update(optimizer, {"w"}, {in[0]}, {in[0]}, full({DType::f32, Shape{}}, 1), {in[1]},
                                            {in[1]}, constant(Tensor::scalar<std::int32_t>(0)), groups)
                .parameters;
          },
          {{DType::f32, {4}}, {DType::f32, {2}}});
    } catch (const Error& error) {
      number = error.number();
    }
    CHECK(number == 603);
  }
}
