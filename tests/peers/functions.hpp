/// Functions of octet.trace beside the JAX expressions that say the same. To be included after `import octet;` and
/// compiled.hpp with what that needs.
#pragma once

using namespace octet;

/// A program, what it is given, and the expression of `jnp`, `jax` and the arguments x0, x1, … whose values it returns.
struct Function {
  std::string name, jax;
  Graph graph;
  std::vector<Tensor> arguments;
  double slack = 0;  ///< what may lie between two right answers, where subtracting leaves few digits
};

/// Numbers of all magnitudes and both signs, zeros, infinities and NaN among them.
inline Tensor magnitudes(Dice& dice, std::int64_t count, int least = -40, int most = 40) {
  Tensor result{DType::f32, {count}};
  const std::span<float> numbers = result.mutable_span<float>();
  for (float& number : numbers)
    number = std::ldexp(1.0f + static_cast<float>(dice.between(0, 1 << 23)) * 0x1p-23f,
                        static_cast<int>(dice.between(least, most))) *
             (dice.likely(50) ? 1.0f : -1.0f);
  const float specials[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 2.5f, HUGE_VALF, -HUGE_VALF, NAN};
  std::copy(std::begin(specials), std::end(specials), numbers.begin());
  return result;
}

/// From a normal distribution.
inline Tensor normals(Dice& dice, Shape shape, float deviation = 1) {
  Tensor result{DType::f32, std::move(shape)};
  const Key key{static_cast<std::uint32_t>(dice.next()), static_cast<std::uint32_t>(dice.next())};
  normal(key, 0, result.mutable_span<float>());
  for (float& number : result.mutable_span<float>()) number *= deviation;
  return result;
}

inline Tensor integers(Dice& dice, Shape shape, std::int32_t low, std::int32_t high) {
  Tensor result{DType::i32, std::move(shape)};
  for (std::int32_t& number : result.mutable_span<std::int32_t>())
    number = static_cast<std::int32_t>(dice.between(low, high));
  return result;
}

