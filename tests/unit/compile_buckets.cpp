#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

import octet.base;
import octet.compile;
import octet.trace;

using namespace octet;

namespace {

/// The first diagnostic of what `function` throws; number 0 where it does not.
Diagnostic refusal(auto&& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.diagnostics().front();
  }
  return {};
}

constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();

}  // namespace

TEST_CASE("a bucket is the smallest extent of its policy that is large enough") {
  CHECK(exact().bucket(0) == 0);
  CHECK(exact().bucket(huge) == huge);
  CHECK(multiple_of(64).bucket(0) == 0);
  CHECK(multiple_of(64).bucket(1) == 64);
  CHECK(multiple_of(64).bucket(64) == 64);
  CHECK(multiple_of(64).bucket(65) == 128);
  CHECK(one_of({512, 64, 128, 64}).bucket(0) == 64);
  CHECK(one_of({512, 64, 128}).bucket(64) == 64);
  CHECK(one_of({512, 64, 128}).bucket(65) == 128);
  CHECK(one_of({512, 64, 128}).bucket(512) == 512);
  CHECK(max_length(512).bucket(3) == 512);
  CHECK(doubling_then_linear(128, 64).bucket(0) == 0);
  CHECK(doubling_then_linear(128, 64).bucket(1) == 1);
  CHECK(doubling_then_linear(128, 64).bucket(33) == 64);
  CHECK(doubling_then_linear(128, 64).bucket(128) == 128);
  CHECK(doubling_then_linear(128, 64).bucket(129) == 192);
  CHECK(doubling_then_linear(128, 100).bucket(129) == 200);
  CHECK(doubling_then_linear(100, 7).bucket(65) == 70);
  CHECK(longest().bucket(37) == 37);
}

TEST_CASE("the buckets up to an extent are those that extents up to it go to") {
  const std::vector<BucketPolicy> policies{multiple_of(7), one_of({3, 17, 40}), max_length(40),
                                           doubling_then_linear(16, 6), doubling_then_linear(1, 1)};
  for (const BucketPolicy& policy : policies) {
    std::vector<std::int64_t> expected;
    for (std::int64_t extent = 1; extent <= 40; ++extent)
      if (const std::int64_t bucket = policy.bucket(extent); expected.empty() || expected.back() != bucket)
        expected.push_back(bucket);
    CHECK(policy.buckets_up_to(40) == expected);
  }
  CHECK(multiple_of(8).buckets_up_to(1000, 3) == std::vector<std::int64_t>{8, 16, 24});
  CHECK(one_of({64, 128}).buckets_up_to(3) == std::vector<std::int64_t>{64, 128});
  CHECK(exact().buckets_up_to(5) == std::vector<std::int64_t>{5});
  CHECK(longest().buckets_up_to(5) == std::vector<std::int64_t>{5});
  CHECK(multiple_of(8).buckets_up_to(0) == std::vector<std::int64_t>{0});
  CHECK(one_of({64}).bounded());
  CHECK_FALSE(doubling_then_linear(64, 8).bounded());
}

TEST_CASE("buckets are monotone and hold what they are for") {
  for (const BucketPolicy& policy : {exact(), multiple_of(1), multiple_of(7), one_of({3, 17, 40}), max_length(40),
                                     doubling_then_linear(16, 6), doubling_then_linear(3, 2), longest()})
    for (std::int64_t extent = 0; extent <= 40; ++extent) {
      CHECK(policy.holds(extent));
      CHECK(policy.bucket(extent) >= extent);
      CHECK(policy.bucket(policy.bucket(extent)) == policy.bucket(extent));
      if (extent > 0) CHECK(policy.bucket(extent) >= policy.bucket(extent - 1));
    }
}

TEST_CASE("an extent that no bucket holds is refused with the bucket to add") {
  const Diagnostic diagnostic = refusal([] { one_of({64, 128}).bucket(129); });
  CHECK(diagnostic.number == 301);
  CHECK(diagnostic.sentence == "The extent is 129, and no bucket of one_of({64, 128}) is that large.");
  CHECK(diagnostic.fix == std::vector<std::string>{"use one_of({64, 128, 129})", "truncate the input to 128"});
  CHECK(refusal([] { max_length(64).bucket(65); }).fix.front() == "use max_length(65)");
  CHECK(refusal([] { multiple_of(64).bucket(huge); }).number == 301);
  CHECK_FALSE(multiple_of(64).holds(huge));
  CHECK(refusal([] { doubling_then_linear(64, 64).bucket(huge); }).number == 301);
  CHECK(refusal([] { doubling_then_linear(huge, 64).bucket(huge); }).number == 301);
  CHECK_FALSE(exact().holds(-1));
  CHECK(refusal([] { exact().bucket(-1); }).number == 403);
}

