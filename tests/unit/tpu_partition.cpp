// Programs that devices share compute what they compute whole: parts of the batch, what they add up and what they
// gather.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.tpu;
#include "device_parts.hpp"

using namespace octet;

namespace {

constexpr std::int64_t devices = 4;
using Arrays = std::vector<Array>;

/// Small whole numbers, of which sums are exact in whatever order.
Tensor numbers(TensorType type, int seed) {
  Tensor tensor{type};
  visit_dtype(type.dtype, [&]<class T>(std::type_identity<T>) {
    const auto span = tensor.mutable_span<T>();
    for (std::size_t i = 0; i < span.size(); ++i)
      span[i] = static_cast<T>(static_cast<float>((i * 7 + static_cast<std::size_t>(seed) * 3) % 5));
  });
  return tensor;
}

/// One part for each device.
tpu::MeshCuts along(std::int64_t dimension) { return {{dimension, devices, 1}}; }

/// What one device runs, checked against the whole program: of which parameters it has parts, and how results are said
/// to be cut.
Graph parted(const Graph& whole, const std::map<std::size_t, tpu::Sharding>& cuts,
             const std::map<std::size_t, std::int64_t>& wanted = {}) {
  Graph part = tpu::one_part(whole, cuts, devices, wanted);
  INFO(to_string(part));
  verify(part);
  std::vector<Tensor> arguments;
  for (std::size_t i = 0; i < whole.parameters().size(); ++i)
    arguments.push_back(numbers(whole.parameter_types()[i], static_cast<int>(i)));
  std::vector<std::vector<Tensor>> each(devices);
  for (std::int64_t d = 0; d < devices; ++d)
    for (std::size_t i = 0; i < arguments.size(); ++i)
      each[static_cast<std::size_t>(d)].push_back(
          cuts.contains(i) ? part_of(arguments[i], d, along(cuts.at(i).dimension)) : arguments[i]);
  const std::vector<Tensor> expected = evaluate(whole, arguments);
  const auto results = evaluate(part, each);
  for (std::size_t d = 0; d < results.size(); ++d)
    for (std::size_t r = 0; r < expected.size(); ++r) {
      INFO("result " << r << " of device " << d);
      std::int64_t cut = 0;  // the dimension along which a result is no whole
      const TensorType type = results[d][r].type(), all = expected[r].type();
      while (cut < all.shape.rank() && type.shape[cut] == all.shape[cut]) ++cut;
      const bool own = cut < all.shape.rank();
      CHECK(results[d][r] == (own ? part_of(expected[r], static_cast<std::int64_t>(d), along(cut)) : expected[r]));
    }
  return part;
}

Graph traced(const std::vector<TensorType>& types, Arrays (*function)(const Arrays&)) { return trace(function, types); }

std::ptrdiff_t count(const Graph& graph, Op op) {
  return std::ranges::count(graph.nodes(), op, [](const Node& node) { return node.op; });
}
std::int64_t largest(const Graph& graph) {
  std::int64_t most = 0;
  for (const Value& value : graph.values()) most = std::max(most, value.type.shape.elements());
  return most;
}

constexpr tpu::Sharding rows{.dimension = 0, .of_batch = true};

TensorType f32(const Shape& shape) { return {DType::f32, shape}; }
TensorType i32(const Shape& shape) { return {DType::i32, shape}; }

}  // namespace

TEST_CASE("a step whose batch is cut sums its gradients over devices, and gathers nothing") {
  const Graph part = parted(traced({f32({8, 4}), f32({8, 3, 8}), f32({8, 3, 4})},
                                   [](const Arrays& in) {
                                     const auto loss = [&](const Array& w) {
                                       const Array out = reshape(matmul(in[1], w), {24, 4});
                                       const Array error = out - reshape(in[2], {24, 4});
                                       return sum(error * error);
                                     };
                                     const auto [value, gradient] = value_and_grad(loss)(in[0]);
                                     return Arrays{in[0] - gradient, value};
                                   }),
                            {{1, rows}, {2, rows}});
  CHECK(count(part, Op::all_reduce) == 2);
  CHECK(count(part, Op::all_gather) == 0);
  CHECK(count(part, Op::dynamic_slice) == 0);
  CHECK(largest(part) == 2 * 3 * 8);
}

