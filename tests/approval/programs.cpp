/// Messages about programs, as a user is shown them.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <string>
#include <utility>
#include <vector>
import octet;

#include "approved.hpp"

using namespace octet;
using Arrays = std::vector<Array>;

namespace {

const TensorType row{DType::f32, {2}}, longer{DType::f32, {3}}, matrix{DType::f32, {2, 3}}, scalar{DType::f32, {}},
    integers{DType::i32, {2}};

void refuse(int number, const std::vector<TensorType>& types, const std::function<Array(const Arrays&)>& function) {
  approve_refusal(number, [&] { trace([&](const Arrays& in) { return Arrays{function(in)}; }, types); });
}

}  // namespace

TEST_CASE("messages about branches and loops are the approved ones") {
  refuse(102, {row}, [](const Arrays& in) {
    return cond(all(in[0] > 0, {0}), [&] { return in[0] * 2.0f; }, [&] { return sum(in[0]); });
  });
  refuse(103, {row}, [](const Arrays& in) {
    return fori_loop(0, 3, [](const Array&, const Array& x) { return concatenate({x, x}, 0); }, in[0]);
  });
  refuse(104, {scalar}, [](const Arrays& in) {
    return grad([](const Array& x) {
      return while_loop([](const Array& y) { return y < 100.0f; }, [](const Array& y) { return y * 2.0f; }, x);
    })(in[0]);
  });
  approve_refusal(105, [] {
    const Graph graph = trace(
        [](const Arrays& in) {
          return Arrays{cond(in[0] > 0.0f, [&] { return all_reduce(in[0], {}); }, [&] { return in[0]; })};
        },
        std::vector<TensorType>{scalar});
    const std::vector<std::vector<Tensor>> replicas{{Tensor::scalar(1.0f)}, {Tensor::scalar(-1.0f)}};
    evaluate(graph, replicas);
  });
}

TEST_CASE("messages about bounds and buckets are the approved ones") {
  refuse(205, {row}, [](const Arrays& in) { return unique(in[0], {.size = -1}); });
  approve_refusal(301, [] { one_of({32, 64}).bucket(100); });
}

TEST_CASE("messages about shapes, element types and attributes are the approved ones") {
  refuse(401, {row, longer}, [](const Arrays& in) { return exp(in[0]) + in[1]; });
  refuse(402, {row, integers}, [](const Arrays& in) { return in[0] * in[1]; });
  refuse(403, {row}, [](const Arrays& in) { return in[0][7]; });
  refuse(406, {row}, [](const Arrays& in) { return in[0] + Array{}; });
}

TEST_CASE("messages about programs and their arguments are the approved ones") {
  approve_refusal(404, [] {
    Graph graph;
    graph.append(Op::add, {0, 1});
  });
  approve_refusal(405, [] {
    const Graph graph = trace([](const Arrays& in) { return Arrays{in[0] + 1.0f}; }, std::vector<TensorType>{row});
    evaluate(graph, std::vector<Tensor>{Tensor{DType::f32, {3}}});
  });
  approve_refusal(407, [] { read("func.func @main( {", "model.mlir"); });
  approve_refusal(408, [] { Tensor{DType::f32, Shape{std::int64_t{1} << 40, std::int64_t{1} << 40}}; });
}

TEST_CASE("messages about replicas and slices are the approved ones") {
  approve_refusal(601, [] {
    auto step = tpu::replicate([](Array x) { return sum(x); }, tpu::slice("v3-8"));
    step(Tensor{DType::f32, {12}});
  });
  approve_refusal(602, [] {
    const std::vector<Tensor> one{Tensor::scalar(1.0f)}, other{Tensor::scalar(1.5f)};
    tpu::require_equal({"model.bias"}, {&one, &one, &other});
  });
  approve_refusal(603, [] {
    const Graph graph =
        trace([](const Arrays& in) { return Arrays{all_reduce(in[0], {{0, 0}})}; }, std::vector<TensorType>{scalar});
    const std::vector<std::vector<Tensor>> replicas{{Tensor::scalar(1.0f)}, {Tensor::scalar(-1.0f)}};
    evaluate(graph, replicas);
  });
  approve_refusal(604, [] { tpu::slice("v3-7"); });
  approve_refusal(605, [] { tpu::require_simulated(tpu::slice("v3-2048")); });
  const auto feed_from_node = [](tpu::DataPlace place, bool calls_back, const char* slice) {
    tpu::FeedOptions options;
    options.data = {.place = place, .host = tpu::HostKind::node, .calls_back = calls_back};
    tpu::feed(options, tpu::slice(slice), 256);
  };
  approve_refusal(606, [&] { feed_from_node(tpu::DataPlace::disk, false, "v3-32"); });
  approve_refusal(607, [&] { feed_from_node(tpu::DataPlace::bucket, true, "v3-32"); });
  approve_refusal(610, [&] { feed_from_node(tpu::DataPlace::bucket, false, "v4-8"); });
}

TEST_CASE("the message about what Octet does not know is the approved one") {
  const auto* text = R"(func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.popcnt %x : tensor<4xi32>
  return %0 : tensor<4xi32>
})";
  approve_refusal(410, [&] { read(text, "model.mlir"); });
}
