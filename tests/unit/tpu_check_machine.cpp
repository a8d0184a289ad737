// The readiness check: memory, the matrix unit, precision, time and input.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
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

const tpu::Slice eight = tpu::slice("v3-8");

using Arrays = std::vector<Array>;

Readiness checked(const std::function<Arrays(const Arrays&)>& function, const std::vector<TensorType>& types,
                  CheckOptions options = {}) {
  if (options.batch.empty()) options.batch = {"arg0"};
  return check(trace(function, types), eight, options);
}

}  // namespace

TEST_CASE("ten rows cost what sixteen cost, and the dimension to change is named") {
  const auto product = [](std::int64_t m, std::int64_t k, std::int64_t n) {
    return checked([](const Arrays& in) { return Arrays{matmul(in[0], in[1])}; },
                   {{DType::f32, {m, k}}, {DType::f32, {k, n}}})
        .line("matrix_unit");
  };
  const CheckLine ten = product(10, 128, 128);
  CHECK(ten.verdict == Verdict::warn);
  CHECK(ten.number() == 502);
  CHECK(mentions(ten, "m = 10 costs what 16 would"));
  CHECK(mentions(ten, "make m = 16: 6 more for the same work of the matrix unit; or 8"));
  CHECK(figure(ten, "padding_seconds") == 0);
  CHECK(mentions(ten, "which takes no time as long as memory is what bounds these products"));
  CHECK(mentions(product(8192, 300, 8192), " of a step's "));
  CHECK(product(16, 128, 128).verdict == Verdict::pass);
  CHECK(figure(product(16, 128, 128), "matrix_use") == 1);
  CHECK(mentions(product(512, 64, 512), "k = 64 costs what 128 would"));
  CHECK(mentions(product(512, 128, 3), "n = 3 costs what 8 would"));
  CHECK(
      checked([](const Arrays& in) { return Arrays{in[0] + 1.0}; }, {{DType::f32, {8}}}).line("matrix_unit").verdict ==
      Verdict::warn);
}