TEST_CASE("rows of a table are looked up by each device, and what is added to them is summed") {
  const Graph part = parted(traced({f32({16, 4}), i32({8, 3})},
                                   [](const Arrays& in) {
                                     const auto loss = [&](const Array& table) {
                                       const Array rows = take(table, in[1]);
                                       return sum(rows * rows);
                                     };
                                     return Arrays{value_and_grad(loss)(in[0]).second};
                                   }),
                            {{1, rows}});
  CHECK(count(part, Op::all_gather) == 0);
  CHECK(count(part, Op::all_reduce) == 1);
}

TEST_CASE("what each example picks of its own row is picked by its device") {
  const Graph whole = read(R"(module {
  func.func @main(%x: tensor<8x5xf32>, %label: tensor<8xi32>) -> (tensor<8xf32>, tensor<8x5xf32>) {
    %i = stablehlo.iota dim = 0 : tensor<8x1xi32>
    %l = stablehlo.reshape %label : (tensor<8xi32>) -> tensor<8x1xi32>
    %at = stablehlo.concatenate %i, %l, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
    %0 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x5xf32>, tensor<8x2xi32>) -> tensor<8xf32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %zeros = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<f32>) -> tensor<8x5xf32>
    %1 = "stablehlo.scatter"(%zeros, %at, %0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x5xf32>, tensor<8x2xi32>, tensor<8xf32>) -> tensor<8x5xf32>
    return %0, %1 : tensor<8xf32>, tensor<8x5xf32>
  }
}
)");
  const Graph part = parted(whole, {{0, rows}, {1, rows}});
  CHECK(part.result_types() == std::vector{f32({2}), f32({2, 5})});
  for (const Op op : {Op::all_gather, Op::all_reduce, Op::dynamic_slice}) CHECK(count(part, op) == 0);
}

TEST_CASE("a loop over layers keeps the batch in parts, and what it stacks for the way back") {
  const Graph part = parted(traced({f32({3, 4, 4}), f32({8, 4})},
                                   [](const Arrays& in) {
                                     const auto loss = [&](const Array& layers) {
                                       const auto layer = [](const Array& x, const Array& w) {
                                         return std::pair{matmul(x, w) - x, sum(x)};
                                       };
                                       const Array out = scan(layer, in[1], layers).first;
                                       return sum(out * out);
                                     };
                                     return Arrays{value_and_grad(loss)(in[0]).second};
                                   }),
                            {{1, rows}});
  const auto within = [](const Graph& graph) {
    std::ptrdiff_t gathers = 0;
    for (const Node& node : graph.nodes())
      for (const Graph& region : node.regions) gathers += count(region, Op::all_gather);
    return gathers;
  };
  CHECK(count(part, Op::all_gather) + within(part) == 0);
  CHECK(largest(part) <= 3 * 4 * 4);
}

TEST_CASE("what follows from no parameter is made in parts where it is wanted so") {
  const Graph part = parted(traced({f32({8, 64})},
                                   [](const Arrays& in) {
                                     const Array place = iota(i32({8, 64}), 0) + iota(i32({8, 64}), 1);
                                     const Array even = cast<float>((place & 1) == 0);
                                     return Arrays{in[0] * even};
                                   }),
                            {{0, rows}});
  CHECK(largest(part) == 2 * 64);
  CHECK(count(part, Op::all_gather) == 0);
}

