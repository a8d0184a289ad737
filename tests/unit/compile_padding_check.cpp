// check_padding: planted leaks are caught and named, and functions that mind their padding pass.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;

#include "refusal.hpp"

using namespace octet;

namespace {

/// Numbers without a pattern.
Tensor numbers(Shape shape) {
  Tensor tensor{DType::f32, std::move(shape)};
  std::uint64_t counter = 0;
  for (float& x : tensor.mutable_span<float>()) x = normal(Key::of_seed(9), counter++);
  return tensor;
}

constexpr std::int64_t batch = 2, seq = 5, hidden = 3;
Tensor data() { return numbers({batch, seq, hidden}); }
/// The second row is one token shorter: [batch, seq].
Tensor mask() {
  Tensor tensor = Tensor::full<float>({batch, seq}, 1);
  tensor.mutable_span<float>()[2 * seq - 1] = 0;
  return tensor;
}

/// x [batch, seq, hidden], mask [batch, seq].
using Model = std::function<Array(const Array& x, const Array& mask)>;

PaddingReport checked(const Model& model, std::int64_t n = 8) {
  return check_padding(
      [&](const Array& x, const Array& keep) { return model(x, keep); },
      {.buckets = {{"x", 1, multiple_of(n)}, {"mask", 1, multiple_of(n)}}, .argument_names = {"x", "mask"}}, data(),
      mask());
}

unsigned line_here(std::source_location where = std::source_location::current()) { return where.line(); }

Array spread(const Array& keep, const Array& like) { return broadcast_in_dim(keep, like.shape(), {0, 1}); }

/// Self-attention of one head; scores are weighed by `bias` [batch, seq].
Array attention(const Array& x, const Array& bias) {
  DotAttributes over_hidden;
  over_hidden.lhs_batching_dimensions = over_hidden.rhs_batching_dimensions = {0};
  over_hidden.lhs_contracting_dimensions = over_hidden.rhs_contracting_dimensions = {2};
  const Array scores = dot_general(x, x, over_hidden);
  DotAttributes over_keys;
  over_keys.lhs_batching_dimensions = over_keys.rhs_batching_dimensions = {0};
  over_keys.lhs_contracting_dimensions = {2};
  over_keys.rhs_contracting_dimensions = {1};
  return dot_general(softmax(scores + broadcast_in_dim(bias, scores.shape(), {0, 2})), x, over_keys);
}

Array masked_mean(const Array& x, const Array& keep) {
  return sum(x * spread(keep, x), {1}) / broadcast_in_dim(sum(keep, {1}), Shape{batch, hidden}, {0});
}

}  // namespace

TEST_CASE("functions that mind their padding pass") {
  const std::vector<Model> right{
      masked_mean,
      [](const Array& x, const Array&) { return x * 2 + 1; },  // keeps the padded dimension
      [](const Array& x, const Array& keep) { return attention(x, (1.0 - keep) * -1e9); },
      [](const Array& x, const Array& keep) {
        return masked_mean(attention(attention(x, (1.0 - keep) * -1e9), (1.0 - keep) * -1e9), keep);
      },
      [](const Array& x, const Array&) { return reshape(x, {x.extent(0) * x.extent(1), hidden}); },  // merges it
      [](const Array& x, const Array&) { return reshape(transpose(x, {0, 2, 1}), {batch, hidden * x.extent(1)}); },
      [](const Array& x, const Array&) { return concatenate({x, x}, 1); },
      [](const Array& x, const Array&) { return reverse(reverse(x, {1}) * 3, {1}); },  // there and back
      [](const Array& x, const Array& keep) { return max(select(spread(keep, x) > 0, x, full(x.type(), -1e9)), {1}); },
      [](const Array& x, const Array&) { return sum(x); },  // 0 changes no sum
      [](const Array& x, const Array&) { return slice_in_dim(x, 0, 1, 1); },
      [](const Array& x, const Array& keep) {  // the gradient of a masked loss
        return grad([&](const Array& y) { return sum(square(masked_mean(attention(y, (1.0 - keep) * -1e9), keep))); })(
            x);
      },
      [](const Array& x, const Array&) { return x / (x - x); },  // NaN stays NaN
  };
  for (std::size_t i = 0; i < right.size(); ++i) {
    INFO(i);
    const PaddingReport report = checked(right[i]);
    INFO(report.text());
    CHECK(report.holds());
    CHECK(report.faults.empty());
    CHECK(report.results == 1);
    report.require();
  }
  CHECK(checked(right[0]).text() ==
        "Padding changes nothing: 1 result is the same with dimension 1 of x from 5 to 8, dimension 1 of mask from 5 "
        "to 8");
}