TEST_CASE("a program that does not fit is refused with the largest batch that does, and with what donating saves") {
  struct Model {
    Array weight;
  };
  const auto step = [](const Model& model, const Array& x) {
    const Array gradient = grad([&](const Model& m) { return sum(square(tanh(matmul(x, m.weight)))); })(model).weight;
    return Model{model.weight - all_reduce(gradient, eight.all()) * 0.1};
  };
  const auto report = [&](std::int64_t batch) {
    CheckOptions options;
    options.jit.argument_names = {"model", "x"};
    options.jit.donated = {"model"};
    const Model model{parameter({DType::f32, {4096, 4096}}, "")};
    return check(step, std::tuple{tpu::replicated(model, 8), parameter({DType::f32, {batch, 4096}}, "")}, eight,
                 options)
        .line("memory");
  };
  const CheckLine fits = report(8 * 1024);
  CHECK(fits.verdict == Verdict::pass);
  const double most = figure(fits, "largest_batch_per_replica");
  CHECK(most > 100'000);
  const double kept = figure(fits, "largest_batch_without_recomputing_per_replica");
  CHECK(kept > 50'000);
  CHECK(kept <= most);
  for (const std::int64_t batch :
       std::vector<std::int64_t>{8 * 16, 8 * 3000, 16 * static_cast<std::int64_t>(most)}) {  // whatever is asked about
    CHECK(figure(report(batch), "largest_batch_per_replica") == most);
    CHECK(figure(report(batch), "largest_batch_without_recomputing_per_replica") == kept);
  }
  const auto needed = [&](double batch) {
    return figure(report(8 * static_cast<std::int64_t>(batch)), "needed_bytes");
  };
  CHECK(needed(kept) <= figure(fits, "capacity_bytes"));
  CHECK(needed(kept + 1) > figure(fits, "capacity_bytes"));
  CHECK(report(8 * static_cast<std::int64_t>(most)).verdict != Verdict::fail);
  const CheckLine too_many = report(16 * static_cast<std::int64_t>(most));
  CHECK(too_many.verdict == Verdict::fail);
  CHECK(too_many.number() == 501);
  CHECK(too_many.cure.front().starts_with("take at most"));
  const auto number_after = [](const std::string& text, const std::string& words) {
    std::string digits;
    for (std::size_t at = text.find(words) + words.size(); text[at] != ' '; ++at)
      if (text[at] != ',') digits += text[at];
    return std::stoll(digits);
  };
  const std::int64_t each = number_after(too_many.cure.front(), "take at most "),
                     parts = number_after(too_many.cure.front(), "add up the gradients of "),
                     examples = 2 * static_cast<std::int64_t>(most);
  INFO(too_many.cure.front());
  CHECK(examples % parts == 0);
  CHECK(examples / parts <= each);
  const CheckLine far = report(800 * static_cast<std::int64_t>(most));  // beyond all chips
  CHECK(far.cure[1] == "give each replica a smaller part of the model: no chip that is known holds it");
  CHECK(far.cure.back().starts_with("store activations in bf16: "));
  CHECK(far.cure.back().ends_with(", still too much"));

  const auto alone = [](const Model& model, const Array& x) {  // 4.3 GB of weights, as much of gradients
    return Model{model.weight -
                 grad([&](const Model& m) { return sum(square(tanh(matmul(x, m.weight)))); })(model).weight * 0.1};
  };
  const auto memory = [&](std::vector<std::string> donated) {
    CheckOptions options;
    options.jit.argument_names = {"model", "x"};
    options.jit.donated = std::move(donated);
    const Model model{parameter({DType::f32, {32768, 32768}}, "")};
    return check(alone, std::tuple{tpu::replicated(model, 8), parameter({DType::f32, {8, 32768}}, "")}, eight, options)
        .line("memory");
  };
  const CheckLine held = memory({"model"}), twice = memory({});
  CHECK(figure(twice, "needed_bytes") > figure(held, "needed_bytes") + 3e9);
  CHECK(mentions(twice, "donate 'model'"));
}

TEST_CASE("what is recomputed for lack of memory is part of a step's time, and of what the input may take") {
  struct Model {
    Array weight;
  };
  const auto step = [](const Model& model, const Array& x) {
    const Array gradient =
        grad([&](const Model& m) {
          return sum(square(tanh(tanh(tanh(tanh(matmul(tanh(tanh(matmul(x, m.weight))), m.weight)))))));
        })(model)
            .weight;
    return Model{model.weight - all_reduce(gradient, eight.all()) * 0.1};
  };
  const auto report = [&](std::int64_t batch) {
    CheckOptions options;
    options.jit.argument_names = {"model", "x"};
    options.jit.donated = {"model"};
    const Model model{parameter({DType::f32, {4096, 4096}}, "")};
    return check(step, std::tuple{tpu::replicated(model, 8), parameter({DType::f32, {batch, 4096}}, "")}, eight,
                 options);
  };
  const CheckLine memory = report(8 * 1024).line("memory");
  const auto most = static_cast<std::int64_t>(figure(memory, "largest_batch_per_replica"));
  REQUIRE(most > static_cast<std::int64_t>(figure(memory, "largest_batch_without_recomputing_per_replica")));
  const Readiness tight = report(8 * most);
  const double again = figure(tight.line("time"), "recompute_seconds"),
               whole = figure(tight.line("time"), "step_seconds");
  CHECK(again > 0);
  CHECK(figure(tight.line("input"), "step_seconds") == whole);
  CHECK(mentions(tight.line("time"), "computing dropped activations again takes"));
  CHECK(mentions(tight.line("memory"), "computed again, which adds"));
  CHECK(mentions(tight.line("memory"), " to a step of "));
  // Nobody but the program does that.
  const std::vector<std::string> cures = tight.line("memory").cure;
  REQUIRE(cures.size() > 1);
  CHECK(cures[0].find("jax.checkpoint in JAX, tf.recompute_grad in TensorFlow") != std::string::npos);
  CHECK(cures[1].starts_with("take at most "));
  CHECK(!mentions(report(8 * 1024).line("memory"), "jax.checkpoint"));
  CHECK(figure(report(8 * 1024).line("time"), "recompute_seconds") == -1);
}

TEST_CASE("of chips with more memory, the smallest that hold a program are named, and so is what does not suffice") {
  const auto weights = [](std::int64_t rows, const tpu::Slice& slice) {
    CheckOptions options;
    options.batch = {"arg0"};
    const TensorType type{DType::f32, {rows, 1024, 1024}};
    return check(trace([](const Arrays& in) { return Arrays{in[0] * 2.0, in[1]}; }, {{DType::f32, {8}}, type}), slice,
                 options)
        .line("memory");
  };
  const auto rents = [](const CheckLine& line, const std::string& words) {
    return line.verdict == Verdict::fail && std::ranges::count_if(line.cure, [&](const std::string& cure) {
                                              return cure.starts_with("rent " + words);
                                            }) == 1;
  };
  CHECK(rents(weights(2048, tpu::slice("v2-8")), "v3-8, where a program may use 16.6 GB"));
  CHECK(rents(weights(4096, tpu::slice("v2-32")), "v6e-32, where a program may use 33.6 GB"));
  CHECK(rents(weights(8192, tpu::slice("v3-8")), "v5p-8, where a program may use 51.4 GB"));
  const std::string joined = " with one replica on each chip (octet check --megacore), where a program may use 103 GB";
  CHECK(rents(weights(8192, tpu::megacore(tpu::slice("v4-8"))), "v5p-8" + joined));
  CHECK(rents(weights(16384, eight), "v5p-16" + joined));  // of cores that are devices of their own, none holds it
  CHECK(mentions(weights(32768, eight), "no chip that is known holds it"));
  // What is hardly too much has the digits that say so.
  const double room = figure(weights(1, eight), "capacity_bytes");
  const CheckLine hardly = weights(static_cast<std::int64_t>(room / (4 * 1024 * 1024)) + 1, eight);
  REQUIRE(hardly.number() == 501);
  INFO(hardly.finding);
  CHECK(hardly.finding.find(" 16.6 GB") == std::string::npos);
  CHECK(hardly.finding.find("may use 16.6") != std::string::npos);
}

TEST_CASE("bits of dropout that follow from a counter are told to be made again") {
  const auto memory = [](bool drops) {
    return checked(
               [&](const Arrays& in) {
                 return Arrays{drops ? in[0] * cast<float>(bitcast(in[0], DType::u32) >= 7) : in[0] * 2.0};
               },
               {{DType::f32, {64, 64}}})
        .line("memory");
  };
  CHECK(mentions(memory(true), "random bits are taken to follow from a counter or a key"));
  CHECK(!mentions(memory(false), "random bits"));
}

TEST_CASE("what products lose in bf16 is said, and that activations in bf16 are rounded, too") {
  const auto finding = [](DType activations) {
    CheckOptions options;
    options.activations = activations;
    return checked([](const Arrays& in) { return Arrays{tanh(matmul(in[0], in[0]))}; }, {{DType::f32, {8, 8}}}, options)
        .line("precision")
        .finding;
  };
  CHECK(finding(DType::f32) == "Products round their operands to bf16 and add up in f32; nothing else is lost.");
  CHECK(finding(DType::bf16) ==
        "Operands and activations round to bf16, and products add up in f32; nothing else is lost.");
}

TEST_CASE("element types that a TPU has not, and numbers that bf16 cannot hold, are named") {
  const auto precision = [](const std::function<Arrays(const Arrays&)>& function, const std::vector<TensorType>& types,
                            CheckOptions options = {}) {
    options.activations = DType::bf16;
    return checked(function, types, options).line("precision");
  };
  CHECK(precision([](const Arrays& in) { return Arrays{in[0] * 2.0}; }, {{DType::f32, {8}}}).verdict == Verdict::pass);
  CHECK(mentions(precision([](const Arrays& in) { return Arrays{cast<double>(in[0])}; }, {{DType::f32, {8}}}), "f64"));
  CHECK(mentions(precision([](const Arrays&) { return Arrays{cast<bfloat16>(iota({DType::i32, {1000}}, 0))}; },
                           {{DType::f32, {8}}}),
                 "Whole numbers up to 999 become bf16"));
  CHECK(
      precision([](const Arrays&) { return Arrays{cast<bfloat16>(iota({DType::i32, {200}}, 0))}; }, {{DType::f32, {8}}})
          .verdict == Verdict::pass);
  CHECK(mentions(
      precision([](const Arrays&) { return Arrays{cast<bfloat16>(iota({DType::i32, {1000}}, 0) + (1 << 30))}; },
                {{DType::f32, {8}}}),
      "Whole numbers up to 1,073,742,823 become bf16"));
  CHECK(precision([](const Arrays& in) { return Arrays{cast<bfloat16>(in[0] >= 0)}; }, {{DType::i32, {8}}}).verdict ==
        Verdict::pass);
  for (const float hidden : {-10000.0F, -2.38197633e38F})
    CHECK(precision(
              [&](const Arrays& in) {
                return Arrays{cast<bfloat16>(select(in[0] == 0, hidden, zeros({DType::f32, {8}})))};
              },
              {{DType::i32, {8}}})
              .verdict == Verdict::pass);
  // Of a table bf16 holds what it holds: a mask's scores, and powers of two, but not neighbours above 256.
  const auto table = [&](float first, float second) {
    return precision(
               [&](const Arrays&) { return Arrays{cast<bfloat16>(constant(Tensor::of<float>({2}, {first, second})))}; },
               {{DType::f32, {8}}})
        .verdict;
  };
  CHECK(table(0, -std::numeric_limits<float>::infinity()) == Verdict::pass);
  CHECK(table(0, -1e9F) == Verdict::pass);
  CHECK(table(512, 1024) == Verdict::pass);
  CHECK(table(1001, 1003) == Verdict::warn);
  CHECK(mentions(precision([](const Arrays& in) { return Arrays{rsqrt(in[0] + 1e-12)}; }, {{DType::bf16, {8}}}),
                 "vanishes beside"));
  CHECK(precision([](const Arrays& in) { return Arrays{rsqrt(in[0] + 1e-12)}; }, {{DType::f32, {8}}}).verdict ==
        Verdict::pass);
  CHECK(mentions(precision([](const Arrays& in) { return Arrays{in[1] - in[1] * 0.001}; },
                           {{DType::f32, {8}}, {DType::bf16, {8}}}),
                 "'arg1' is updated in bf16"));
  const auto stepped = [](const Arrays& in) { return in[1] - in[1] * 0.001; };
  CHECK(mentions(precision(
                     [&](const Arrays& in) {
                       return Arrays{reshape(cast<float>(cast<bfloat16>(reshape(stepped(in), {8}))), {2, 4})};
                     },
                     {{DType::f32, {8}}, {DType::f32, {2, 4}}}),
                 "'arg1' is updated in bf16"));
  CHECK(precision([&](const Arrays& in) { return Arrays{stepped(in), cast<bfloat16>(stepped(in))}; },
                  {{DType::f32, {8}}, {DType::f32, {2, 4}}})
            .verdict == Verdict::pass);
  CheckOptions full;
  full.jit.compile.precision = Precision::f32;
  CHECK(mentions(precision([](const Arrays& in) { return Arrays{in[0]}; }, {{DType::f32, {8}}}, full), "six passes"));
}

TEST_CASE("ids that are seen to be large are not to become bf16, small ones may") {
  const auto with_ids = [](std::int32_t largest) {
    Tensor ids{DType::i32, {8}};
    ids.mutable_span<std::int32_t>()[3] = largest;
    return check([](const Array& x) { return cast<bfloat16>(x) * 2.0; }, std::tuple{ids}, eight).line("precision");
  };
  CHECK(mentions(with_ids(30000), "up to 30,000"));
  CHECK(with_ids(1).verdict == Verdict::pass);
}

TEST_CASE("f32 precision takes six times the matrix unit's time") {
  const auto seconds = [](Precision precision) {
    CheckOptions options;
    options.jit.compile.precision = precision;
    return figure(checked([](const Arrays& in) { return Arrays{matmul(in[0], in[1])}; },
                          {{DType::f32, {8192, 8192}}, {DType::f32, {8192, 8192}}}, options)
                      .line("time"),
                  "step_seconds");
  };
  CHECK(seconds(Precision::f32) > 5.5 * seconds(Precision::bf16));
}

TEST_CASE("small operations are told to be too small, and a loop of unknown length is not judged") {
  const auto time = [](const std::function<Arrays(const Arrays&)>& function, std::int64_t n) {
    return checked(function, {{DType::f32, {n, n}}}).line("time");
  };
  CHECK(time([](const Arrays& in) { return Arrays{matmul(in[0], in[0])}; }, 8).verdict == Verdict::warn);
  CHECK(time([](const Arrays& in) { return Arrays{matmul(in[0], in[0])}; }, 4096).verdict == Verdict::pass);
  const CheckLine loop = time(
      [](const Arrays& in) {
        return Arrays{
            while_loop([](const Array& x) { return sum(x) < 100.0; }, [](const Array& x) { return x * 2.0; }, in[0])};
      },
      64);
  CHECK(loop.verdict == Verdict::not_judged);
  CHECK(mentions(loop, "as often as its data say"));
}

TEST_CASE("a loop that counts by nothing never ends, and that is said") {
  const auto counted_by = [](const std::string& step) {
    const Graph graph = trace(
        [](const Arrays& in) {
          return Arrays{fori_loop(0, 7, [](const Array&, const Array& x) { return matmul(x, x); }, in[0])};
        },
        {{DType::f32, {64, 64}}});
    std::string text = to_string(graph);
    const std::string one = "dense<1> : tensor<i32>";
    REQUIRE(text.find(one) != text.npos);
    text.replace(text.find(one), one.size(), "dense<" + step + "> : tensor<i32>");
    return check_stablehlo(text, "loop.mlir", eight).line("time");
  };
  CHECK(counted_by("1").verdict != Verdict::fail);
  CHECK(counted_by("0").verdict == Verdict::fail);
  CHECK(mentions(counted_by("0"), "A loop never ends"));
}

TEST_CASE("a loop whose condition is always met never ends either") {
  const auto repeated_while = [](const std::string& condition) {
    const std::string x = "tensor<64x64xf32>";
    return check_stablehlo("module {\n  func.func @main(%x: " + x + ") -> " + x +
                               " {\n    %0 = stablehlo.while(%a = %x) : " + x +
                               "\n    cond {\n      %more = stablehlo.constant dense<" + condition +
                               "> : tensor<i1>\n      stablehlo.return %more : tensor<i1>\n    } do {\n      %y = "
                               "stablehlo.dot_general %a, " +
                               "%a, contracting_dims = [1] x [0] : (" + x + ", " + x + ") -> " + x +
                               "\n      stablehlo.return %y : " + x + "\n    }\n    return %0 : " + x + "\n  }\n}\n",
                           "loop.mlir", eight)
        .line("time");
  };
  CHECK(mentions(repeated_while("true"), "A loop never ends"));
  CHECK(repeated_while("true").verdict == Verdict::fail);
  CHECK_FALSE(mentions(repeated_while("false"), "A loop"));
}

TEST_CASE("a loop takes as many rounds wherever its counter stands among what it carries") {
  const auto seconds = [](bool first) {
    const std::string x = "tensor<64x64xf32>", i = "tensor<i32>", types = first ? i + ", " + x : x + ", " + i;
    const std::string text =
        "\xEF\xBB\xBFmodule {\n  func.func @main(%x: " + x + ") -> " + x +
        " {\n    %c = stablehlo.constant dense<0> : tensor<i32>\n    %0:2 = stablehlo.while(" +
        (first ? "%i = %c, %a = %x" : "%a = %x, %i = %c") + ") : " + types +
        "\n    cond {\n      %n = stablehlo.constant dense<16> : tensor<i32>\n"
        "      %less = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "      stablehlo.return %less : tensor<i1>\n    } do {\n"
        "      %one = stablehlo.constant dense<1> : tensor<i32>\n      %j = stablehlo.add %i, %one : tensor<i32>\n"
        "      %b = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (" +
        x + ", " + x + ") -> " + x + "\n      stablehlo.return " + (first ? "%j, %b" : "%b, %j") + " : " + types +
        "\n    }\n    return %0#" + (first ? "1" : "0") + " : " + x + "\n  }\n}\n";
    const CheckLine time = check_stablehlo(text, "loop.mlir", eight).line("time");
    INFO(time.finding);
    CHECK(time.verdict != Verdict::not_judged);
    return figure(time, "step_seconds");
  };
  CHECK(seconds(true) == seconds(false));
}

TEST_CASE("products of one shape that take other numbers of passes are told apart") {
  const auto line_of = [](DotPrecision first, DotPrecision second) {
    return checked(
               [&](const Arrays& in) {
                 DotAttributes a, b;
                 a.lhs_contracting_dimensions = b.lhs_contracting_dimensions = {1};
                 a.rhs_contracting_dimensions = b.rhs_contracting_dimensions = {0};
                 a.precision = first, b.precision = second;
                 return Arrays{dot_general(in[0], in[1], a), dot_general(in[0], in[2], b)};
               },
               {{DType::f32, {4096, 4096}}, {DType::f32, {4096, 4096}}, {DType::f32, {4096, 4096}}})
        .line("matrix_unit");
  };
  for (const auto& [a, b] : {std::pair{DotPrecision::DEFAULT, DotPrecision::HIGHEST},
                             std::pair{DotPrecision::HIGHEST, DotPrecision::DEFAULT}}) {
    const CheckLine line = line_of(a, b);
    INFO(line.finding);
    CHECK(line.verdict == Verdict::pass);
    CHECK(figure(line, "matrix_use") == 1);
  }
}

TEST_CASE("what pads a product is told at the product's line, whatever is fused behind it") {
  unsigned line = 0;
  const CheckLine told = checked(
                             [&](const Arrays& in) {
                               line = __LINE__ + 1;
                               const Array product = matmul(in[0], in[1]);
                               return Arrays{tanh(product - in[2])};
                             },
                             {{DType::f32, {512, 100}}, {DType::f32, {100, 512}}, {DType::f32, {512, 512}}})
                             .line("matrix_unit");
  REQUIRE(told.number() == 502);
  CHECK(told.faults.front().where.line == line);
}

TEST_CASE("input that is slower than the chips is told, with the share of time they wait") {
  const auto input = [](double rate) {
    CheckOptions options;
    options.examples_per_second = rate;
    return checked([](const Arrays& in) { return Arrays{matmul(in[0], in[1])}; },
                   {{DType::f32, {8, 4096}}, {DType::f32, {4096, 4096}}}, options)
        .line("input");
  };
  const CheckLine unknown = input(0);
  CHECK(unknown.verdict == Verdict::not_judged);
  const double needed = figure(unknown, "needed_examples_per_second");
  CHECK(needed > 0);
  CHECK(input(2 * needed).verdict == Verdict::pass);
  CHECK(input(needed / 4).number() == 609);
  CHECK(input(needed * 0.999).number() == 609);
  CHECK(input(needed * 0.9999).verdict == Verdict::pass);  // a wait of 0.0 %
  CHECK(mentions(input(needed / 4), "they wait 75 % of the time"));
  CHECK(mentions(input(needed / 1e5), "they wait 99.9 % of the time"));
  for (const auto& [rate, told] : {std::pair{0.4321, "makes 0.43 examples a second"},
                                   {0.999, "makes 1 example a second"},
                                   {9.94, "makes 9.9 examples a second"},
                                   {9.96, "makes 10 examples a second"}}) {
    INFO(rate);
    CHECK(mentions(input(rate), told));
  }
  CheckOptions measured;
  measured.examples_per_second = 2 * needed;
  const Readiness alone = checked([](const Arrays& in) { return Arrays{matmul(in[0], in[1])}; },
                                  {{DType::f32, {8, 4096}}, {DType::f32, {4096, 4096}}}, measured);
  CHECK(alone.line("input").verdict == Verdict::pass);
  CHECK(alone.line("data").verdict == Verdict::not_judged);
  const CheckLine heavy =
      checked([](const Arrays& in) { return Arrays{in[0] + 1.0}; }, {{DType::f32, {4096, 4096}}}).line("input");
  CHECK(heavy.number() == 609);  // PCIe is slower than the memory
}