TEST_CASE("random bits are made by each device for its part") {
  const ProgramText program = read_program(R"(module {
  func.func @main(%x: tensor<8x64xui32>, %key: tensor<4xui32>) -> (tensor<8x64xui32>, tensor<4xui32>) {
    %state, %bits = stablehlo.rng_bit_generator %key, algorithm =  DEFAULT : (tensor<4xui32>) -> (tensor<4xui32>, tensor<8x64xui32>)
    %0 = stablehlo.and %x, %bits : tensor<8x64xui32>
    return %0, %state : tensor<8x64xui32>, tensor<4xui32>
  }
}
)");
  const Graph part = tpu::one_part(program.graph, {{0, rows}}, devices);
  verify(part);
  CHECK(largest(part) == 2 * 64);
  CHECK(part.result_types().back() == TensorType{DType::u32, {4}});
}

TEST_CASE(
    "weights and what an optimizer keeps stay in parts, are gathered where they are used, and get their part of sums") {
  // A step of two layers with momentum: the weights of one are cut along their rows, of the other along their columns.
  const Graph whole =
      traced({f32({8, 4}), f32({4, 12}), f32({12}), f32({8, 4}), f32({4, 12}), f32({16, 8}), f32({16, 12})},
             [](const Arrays& in) {
               const auto loss = [&](const Arrays& w) {
                 const Array error = matmul(matmul(in[5], w[0]), w[1]) + w[2] - in[6];
                 return sum(error * error);
               };
               const auto [value, gradients] = value_and_grad(loss)(Arrays{in[0], in[1], in[2]});
               const Array norm = sum(gradients[0] * gradients[0]) + sum(gradients[1] * gradients[1]);
               Arrays results{value, norm, in[2] - gradients[2]};
               for (std::size_t i = 0; i < 2; ++i) {
                 const Array momentum = in[3 + i] + gradients[i] * (norm - norm + 1.0F);
                 results.push_back(momentum);
                 results.push_back(in[i] - momentum);
               }
               return results;
             });
  const tpu::Sharding columns{.dimension = 1};
  const Graph part = parted(whole, {{0, {0}}, {1, columns}, {3, {0}}, {4, columns}, {5, rows}, {6, rows}});
  CHECK(part.result_types() ==
        std::vector{f32({}), f32({}), f32({12}), f32({2, 4}), f32({2, 4}), f32({4, 3}), f32({4, 3})});
  CHECK(count(part, Op::all_gather) == 2);
  CHECK(count(part, Op::reduce_scatter) == 2);
  CHECK(count(part, Op::all_reduce) == 4);  // the loss, the bias and two parts of the norm
  CHECK(count(part, Op::dynamic_slice) == 0);
}

TEST_CASE("a loop over layers gathers the weights of a layer in its turn, and keeps its part of their gradients") {
  const Graph whole = traced({f32({2, 4, 8}), f32({2, 8, 4}), f32({16, 4})}, [](const Arrays& in) {
    const auto loss = [&](const Arrays& layers) {
      const auto layer = [](const Array& x, const std::pair<Array, Array>& w) {
        const auto run = [](const Array& each, const Array& up, const Array& down) {
          return matmul(matmul(each, up), down);
        };
        return std::pair{checkpoint(run)(x, w.first, w.second) - x, sum(x)};
      };
      return sum(in[2] * scan(layer, in[2], std::pair{layers[0], layers[1]}).first);
    };
    const auto gradients = value_and_grad(loss)(Arrays{in[0], in[1]}).second;
    return Arrays{in[0] - gradients[0], in[1] - gradients[1]};
  });
  const Graph part = parted(whole, {{0, {1}}, {1, {1}}, {2, rows}});
  CHECK(part.result_types() == std::vector{f32({2, 1, 8}), f32({2, 2, 4})});
  std::int64_t most = largest(part);
  std::ptrdiff_t sums = count(part, Op::reduce_scatter), gathered = 0;
  for (const Node& node : part.nodes())
    if (node.op == Op::while_) {
      most = std::max(most, largest(node.regions[1]));
      sums += count(node.regions[1], Op::reduce_scatter);
      gathered += count(node.regions[1], Op::all_gather);
    }
  CHECK(most == 4 * 8);  // the weights of a layer; of all layers each device has no more than a quarter
  CHECK(gathered > 0);
  CHECK(sums > 0);
}