TEST_CASE("policies that hold nothing are refused when they are made") {
  CHECK(refusal([] { multiple_of(0); }).number == 709);
  CHECK(refusal([] { multiple_of(-64); }).number == 709);
  CHECK(refusal([] { one_of({}); }).number == 709);
  CHECK(refusal([] { one_of({64, 0}); }).number == 709);
  CHECK(refusal([] { max_length(-1); }).number == 709);
  CHECK(refusal([] { doubling_then_linear(0, 8); }).number == 709);
  CHECK(refusal([] { doubling_then_linear(8, 0); }).number == 709);
}

TEST_CASE("a policy is written as one would call it") {
  CHECK(to_string(BucketPolicy{}) == "exact()");
  CHECK(to_string(multiple_of(64)) == "multiple_of(64)");
  CHECK(to_string(one_of({128, 64})) == "one_of({64, 128})");
  CHECK(to_string(max_length(512)) == "max_length(512)");
  CHECK(to_string(doubling_then_linear(128, 64)) == "doubling_then_linear(128, 64)");
  CHECK(to_string(longest()) == "longest()");
  CHECK(one_of({64}) == max_length(64));
  CHECK(longest() != exact());
}

TEST_CASE("longest gives the arrays of one call the extent of the longest of them") {
  const std::vector<std::string> names{"rows.0", "rows.1", "rows.2", "other"};
  std::vector<Tensor> tensors{Tensor{DType::i32, {3}}, Tensor{DType::i32, {5}}, Tensor{DType::i32, {0}},
                              Tensor{DType::i32, {9}}};
  const std::vector<Bucket> buckets{{"rows", 0, longest(), -1}};
  CHECK(pad_to_buckets(names, tensors, buckets) == PaddedElements{8, 7});
  for (std::size_t i = 0; i < 3; ++i) CHECK(tensors[i].shape() == Shape{5});
  CHECK(tensors[2] == Tensor::full<std::int32_t>({5}, -1));
  CHECK(tensors[3].shape() == Shape{9});
  // A batch that was padded to its longest row is left as it is.
  CHECK(pad_to_buckets(names, tensors, buckets) == PaddedElements{15, 0});
}

TEST_CASE("padding keeps the elements in their places and fills the rest") {
  const Tensor x = Tensor::of<std::int32_t>({2, 2}, {1, 2, 3, 4});
  CHECK(pad_to(x, {3, 3}, -1) == Tensor::of<std::int32_t>({3, 3}, {1, 2, -1, 3, 4, -1, -1, -1, -1}));
  CHECK(pad_to(x, {3, 2}) == Tensor::of<std::int32_t>({3, 2}, {1, 2, 3, 4, 0, 0}));
  CHECK(pad_to(x, {2, 2}, 9) == x);
  CHECK(pad_to(Tensor::of<std::int32_t>({0, 2}, {}), {1, 2}, 7) == Tensor::of<std::int32_t>({1, 2}, {7, 7}));
  CHECK(pad_to(Tensor::scalar(3.0f), {}) == Tensor::scalar(3.0f));

  const Tensor cube = Tensor::of<float>({2, 1, 2}, {1, 2, 3, 4});
  CHECK(pad_to(cube, {2, 2, 2}, 0.5) == Tensor::of<float>({2, 2, 2}, {1, 2, 0.5f, 0.5f, 3, 4, 0.5f, 0.5f}));
  CHECK(pad_to(cube, {3, 1, 3}) == Tensor::of<float>({3, 1, 3}, {1, 2, 0, 3, 4, 0, 0, 0, 0}));
}