TEST_CASE("planted leaks are caught, with the line of the first operation whose real part differs") {
  struct Planted {
    const char* what;
    Model model;
    unsigned line;
    const char* operation;
    const char* fix;
  };
  const std::vector<Planted> planted{
      {"mean over padding", [](const Array& x, const Array&) { return mean(x, {1}); }, line_here(), "", "sum(mask)"},
      {"a mean that weighs, and divides by all",
       [](const Array& x, const Array& keep) { return mean(x * spread(keep, x), {1}); }, line_here(), "", "sum(mask)"},
      {"softmax without a mask", [](const Array& x, const Array&) { return softmax(x, 1); }, line_here(), "reduce",
       "softmax"},
      {"the maximum of padding", [](const Array& x, const Array&) { return max(x - 100.0, {1}); }, line_here(),
       "reduce", "select"},
      {"a reversed position",
       [](const Array& x, const Array&) {
         const Array back = reverse(x, {1});
         return x + back;
       },
       line_here() - 3, "reverse", "count positions"},
      {"the last position",
       [](const Array& x, const Array&) { return slice_in_dim(x, x.extent(1) - 1, x.extent(1), 1); }, line_here(),
       "slice", "count positions"},
      {"the sum of a constant over all", [](const Array& x, const Array&) { return sum(x + 1); }, line_here(), "reduce",
       "mask"},
      {"batch statistics",
       [](const Array& x, const Array&) {
         const Array centred = x - mean(x, {0, 1}, true);
         return centred * rsqrt(mean(square(centred), {0, 1}, true) + 1e-6);
       },
       line_here() - 3, "", "sum(mask)"},
      {"a sum from the end",
       [](const Array& x, const Array&) {
         Array total = zeros(x.type());
         total = concatenate({slice_in_dim(x, 1, x.extent(1), 1), slice_in_dim(x, 0, 1, 1)}, 1);
         return x + total;
       },
       line_here() - 3, "", "position"},
      {"positions counted from the end",
       [](const Array& x, const Array&) {
         const Array from_end = static_cast<float>(x.extent(1)) - iota(x.type(), 1);
         return x * from_end;
       },
       line_here() - 3, "", ""},
  };
  for (const Planted& each : planted) {
    INFO(each.what);
    const PaddingReport report = checked(each.model);
    REQUIRE_FALSE(report.holds());
    REQUIRE(report.faults.size() == 1);
    const Diagnostic& fault = report.faults.front();
    INFO(fault.text());
    CHECK(fault.number == 305);
    CHECK(fault.sentence.starts_with("Padding changes 'result'"));
    CHECK(fault.where.line == each.line);
    CHECK(fault.sentence.find(each.operation) != std::string::npos);
    CHECK(fault.fix.at(0).find(each.fix) != std::string::npos);
    CHECK_FALSE(fault.rule.empty());
    try {
      report.require();
      FAIL("not refused");
    } catch (const Error& error) {
      CHECK(error.number() == 305);
    }
  }
}