TEST_CASE("a table that is cut is gathered to look rows up in it, and what is added to them is summed by parts") {
  for (const std::int64_t dimension : {0, 1}) {
    const Graph whole = traced({f32({16, 4}), i32({8, 3})}, [](const Arrays& in) {
      const auto loss = [&](const Array& table) {
        const Array found = take(table, in[1]);
        return sum(found * found);
      };
      return Arrays{in[0] - value_and_grad(loss)(in[0]).second};
    });
    const Graph part = parted(whole, {{0, {dimension}}, {1, rows}});
    CHECK(count(part, Op::all_gather) == 1);
    CHECK(count(part, Op::reduce_scatter) == 1);
    CHECK(count(part, Op::all_reduce) + count(part, Op::dynamic_slice) == 0);
  }
}

TEST_CASE("what is spread is gathered before, and what a program makes in parts it makes so from the start") {
  const Graph biased = traced({f32({4}), f32({8, 16, 4})}, [](const Arrays& in) { return Arrays{in[0] + in[1]}; });
  CHECK(largest(parted(biased, {{0, {0}}, {1, rows}})) == 2 * 16 * 4);
  const Graph zeros =
      traced({f32({8, 4})}, [](const Arrays& in) { return Arrays{in[0] + 1.0F, broadcast_to(Array{2.0F}, {64, 64})}; });
  const Graph part = parted(zeros, {{0, rows}}, {{1, 1}});
  CHECK(part.result_types().back() == f32({64, 16}));
  CHECK(largest(part) == 64 * 16);
}

TEST_CASE("branches of a conditional keep parts of what is cut, and so do loops that go on from one another") {
  const auto within = [](const Graph& part, Op op) {
    std::ptrdiff_t all = count(part, op);
    for (const Node& node : part.nodes())
      for (const Graph& region : node.regions) all += count(region, op);
    return all;
  };
  const Graph skipped =
      parted(traced({f32({8, 4}), f32({16, 8}), f32({})},
                    [](const Arrays& in) {
                      const auto loss = [&](const Array& w) {
                        const Array y = matmul(in[1], w);
                        return sum(y * y);
                      };
                      const Array gradient = value_and_grad(loss)(in[0]).second;
                      return Arrays{cond(in[2] > 0, [&] { return in[0] - gradient; }, [&] { return in[0]; })};
                    }),
             {{0, {0}}, {1, rows}});
  CHECK(skipped.result_types() == std::vector{f32({2, 4})});
  CHECK(within(skipped, Op::all_gather) == 1);
  CHECK(within(skipped, Op::reduce_scatter) == 1);
  CHECK(within(skipped, Op::all_reduce) == 0);

  const Graph loops = parted(traced({f32({8, 4}), f32({16, 8}), f32({16, 4})},
                                    [](const Arrays& in) {
                                      const auto turn = [&](const Array&, const Array& total) {
                                        return total + matmul(transpose(in[1]), in[2]);
                                      };
                                      const Array once = fori_loop(0, 2, turn, zeros(f32({8, 4})));
                                      return Arrays{in[0] - fori_loop(0, 3, turn, once)};
                                    }),
                             {{0, {0}}, {1, rows}, {2, rows}});
  CHECK(within(loops, Op::all_reduce) == 0);
  CHECK(within(loops, Op::reduce_scatter) > 0);
}