TEST_CASE("the fill is converted to the element type") {
  for (DType dtype : all_dtypes) {
    const Tensor padded = pad_to(Tensor{dtype, {1}}, {2}, 1.75);
    CHECK(padded == Tensor::of<double>({2}, {0, 1.75}).converted(dtype));
  }
  CHECK(pad_to(Tensor{DType::f32, {0}}, {1}, std::numeric_limits<double>::infinity()).item() ==
        std::numeric_limits<double>::infinity());
  CHECK(pad_to(Tensor{DType::f32, {0}}, {1}, -0.0) == Tensor::full<float>({1}, -0.0f));
}

TEST_CASE("a tensor cannot be padded to less than it is, or to another rank") {
  CHECK(refusal([] { pad_to(Tensor{DType::f32, {4}}, {3}); }).number == 401);
  CHECK(refusal([] { pad_to(Tensor{DType::f32, {4}}, {4, 1}); }).number == 401);
}

TEST_CASE("a bucket names an argument and what lies below it, not what begins alike") {
  CHECK(lies_below("batch", "batch"));
  CHECK(lies_below("batch.tokens", "batch"));
  CHECK_FALSE(lies_below("batches.tokens", "batch"));
  CHECK_FALSE(lies_below("batch", "batch.tokens"));
  CHECK(lies_below("배치.토큰", "배치"));

  const std::vector<std::string> names{"model.weight", "batch.tokens", "batch.weights"};
  std::vector<Tensor> tensors{Tensor{DType::f32, {3, 3}}, Tensor{DType::i32, {2, 5}}, Tensor{DType::f32, {2}}};
  const std::vector<Bucket> buckets{{"batch", 1, multiple_of(4)}};
  const PaddedElements count = pad_to_buckets(names, tensors, buckets);
  CHECK(tensors[0].shape() == Shape{3, 3});
  CHECK(tensors[1].shape() == Shape{2, 8});
  CHECK(tensors[2].shape() == Shape{2});
  CHECK(count == PaddedElements{10, 6});
  CHECK(count.share() == 6.0 / 16);
  CHECK(PaddedElements{}.share() == 0);
}

TEST_CASE("what fills a bucket may be NaN") {
  std::vector<Tensor> tensors{Tensor::of<float>({1, 1}, {1})};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  pad_to_buckets(std::vector<std::string>{"x"}, tensors,
                 std::vector<Bucket>{{"x", 0, one_of({2}), nan}, {"x", 1, one_of({2}), nan}});
  REQUIRE(tensors[0].shape() == Shape{2, 2});
  CHECK(tensors[0].at(0) == 1);
  for (std::int64_t i = 1; i < 4; ++i) CHECK(tensors[0].at(i) != tensors[0].at(i));
}

TEST_CASE("the first rule for a dimension decides, and each dimension has its own fill") {
  const std::vector<std::string> names{"x"};
  std::vector<Tensor> tensors{Tensor::of<std::int32_t>({1, 1}, {5})};
  const std::vector<Bucket> buckets{
      {"x", -1, max_length(2), 7}, {"x", 1, max_length(9), 8}, {"x", 0, max_length(2), -1}};
  CHECK(pad_to_buckets(names, tensors, buckets) == PaddedElements{1, 3});
  CHECK(tensors[0] == Tensor::of<std::int32_t>({2, 2}, {5, 7, -1, -1}));
}

TEST_CASE("all dimensions that no bucket holds are told at once, and nothing is padded") {
  const std::vector<std::string> names{"batch.tokens", "batch.labels", "extra"};
  std::vector<Tensor> tensors{Tensor{DType::i32, {2, 70}}, Tensor{DType::i32, {2, 80}}, Tensor{DType::i32, {1}}};
  const std::vector<Bucket> buckets{{"extra", 0, multiple_of(8)}, {"batch", 1, one_of({32, 64})}};
  try {
    pad_to_buckets(names, tensors, buckets);
    FAIL("not refused");
  } catch (const Error& error) {
    REQUIRE(error.diagnostics().size() == 2);
    CHECK(error.diagnostics()[0].number == 301);
    CHECK(error.diagnostics()[0].sentence ==
          "Dimension 1 of 'batch.tokens' is 70, and no bucket of one_of({32, 64}) is that large.");
    CHECK(error.diagnostics()[1].fix.front() == "use one_of({32, 64, 80})");
  }
  CHECK(tensors[2].shape() == Shape{1});
}