TEST_CASE("a forgotten attention mask is found below layers that are right") {
  unsigned line = 0;
  const PaddingReport report = checked([&](const Array& x, const Array& keep) {
    const Array first = attention(x, (1.0 - keep) * -1e9);
    line = line_here() + 1;
    const Array weights = softmax(matmul(first, matrix_transpose(first)));
    return masked_mean(attention(matmul(weights, first), (1.0 - keep) * -1e9), keep);
  });
  REQUIRE(report.faults.size() == 1);
  CHECK(report.faults[0].where.line == line);
  CHECK(report.faults[0].fix.at(0).find("-1e9") != std::string::npos);
}

TEST_CASE("a small leak is not taken for rounding") {
  // A mask that is not strong enough: what leaks is a thousandth.
  CHECK_FALSE(checked([](const Array& x, const Array& keep) { return attention(x, (1.0 - keep) * -4.0); }).holds());
}

TEST_CASE("results are told apart by name, and integers are compared exactly") {
  const auto f = [](const Array& x) {
    return std::pair{x + 1, std::vector<Array>{sum(x), cast<std::int32_t>(sum(full(x.type(), 1)))}};
  };
  const PaddingReport report =
      check_padding(f, {.buckets = {{"x", 0, max_length(8)}}, .argument_names = {"x"}, .name = "f"}, numbers({5}));
  REQUIRE(report.differences.size() == 1);
  CHECK(report.results == 3);
  CHECK(report.differences[0].result == "result.1.1");
  CHECK(report.differences[0].own == 5);
  CHECK(report.differences[0].padded == 8);
  // 2^53 + 3, which f64 does not hold: it rounds to 2^53 + 4.
  const auto counted = [](const Array& x, const Array& n) { return n + cast<std::int64_t>(sum(full(x.type(), 1))); };
  CHECK_FALSE(check_padding(counted, {.buckets = {{"x", 0, max_length(2)}}, .argument_names = {"x"}}, numbers({1}),
                            Tensor::scalar((std::int64_t{1} << 53) + 2))
                  .holds());
}

TEST_CASE("a function that is another program at another length is named where they part") {
  unsigned line = 0;
  const PaddingReport report = checked([&](const Array& x, const Array&) {
    Array total = slice_in_dim(x, 0, 1, 1);
    for (std::int64_t i = 1; i < x.extent(1); ++i) {
      line = line_here() + 1;
      total = total * 0.5 + slice_in_dim(x, i, i + 1, 1);
    }
    return total;
  });
  REQUIRE(report.faults.size() == 1);
  CHECK(report.faults[0].where.line == line);
  CHECK(report.faults[0].sentence.find("another program") != std::string::npos);
  // One that gives the same all the same is no fault.
  CHECK(checked([](const Array& x, const Array&) {
          Array total = slice_in_dim(x, 0, 1, 1);
          for (std::int64_t i = 1; i < x.extent(1); ++i) total = total + slice_in_dim(x, i, i + 1, 1);
          return total;
        }).holds());
}

TEST_CASE("a leak is found however small, where the operation would have given the same bits without it") {
  // exp(-14) is 8e-7 of what is real: within the tolerance, and a weight of padding all the same.
  const auto biased = [](double bias) {
    return checked([=](const Array& x, const Array& keep) { return attention(x, (1.0 - keep) * bias); });
  };
  CHECK(biased(-1e9).holds());
  const PaddingReport report = biased(-14);
  REQUIRE(report.faults.size() == 1);
  INFO(report.text());
  CHECK(report.faults[0].number == 305);
  CHECK(std::abs(report.differences.at(0).own - report.differences.at(0).padded) < 1e-5);
  CHECK(report.faults[0].fix.at(0).find("out of the softmax") != std::string::npos);
}