TEST_CASE("rows that are picked by what does not count the examples may be of other devices") {
  const auto number = [](const std::string& from, const std::string& counted) {
    const std::string text =
        "module {\n  func.func @main(%x: tensor<" + from +
        "xf32>, %p: tensor<8xi1>, %label: tensor<8xi32>) -> tensor<8xf32> {\n"
        "    %zero = stablehlo.constant dense<0> : tensor<i32>\n"
        "    %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i32>) -> tensor<8xi32>\n"
        "    %eight = stablehlo.constant dense<8> : tensor<8xi32>\n"
        "    %i = stablehlo.iota dim = 0 : tensor<8xi32>\n"
        "    %less = stablehlo.compare LT, %i, %zeros : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>\n"
        "    %more = stablehlo.add %i, %eight : tensor<8xi32>\n"
        "    %c = " +
        counted + R"(
    %j = stablehlo.reshape %c : (tensor<8xi32>) -> tensor<8x1xi32>
    %l = stablehlo.reshape %label : (tensor<8xi32>) -> tensor<8x1xi32>
    %at = stablehlo.concatenate %j, %l, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
    %0 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<)" +
        from + R"(xf32>, tensor<8x2xi32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
)";
    try {
      tpu::one_part(read(text), {{0, rows}, {1, rows}, {2, rows}}, devices);
    } catch (const Error& error) {
      return error.number();
    }
    return 0;
  };
  const std::string wrapped = "stablehlo.select %less, %more, %i : tensor<8xi1>, tensor<8xi32>";
  CHECK(number("8x5", wrapped) == 0);
  CHECK(number("16x5", wrapped) == 410);
  CHECK(number("8x5", "stablehlo.select %p, %label, %i : tensor<8xi1>, tensor<8xi32>") == 410);
}

TEST_CASE("a call that is not known and not row by row takes all of what is cut") {
  const ProgramText whole = read_program(R"(module {
  func.func @main(%g: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = stablehlo.cholesky %g, lower = true : tensor<8x8xf32>
    %1 = stablehlo.add %0, %g : tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }
}
)");
  const Graph part = tpu::one_part(whole.graph, {{0, {0}}}, devices);
  CHECK(part.result_types() == std::vector{f32({2, 8})});
  REQUIRE(count(part, Op::all_gather) == 1);
  CHECK(part.nodes()[1].op == Op::custom_call);
  CHECK(part.type(part.nodes()[1].inputs[0]) == f32({8, 8}));
}

TEST_CASE("the product of two vectors is summed over devices, whether one or both are cut") {
  const Graph whole = traced({f32({8}), f32({8})}, [](const Arrays& in) {
    return Arrays{dot_general(in[0], in[1], {.lhs_contracting_dimensions = {0}, .rhs_contracting_dimensions = {0}})};
  });
  for (const auto& part : {parted(whole, {{0, {0}}, {1, {0}}}), parted(whole, {{0, rows}})})
    CHECK(count(part, Op::all_reduce) - count(part, Op::all_gather) == 1);
}

TEST_CASE("a result that is said to be whole is gathered, and what needs the examples of others is not judged") {
  const auto doubled = [](const Arrays& in) { return Arrays{in[0] + in[0]}; };
  const Graph part = parted(traced({f32({8, 4})}, doubled), {{0, rows}}, {{0, tpu::uncut}});
  CHECK(count(part, Op::all_gather) == 1);
  CHECK(part.result_types() == std::vector{f32({8, 4})});
  CHECK(parted(traced({f32({8, 4})}, doubled), {{0, rows}}, {{0, 0}}).result_types() == std::vector{f32({2, 4})});
  CHECK(parted(traced({f32({8, 4})}, doubled), {{0, rows}}, {{0, 1}}).result_types() == std::vector{f32({8, 1})});
  const auto number = [](const std::vector<TensorType>& types, Arrays (*function)(const Arrays&),
                         const std::map<std::size_t, std::int64_t>& wanted) {
    try {
      tpu::one_part(traced(types, function), {{0, rows}}, devices, wanted);
    } catch (const Error& error) {
      return error.number();
    }
    return 0;
  };
  CHECK(number({f32({8, 4})}, [](const Arrays& in) { return Arrays{sort(Arrays{in[0]}, 0)[0]}; }, {}) == 410);
  CHECK(number({f32({8, 4})}, [](const Arrays& in) { return Arrays{reshape(transpose(in[0]), {32})}; }, {}) == 410);
  CHECK(number({f32({0, 4})}, [](const Arrays& in) { return Arrays{reshape(in[0], {4, 0})}; }, {}) == 410);
  CHECK(number({f32({8, 4})}, [](const Arrays& in) { return Arrays{sum(in[0])}; }, {{0, 0}}) == 410);
}