inline std::vector<Function> functions() {
  Dice dice{11};
  std::vector<Function> all;
  using Body = std::function<std::vector<Array>(const std::vector<Array>&)>;
  const auto add = [&](std::string jax, std::vector<Tensor> arguments, const Body& body, double slack = 0) {
    std::vector<TensorType> types;
    for (const Tensor& argument : arguments) types.push_back(argument.type());
    Graph graph = octet::trace(body, types, "function");
    all.push_back(
        {"function " + std::to_string(all.size()), std::move(jax), std::move(graph), std::move(arguments), slack});
  };
  // The derivative of the sum of `body`, weighed by the last argument, as JAX's vjp has it.
  const auto add_gradient = [&](const std::string& jax, std::vector<Tensor> arguments, const Body& body,
                                double slack = 0) {
    const std::size_t inputs = arguments.size() - 1;
    add(
        "jax.vjp(lambda x0: " + jax + ", x0)[1](x" + std::to_string(inputs) + ")[0]", std::move(arguments),
        [&](const std::vector<Array>& x) { return vector_jacobian_product({body(x)[0]}, {x.back()}, {x[0]}); }, slack);
  };

  // Element by element, each over many magnitudes, and its derivative over fewer.
  struct Unary {
    const char* jax;
    Array (*function)(operand);
    int least = -40, most = 40;
    double slack = 0, gradient_slack = 0;
  };
  const Unary unary[] = {
      {"jnp.abs(x0)", abs},
      {"jnp.ceil(x0)", ceil},
      {"jnp.cos(x0)", cos, -20, 12},
      {"jax.scipy.special.erf(x0)", erf},
      {"jnp.exp(x0)", exp},
      {"jnp.expm1(x0)", expm1},
      {"jnp.floor(x0)", floor},
      {"jnp.log(x0)", log},
      {"jnp.log1p(x0)", log1p},
      {"jax.nn.sigmoid(x0)", logistic},
      {"jnp.round(x0)", round},
      {"jax.lax.rsqrt(x0)", rsqrt},
      {"jnp.sign(x0)", sign},
      {"jnp.sin(x0)", sin, -20, 12},
      {"jnp.sqrt(x0)", sqrt},
      {"jnp.tanh(x0)", tanh, -40, 40, 0, 2e-6},
      {"jnp.square(x0)", square},
      {"jax.nn.gelu(x0, approximate=False)", gelu, -20, 20, 1e-6, 1e-6},
      {"jax.nn.gelu(x0, approximate=True)", gelu_tanh, -20, 20, 2e-6, 2e-5},
      {"jax.nn.relu(x0)", relu},
  };
  for (const Unary& each : unary) {
    const Body body = [&](const std::vector<Array>& x) { return std::vector{each.function(x[0])}; };
    add(each.jax, {magnitudes(dice, 4000, each.least, each.most)}, body, each.slack);
    const std::string jax = each.jax;
    if (jax == "jnp.abs(x0)" || jax == "jnp.ceil(x0)" || jax == "jnp.floor(x0)" || jax == "jnp.round(x0)" ||
        jax == "jnp.sign(x0)")
      continue;
    Tensor numbers = magnitudes(dice, 400, -10, 3);
    numbers.mutable_span<float>()[1] = 0.25f;                                // at -0 some are infinite, of either sign
    if (jax == "jax.nn.relu(x0)") numbers.mutable_span<float>()[8] = 0.25f;  // of a NaN it is 0 in JAX alone
    add_gradient(jax, {numbers, normals(dice, {400})}, body, each.gradient_slack);
  }
  const Body relu_at_zero = [](const std::vector<Array>& x) { return std::vector{relu(x[0])}; };
  add_gradient("jax.nn.relu(x0)", {Tensor::of<float>({3}, {0, -1, 2}), normals(dice, {3})}, relu_at_zero);
  add_gradient("jnp.maximum(x0, x1)",
               {Tensor::of<float>({4}, {0, 1, 2, -3}), Tensor::of<float>({4}, {0, 1, 1, 1}), normals(dice, {4})},
               [](const std::vector<Array>& x) { return std::vector{maximum(x[0], x[1])}; });
  // JAX alone gives 0 a slope of 1.
  add_gradient("jnp.abs(x0)", {Tensor::of<float>({3}, {0.5, -1, 2}), normals(dice, {3})},
               [](const std::vector<Array>& x) { return std::vector{abs(x[0])}; });
  add_gradient("jnp.max(x0, axis=1)", {Tensor::of<float>({2, 3}, {1, 1, 0, 3, 3, 3}), normals(dice, {2})},
               [](const std::vector<Array>& x) { return std::vector{octet::max(x[0], {1})}; });
  add("jnp.power(x0, x1)", {magnitudes(dice, 4000, -12, 12), magnitudes(dice, 4000, -6, 6)},
      [](const std::vector<Array>& x) { return std::vector{pow(x[0], x[1])}; });
  add("jnp.fmod(x0, x1)", {magnitudes(dice, 4000, -12, 12), magnitudes(dice, 4000, -12, 12)},
      [](const std::vector<Array>& x) { return std::vector{x[0] % x[1]}; });
  add("jax.lax.rem(x0, x1)", {integers(dice, {400}, -50, 50), integers(dice, {400}, -7, 7)},
      [](const std::vector<Array>& x) { return std::vector{x[0] % x[1]}; });
  add("jax.lax.div(x0, x1)", {integers(dice, {400}, -50, 50), integers(dice, {400}, -7, 7)},
      [](const std::vector<Array>& x) { return std::vector{x[0] / x[1]}; });
  add("x0 << x1, jax.lax.shift_right_arithmetic(x0, x1)",
      {integers(dice, {400}, -500, 500), integers(dice, {400}, -1, 33)},
      [](const std::vector<Array>& x) { return std::vector{x[0] << x[1], x[0] >> x[1]}; });
  add("jnp.maximum(x0, x1), jnp.minimum(x0, x1)",
      {Tensor::of<float>({5}, {0.0f, -0.0f, NAN, 1, -HUGE_VALF}), Tensor::of<float>({5}, {-0.0f, 0.0f, 1, NAN, 2})},
      [](const std::vector<Array>& x) { return std::vector{maximum(x[0], x[1]), minimum(x[0], x[1])}; });

  // Conversions, those out of range included.
  add("x0.astype(jnp.int32), x0.astype(jnp.uint32), x0.astype(jnp.bfloat16), x0.astype(bool)", {magnitudes(dice, 4000)},
      [](const std::vector<Array>& x) {
        return std::vector{cast(x[0], DType::i32), cast(x[0], DType::u32), cast(x[0], DType::bf16),
                           cast(x[0], DType::pred)};
      });

  // Along dimensions.
  add("jax.nn.softmax(x0), jax.nn.log_softmax(x0)", {normals(dice, {5, 37}, 6)},
      [](const std::vector<Array>& x) { return std::vector{softmax(x[0]), log_softmax(x[0])}; });
  add_gradient("jax.nn.softmax(x0, axis=0)", {normals(dice, {5, 7}, 2), normals(dice, {5, 7})},
               [](const std::vector<Array>& x) { return std::vector{softmax(x[0], 0)}; });
  add_gradient("jax.nn.log_softmax(x0)", {normals(dice, {5, 7}, 2), normals(dice, {5, 7})},
               [](const std::vector<Array>& x) { return std::vector{log_softmax(x[0])}; });
  add("jnp.sum(x0), jnp.mean(x0, axis=1), jnp.max(x0, axis=(0, 2)), jnp.min(x0), jnp.prod(x0, axis=2)",
      {normals(dice, {4, 30, 11})}, [](const std::vector<Array>& x) {
        return std::vector{sum(x[0]), mean(x[0], 1), octet::max(x[0], {0, 2}), octet::min(x[0]), product(x[0], {2})};
      });
  add("jnp.argmax(x0, axis=0).astype(jnp.int32), jnp.argmax(x0, axis=1).astype(jnp.int32)",
      {integers(dice, {6, 9}, 0, 3).converted(DType::f32)},
      [](const std::vector<Array>& x) { return std::vector{argmax(x[0], 0), argmax(x[0], 1)}; });
  add("jnp.cumsum(x0), jnp.cumsum(x1, axis=0)", {integers(dice, {50}, -9, 9), normals(dice, {9, 4})},
      [](const std::vector<Array>& x) { return std::vector{cumulative_sum(x[0]), cumulative_sum(x[1], 0)}; });
  add("jnp.matmul(x0, x1), jnp.matmul(x2, x1), jnp.matmul(x1, x3)",
      {normals(dice, {3, 5, 40}), normals(dice, {40, 7}), normals(dice, {40}), normals(dice, {7})},
      [](const std::vector<Array>& x) {
        return std::vector{matmul(x[0], x[1]), matmul(x[2], x[1]), matmul(x[1], x[3])};
      });
  add_gradient("jnp.matmul(x0, x1)", {normals(dice, {3, 5, 8}), normals(dice, {8, 4}), normals(dice, {3, 5, 4})},
               [](const std::vector<Array>& x) { return std::vector{matmul(x[0], x[1])}; });

  // By index; those out of range are clamped.
  add("jnp.take(x0, x1, axis=0, mode='clip')", {normals(dice, {10, 3}), integers(dice, {4, 5}, -3, 14)},
      [](const std::vector<Array>& x) { return std::vector{take(x[0], x[1])}; });
  add_gradient("jnp.take(x0, x1, axis=0, mode='clip')",
               {normals(dice, {10, 3}), integers(dice, {4, 5}, 0, 9), normals(dice, {4, 5, 3})},
               [](const std::vector<Array>& x) { return std::vector{take(x[0], x[1])}; });
  add("jnp.take_along_axis(x0, x1[:, None], axis=1)[:, 0]", {normals(dice, {6, 5}), integers(dice, {6}, 0, 4)},
      [](const std::vector<Array>& x) { return std::vector{take_along_last(x[0], x[1])}; });
  add("jax.lax.sort((x0, x1), dimension=1, num_keys=1)",
      {integers(dice, {4, 12}, 0, 5).converted(DType::f32), integers(dice, {4, 12}, 0, 99)},
      [](const std::vector<Array>& x) { return octet::sort({x[0], x[1]}); });

  // What the data would give the shape of, bounded.
  const Tensor few = integers(dice, {4, 5}, 0, 6);
  add("jnp.unique(x0, size=5), jnp.unique(x0, size=12, fill_value=-1), jnp.unique(x1, size=7)",
      {few, Tensor::of<float>({6}, {NAN, 1, -0.0f, 0.0f, NAN, 1})}, [](const std::vector<Array>& x) {
        return std::vector{unique(x[0], {.size = 5}), unique(x[0], {.size = 12, .fill = -1}),
                           unique(x[1], {.size = 7})};
      });
  add("*jnp.nonzero(x0, size=25), *jnp.nonzero(x0, size=3), jnp.argwhere(x0, size=25, fill_value=-1)", {few},
      [](const std::vector<Array>& x) {
        std::vector<Array> all_of = nonzero(x[0], {.size = 25});
        for (const Array& cut : nonzero(x[0], {.size = 3})) all_of.push_back(cut);
        all_of.push_back(argwhere(x[0], {.size = 25, .fill = -1}));
        return all_of;
      });
  add("jnp.repeat(x0, x1, axis=0, total_repeat_length=9), jnp.repeat(x0, 2, axis=1)",
      {normals(dice, {4, 3}), Tensor::of<std::int32_t>({4}, {2, 0, 1, 3})}, [](const std::vector<Array>& x) {
        return std::vector{octet::repeat(x[0], x[1], {.total = 9}), octet::repeat(x[0], 2, 1)};
      });

  // Random numbers.
  const Tensor key = Tensor::of<std::uint32_t>({2}, {7, 1234567});
  add("jax.random.bits(jax.random.wrap_key_data(x0), (3, 50), jnp.uint32), "
      "jax.random.uniform(jax.random.wrap_key_data(x0), "
      "(150,), jnp.float32)",
      {key},
      [](const std::vector<Array>& x) { return std::vector{random_bits(x[0], {3, 50}), random_uniform(x[0], {150})}; });
  add("jax.random.key_data(jax.random.fold_in(jax.random.wrap_key_data(x0), x1)), "
      "jax.random.categorical(jax.random.wrap_key_data(x0), x2).astype(jnp.int32)",
      {key, Tensor::scalar<std::uint32_t>(77), normals(dice, {40, 9}, 2)},
      [](const std::vector<Array>& x) { return std::vector{fold_in(x[0], x[1]), random_categorical(x[0], x[2])}; });
  Tensor drawn{DType::f32, {500}};
  normal(Key::of_seed(99), 0, drawn.mutable_span<float>());
  add("jax.random.normal(jax.random.key(99), (500,), jnp.float32)", {drawn},
      [](const std::vector<Array>& x) { return std::vector{x[0] + 0.0}; });

  // Control flow.
  add("jax.lax.scan(lambda carry, x: (carry * 0.5 + x, jnp.tanh(carry)), x0, x1)",
      {normals(dice, {3}), normals(dice, {6, 3})}, [](const std::vector<Array>& x) {
        auto [carry, stacked] = scan(
            [](const Array& held, const Array& one) { return std::pair{held * 0.5 + one, tanh(held)}; }, x[0], x[1]);
        return std::vector{carry, stacked};
      });
  add("jax.lax.while_loop(lambda s: jnp.sum(s) < 100, lambda s: s * 1.5 + 1, x0)", {normals(dice, {4})},
      [](const std::vector<Array>& x) {
        return std::vector{while_loop([](const Array& state) { return sum(state) < 100.0; },
                                      [](const Array& state) { return state * 1.5 + 1.0; }, x[0])};
      });
  return all;
}
