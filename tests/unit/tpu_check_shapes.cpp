// The readiness check: in what shapes inputs come.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
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

/// Rule 3 of a program called with sequences of these lengths.
CheckLine shapes(const std::vector<std::int64_t>& lengths, std::vector<Bucket> buckets = {},
                 std::size_t max_programs = 64) {
  std::vector<std::tuple<Tensor>> calls;
  for (const std::int64_t length : lengths) calls.emplace_back(Tensor{DType::i32, {8, length}});
  CheckOptions options;
  options.jit.argument_names = {"tokens"};
  options.jit.buckets = std::move(buckets);
  options.jit.max_programs = max_programs;
  return check([](const Array& tokens) { return sum(tokens); }, calls, eight, options).line("rule_3");
}

std::vector<std::int64_t> ragged(std::size_t count) {
  std::vector<std::int64_t> lengths;
  for (std::size_t i = 0; i < count; ++i) lengths.push_back(20 + static_cast<std::int64_t>(i * 37 % 101));
  return lengths;
}

}  // namespace

TEST_CASE("one shape passes, a new shape for each call fails, and one call says nothing") {
  CHECK(shapes({64}).verdict == Verdict::not_judged);
  CHECK(shapes({64, 64, 64}).verdict == Verdict::pass);
  CHECK(shapes({64, 128, 64, 128}).verdict == Verdict::pass);
  const CheckLine line = shapes(ragged(60));
  CHECK(line.verdict == Verdict::fail);
  CHECK(figure(line, "programs") == 60);
  CHECK(figure(line, "programs_per_1000_calls") == 1000);
  CHECK(mentions(line, "dimension 1 of 'tokens' varies, up to 120"));
}

TEST_CASE("the cure of many shapes is typed for the program, with its programs and its padding") {
  const CheckLine line = shapes(ragged(60));
  REQUIRE(!line.cure.empty());
  CHECK(line.cure.front().starts_with(".buckets = {{\"tokens\", 1, multiple_of(16)}}: 7 programs, "));
  double real = 0, padded = 0;
  for (const std::int64_t length : ragged(60)) {
    real += static_cast<double>(length);
    padded += static_cast<double>(multiple_of(16).bucket(length));
  }
  const std::string share = std::to_string(static_cast<int>(std::lround(100 * (1 - real / padded)))) + " % padding";
  CHECK(line.cure.front().ends_with(share) == (1 - real / padded >= 0.1));
}

TEST_CASE("with buckets the same calls pass, too wide ones are told, and one too small is refused") {
  const CheckLine bucketed = shapes(ragged(60), {{"tokens", 1, multiple_of(32)}});
  CHECK(bucketed.verdict == Verdict::pass);
  CHECK(figure(bucketed, "programs") == 4);
  CHECK(figure(bucketed, "shapes") == 60);
  const CheckLine wide = shapes(ragged(60), {{"tokens", 1, max_length(512)}});
  CHECK(wide.verdict == Verdict::warn);
  CHECK(figure(wide, "padding_share") > 0.8);
  const CheckLine small = shapes(ragged(60), {{"tokens", 1, one_of({32, 64})}});
  CHECK(small.verdict == Verdict::fail);
  CHECK(small.number() == 301);
  CHECK(shapes({64, 64}, {{"token", 1, multiple_of(32)}}).number() == 709);
  CHECK(mentions(shapes(ragged(60), {{"tokens", 1, multiple_of(8)}}, 4), "the cache holds 4 programs"));
}

TEST_CASE("of few calls, too, the share that is new counts: seven programs for nine calls are too many") {
  const CheckLine line = shapes({60, 61, 62, 63, 64, 65, 66, 66, 66});
  CHECK(figure(line, "programs") == 7);
  CHECK(figure(line, "programs_per_1000_calls") > 600);
  CHECK(line.verdict == Verdict::fail);
  CHECK(!line.cure.empty());
  CHECK(shapes({64, 64, 64, 64, 64, 64, 64, 64, 33}).verdict == Verdict::pass);  // one short batch at the end
  CHECK(shapes({60, 61, 62}).verdict == Verdict::warn);                          // too few to fail by
}

TEST_CASE("of buckets there are only so many: what few calls have not met yet is no program for each") {
  const CheckLine line = shapes({10, 70, 130, 200, 260, 330, 390, 450, 512}, {{"tokens", 1, multiple_of(64)}});
  CHECK(figure(line, "programs") == 8);
  CHECK(figure(line, "programs_per_1000_calls") == 8);
  CHECK(line.verdict == Verdict::pass);
}

TEST_CASE("what no bucket holds is said once, with the longest of all calls") {
  std::vector<std::tuple<Tensor, Tensor>> calls;
  for (const std::int64_t length : {40, 66, 72, 85, 50})
    calls.emplace_back(Tensor{DType::i32, {8, length}}, Tensor{DType::i32, {8, length}});
  CheckOptions options;
  options.jit.argument_names = {"ids", "mask"};
  options.jit.buckets = {{"ids", 1, one_of({32, 64})}, {"mask", 1, one_of({32, 64})}};
  const CheckLine line =
      check([](const Array& ids, const Array& mask) { return sum(ids * mask); }, calls, eight, options).line("rule_3");
  CHECK(line.verdict == Verdict::fail);
  REQUIRE(line.faults.size() == 1);
  CHECK(line.faults[0].sentence ==
        "Dimension 1 of 'ids', 'mask' is up to 85, and no bucket of one_of({32, 64}) is that large.");
  CHECK(line.faults[0].fix.front() == "add a bucket of 85 or more");
}

TEST_CASE("a number that changes from call to call is a new program each time, and is named") {
  std::vector<std::tuple<Tensor, double>> calls;
  for (int i = 0; i < 20; ++i) calls.emplace_back(Tensor{DType::f32, {8}}, i * 0.1);
  CheckOptions options;
  options.jit.argument_names = {"x", "rate"};
  const CheckLine line =
      check([](const Array& x, double rate) { return x * rate; }, calls, eight, options).line("rule_3");
  CHECK(line.verdict == Verdict::fail);
  CHECK(mentions(line, "pass 'rate' as an array"));
}

TEST_CASE("lists of other lengths need programs of their own, with arrays in them or without, and that is said") {
  const auto judged = [](const auto& calls) {
    const auto counted = [](const Array& x, const auto& list) { return x * static_cast<double>(list.size()); };
    return check(counted, calls, eight, {}).line("rule_3");
  };
  std::vector<std::tuple<Tensor, std::vector<std::vector<double>>>> empty;
  std::vector<std::tuple<Tensor, tpu::Replicated<std::vector<Tensor>>>> full;
  for (const std::size_t length : {2, 3, 4, 2}) {
    empty.emplace_back(Tensor{DType::f32, {8}}, length);
    full.emplace_back(Tensor{DType::f32, {8}},
                      tpu::replicated(std::vector<Tensor>(length, Tensor{DType::f32, {8}}), eight.replicas));
  }
  for (const CheckLine& line : {judged(empty), judged(full)}) {
    CHECK(figure(line, "programs") == 3);
    CHECK(line.verdict != Verdict::pass);
    CHECK(mentions(line, "lists of the arguments are of other lengths"));
    CHECK(mentions(line, "give each call lists of one length"));
  }
}

TEST_CASE("where every call brings a program, that is said so") {
  CHECK(mentions(shapes(ragged(40)), "by that, about every call brings a new one"));
}