TEST_CASE("another order of additions is no leak") {
  const auto check = [](const Model& model) {
    const PaddingReport report = checked(model, 64);
    INFO(report.text());
    CHECK(report.holds());
  };
  check([](const Array& x, const Array& keep) { return sum(x * spread(keep, x)); });
  check([](const Array& x, const Array& keep) { return sum(x * spread(keep, x), {0, 1}) / sum(keep); });
  check([](const Array& x, const Array& keep) {
    const Array rows = transpose(x * spread(keep, x), {1, 0, 2});
    return sum(exp(sum(rows, {0, 2})) / sum(square(rows)));
  });
}

TEST_CASE("batch and sequence may be padded together") {
  const auto check = [](const std::function<Array(const Array&)>& model) {
    return check_padding([&](const Array& x) { return model(x); },
                         {.buckets = {{"x", 0, max_length(4)}, {"x", 1, max_length(7)}}, .argument_names = {"x"}},
                         numbers({3, 5, 2}));
  };
  CHECK(check([](const Array& x) { return reshape(x, {x.extent(0) * x.extent(1), 2}); }).holds());
  CHECK(check([](const Array& x) { return reshape(x, {x.extent(0) * x.extent(1) * 2}); }).holds());
  CHECK_FALSE(check([](const Array& x) {
                return reshape(transpose(x, {1, 0, 2}), {x.extent(0) * x.extent(1), 2}) - mean(x);
              }).holds());
}

TEST_CASE("what is advised and what is shown is about the value that differs") {
  const PaddingReport exponentials = checked([](const Array& x, const Array&) { return sum(exp(x * 0.1)); });
  CHECK(exponentials.faults.at(0).fix.at(0).starts_with("weigh padding by 0"));
  const PaddingReport average = checked([](const Array& x, const Array&) { return sum(exp(x * 0.1)) / 2.0; });
  CHECK(average.faults.at(0).fix.at(0).starts_with("weigh padding by 0"));
  const PaddingReport loop = check_padding(
      [](const Array& x) {
        return fori_loop(0, 3, [&](const Array&, const Array& state) { return state + mean(x); }, Array{0.0});
      },
      {.buckets = {{"x", 0, multiple_of(8)}}, .argument_names = {"x"}}, numbers({6}));
  const Diagnostic& fault = loop.faults.at(0);
  INFO(fault.sentence);
  CHECK(fault.sentence.find("i32[]") == std::string::npos);  // the number of the turn, which is the same
}

TEST_CASE("padding that is not finite is to be replaced, not weighed") {
  const auto fix = [](double fill, const std::function<Array(const Array&)>& model) {
    const PaddingReport report =
        check_padding([&](const Array& x) { return model(x); },
                      {.buckets = {{.argument = "x", .dimension = 0, .policy = multiple_of(8), .fill = fill}},
                       .argument_names = {"x"}},
                      numbers({6}));
    return report.holds() ? "" : report.faults.at(0).fix.at(0);
  };
  const auto weighed = [](const Array& x) { return sum(x * cast<float>(iota({DType::i32, x.shape()}, 0) < 6)); };
  const auto selected = [](const Array& x) { return sum(select(iota({DType::i32, x.shape()}, 0) < 6, x, 0)); };
  for (const double fill : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    CHECK(fix(fill, weighed).starts_with("fill the padding with a finite number"));
    CHECK(fix(fill, selected).empty());
  }
  CHECK(fix(3, weighed).empty());
  CHECK(fix(3, [](const Array& x) { return sum(x); }).starts_with("weigh padding by 0"));
}

TEST_CASE("a check that would compare nothing is refused") {
  CHECK(number_of([] { (void)checked(masked_mean, seq); }) == 709);
  CHECK(number_of([] { (void)check_padding([](const Array& x) { return x; }, {}, numbers({5})); }) == 709);
}

TEST_CASE("a compiled function checks its own buckets") {
  const auto f = jit([](const Array& x) { return mean(x); },
                     {.buckets = {{"x", 0, multiple_of(4)}}, .argument_names = {"x"}, .name = "average"});
  CHECK(f.check_padding(numbers({5})).faults.at(0).number == 305);
  CHECK(f.statistics().misses == 0);
}