TEST_CASE("a rule that no array answers to is refused with the names there are") {
  const std::vector<std::string> names{"state.weight", "batch.tokens"};
  std::vector<Tensor> tensors{Tensor{DType::f32, {2}}, Tensor{DType::i32, {2}}};
  const std::vector<Bucket> misspelt{{"bacth", 0, multiple_of(8)}};
  const Diagnostic diagnostic = refusal([&] { pad_to_buckets(names, tensors, misspelt); });
  CHECK(diagnostic.number == 709);
  CHECK(diagnostic.fix.front() == "name one of these: state.weight, batch.tokens");
  const std::vector<Bucket> too_deep{{"batch", 1, multiple_of(8)}};
  CHECK(refusal([&] { pad_to_buckets(names, tensors, too_deep); }).sentence ==
        "A bucket names dimension 1 of 'batch', where no array has such a dimension.");
}

TEST_CASE("a rule that an earlier one leaves nothing to decide is refused, where it would decide otherwise") {
  const std::vector<std::string> names{"b.ids", "b.lab", "bias"};
  const auto fault_of = [&](const std::vector<Bucket>& buckets) {
    std::vector<Tensor> tensors{Tensor{DType::i32, {2, 5}}, Tensor{DType::i32, {2, 5}}, Tensor{DType::f32, {3}}};
    return refusal([&] { pad_to_buckets(names, tensors, buckets); });
  };
  const Diagnostic fault = fault_of({{"b", 1, multiple_of(8)}, {"b.lab", 1, multiple_of(8), -1}});
  CHECK(fault.number == 709);
  CHECK(fault.sentence ==
        "A bucket for dimension 1 of 'b.lab' never decides: one before it is for dimension 1 of 'b', and the first "
        "decides.");
  CHECK(fault.fix.front() == "put the bucket for 'b.lab' before that for 'b'");
  CHECK(fault_of({{"b.lab", 1, multiple_of(8), -1}, {"b", 1, multiple_of(8)}}).number == 0);
  CHECK(fault_of({{"b.lab", 1, multiple_of(8)}, {"b.lab", 1, multiple_of(16)}}).fix.front() ==
        "leave one of the two out");
  // A rule of other arrays, of another dimension, or that says the same, is none of that.
  CHECK(fault_of({{"b", 0, multiple_of(8)}, {"b.lab", 1, multiple_of(8), -1}}).number == 0);
  CHECK(fault_of({{"b", 1, multiple_of(8)}, {"bias", 0, multiple_of(8), -1}}).number == 0);
  CHECK(fault_of({{"b", 1, multiple_of(8)}, {"b.lab", 1, multiple_of(8)}}).number == 0);
  // Whether two rules that count dimensions from either end are of one depends on the arrays of the call.
  CHECK(fault_of({{"b", 1, multiple_of(8)}, {"b.lab", -1, multiple_of(8), -1}}).number == 0);
}

TEST_CASE("shapes that do not fit since a bucket pads one of them are told with the bucket") {
  const auto step = jit([](const Array& x, const Array& mask) { return sum(x * mask); },
                        {.buckets = {{"x", -1, multiple_of(8)}}, .argument_names = {"x", "mask"}});
  const Tensor five = Tensor::full<float>({2, 5}, 1);
  const Diagnostic found = refusal([&] { step(five, five); });
  CHECK(found.number == 401);
  REQUIRE(!found.because.empty());
  CHECK(found.because.front().what == "dimension 1 of x is 8 by its bucket, multiple_of(8)");
  CHECK(found.fix.front() == "give each argument that has this dimension the same bucket, a mask too");
  CHECK(refusal([&] { step(Tensor::full<float>({2, 8}, 1), Tensor::full<float>({2, 8}, 1)); }).number == 0);
  // What does not concern it is not said to.
  const auto other = jit([](const Array& x, const Array& a, const Array& b) { return sum(x) + sum(a * b); },
                         {.buckets = {{"x", 1, multiple_of(8)}}, .argument_names = {"x", "a", "b"}});
  const Diagnostic beside = refusal([&] { other(five, Tensor::full<float>({3}, 1), Tensor::full<float>({4}, 1)); });
  CHECK(beside.number == 401);
  for (const Link& link : beside.because) CHECK(link.what.find("bucket") == std::string::npos);
}
