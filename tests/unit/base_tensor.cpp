#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <vector>

import octet.base;

#include "refusal.hpp"

using namespace octet;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

template <class T>
std::vector<T> values(const Tensor& tensor) {
  const auto span = tensor.span<T>();
  return {span.begin(), span.end()};
}

}  // namespace

TEST_CASE("a new tensor is zero and aligned to 64 bytes") {
  for (DType dtype : all_dtypes) {
    const Tensor tensor{dtype, Shape{3, 5}};
    REQUIRE(tensor.elements() == 15);
    REQUIRE(tensor.bytes().size() == 15 * size_of(dtype));
    REQUIRE(std::ranges::all_of(tensor.bytes(), [](std::byte byte) { return byte == std::byte{0}; }));
    REQUIRE(reinterpret_cast<std::uintptr_t>(tensor.bytes().data()) % 64 == 0);
  }
  REQUIRE(Tensor{}.item() == 0);
}

TEST_CASE("writing to a copy leaves the original as it was, and the other way round") {
  Tensor original = Tensor::of<float>({3}, {1, 2, 3});
  Tensor copy = original;
  REQUIRE(copy.bytes().data() == original.bytes().data());
  copy.mutable_span<float>()[1] = 20;
  REQUIRE(values<float>(original) == std::vector<float>{1, 2, 3});
  REQUIRE(values<float>(copy) == std::vector<float>{1, 20, 3});
  Tensor third = original;
  original.mutable_span<float>()[0] = 10;
  REQUIRE(values<float>(third) == std::vector<float>{1, 2, 3});
}

TEST_CASE("of bytes that are not 0 a truth value is true, and 1") {
  const std::vector<unsigned char> marks{255, 1, 0, 2, 128, 0};
  const Tensor truths = Tensor::of_bytes({DType::pred, {6}}, std::as_bytes(std::span{marks}));
  CHECK(truths == Tensor::of<bool>({6}, {true, true, false, true, true, false}));
  for (const std::byte each : truths.bytes()) CHECK(each <= std::byte{1});
}

TEST_CASE("a tensor over memory that is there reads it and writes to it, and gives it up") {
  alignas(64) std::array<float, 20> memory{1, 2, 3, 4, 5, 6};
  bool given_up = false;
  {
    const auto give_up = [&](std::byte*) { given_up = true; };
    Tensor tensor = Tensor::over({DType::f32, {2, 3}}, {reinterpret_cast<std::byte*>(memory.data()), give_up});
    CHECK(tensor.data() == reinterpret_cast<std::byte*>(memory.data()));
    CHECK(values<float>(tensor) == std::vector<float>{1, 2, 3, 4, 5, 6});
    tensor.mutable_span<float>()[1] = 20;
    CHECK(memory[1] == 20);
    const Tensor copy = tensor;
    tensor.mutable_span<float>()[1] = 21;  // into storage of its own: the memory is the copy's
    CHECK(memory[1] == 20);
    CHECK(!given_up);
  }
  CHECK(given_up);
}

TEST_CASE("a tensor is not made over memory that begins elsewhere than at a multiple of 64 bytes, or over none") {
  alignas(64) std::array<std::byte, 128> memory{};
  const auto keep = [](std::byte*) {};
  CHECK(number_of([&] { Tensor::over({DType::f32, {2}}, {memory.data() + 4, keep}); }) == 405);
  CHECK(number_of([&] { Tensor::over({DType::f32, {2}}, nullptr); }) == 405);
  CHECK(number_of([&] { Tensor::over({DType::f32, {-2}}, {memory.data(), keep}); }) == 408);
}

TEST_CASE("a tensor that is not shared is written in place") {
  Tensor tensor{DType::f32, {4}};
  const auto* before = tensor.bytes().data();
  tensor.mutable_span<float>()[0] = 1;
  REQUIRE(tensor.bytes().data() == before);
}

TEST_CASE("moving a tensor hands over its storage") {
  Tensor tensor = Tensor::of<std::int32_t>({2}, {7, 8});
  const auto* storage = tensor.bytes().data();
  const Tensor owner = std::move(tensor);
  REQUIRE(owner.bytes().data() == storage);
  REQUIRE(owner.at(1) == 8);
}

TEST_CASE("a tensor that was moved from is refused with X405 until it is given a value") {
  Tensor tensor = Tensor::scalar(7.0f);
  const Tensor owner = std::move(tensor);
  CHECK(number_of([&] { tensor.item(); }) == 405);
  CHECK(number_of([&] { tensor.converted(DType::i32); }) == 405);
  CHECK(number_of([&] { tensor.mutable_span<float>(); }) == 405);
  CHECK(number_of([&] { tensor.mutable_bytes(); }) == 405);
  CHECK(number_of([&] { tensor.bytes(); }) == 405);
  CHECK(number_of([&] { static_cast<void>(tensor == owner); }) == 405);
  tensor = owner;
  CHECK(tensor.item() == 7);
}

TEST_CASE("tensors without elements can be made, copied, written, converted and reshaped") {
  Tensor tensor{DType::f32, Shape{4, 0, 2}};
  const Tensor copy = tensor;
  REQUIRE(tensor.mutable_span<float>().empty());
  REQUIRE(tensor == copy);
  REQUIRE(tensor.converted(DType::bf16).shape() == Shape{4, 0, 2});
  REQUIRE(tensor.reshaped({0}).elements() == 0);
  REQUIRE(Tensor::of<float>({0}, {}).elements() == 0);
  REQUIRE(number_of([&] { tensor.reshaped({}); }) == 401);
  REQUIRE(number_of([&] { tensor.item(); }) == 405);
}

TEST_CASE("values that do not fit the shape are refused with X405") {
  REQUIRE(number_of([] { Tensor::of<float>({2, 2}, {1, 2, 3}); }) == 405);
  REQUIRE(number_of([] { Tensor::of<float>({0}, {1}); }) == 405);
  REQUIRE(number_of([] { Tensor::of<float>({}, {}); }) == 405);
  const std::array<std::byte, 7> bytes{};
  REQUIRE(number_of([&] { Tensor::of_bytes({DType::f32, {2}}, bytes); }) == 405);
  REQUIRE(number_of([] { Tensor{DType::f32, Shape{2}}.item(); }) == 405);
}

TEST_CASE("a tensor of a negative extent, or too large for any machine, is refused with X408") {
  REQUIRE(number_of([] { Tensor{DType::f32, Shape{-1}}; }) == 408);
  REQUIRE(number_of([] { Tensor{DType::f32, Shape{0, -1}}; }) == 408);
  REQUIRE(number_of([] { Tensor{DType::f32, Shape{std::int64_t{1} << 40, std::int64_t{1} << 40}}; }) == 408);
  REQUIRE(number_of([] { Tensor{DType::f64, Shape{std::int64_t{1} << 60}}; }) == 408);
  REQUIRE(number_of([] { Tensor{DType::f64, Shape{0, std::int64_t{1} << 60}}; }) == 0);
}

TEST_CASE("a tensor read as another element type is refused with X402") {
  const Tensor tensor{DType::f32, Shape{2}};
  REQUIRE(number_of([&] { tensor.span<double>(); }) == 402);
  REQUIRE(number_of([&] { tensor.span<std::int32_t>(); }) == 402);
  REQUIRE(number_of([&] { tensor.span<float>(); }) == 0);
}

TEST_CASE("reshaping keeps the elements in row-major order, and refuses another number of them with X401") {
  const Tensor tensor = Tensor::of<std::int32_t>({2, 3}, {0, 1, 2, 3, 4, 5});
  REQUIRE(values<std::int32_t>(tensor.reshaped({3, 2})) == std::vector<std::int32_t>{0, 1, 2, 3, 4, 5});
  REQUIRE(number_of([&] { tensor.reshaped({5}); }) == 401);
}

TEST_CASE("a shape that cannot be is refused with X401, though its extents multiply to the number of elements") {
  CHECK(number_of([] { (Tensor{DType::f32, {6}}.reshaped({-2, -3})); }) == 401);
  CHECK(number_of([] { (Tensor{DType::f32, {0}}.reshaped({std::int64_t{1} << 32, std::int64_t{1} << 32})); }) == 401);
  CHECK(number_of([] { (Tensor{DType::f32, {0}}.reshaped({0, -3})); }) == 401);
  CHECK(number_of([] { (Tensor{DType::f32, {0}}.reshaped({std::int64_t{1} << 62, 4, 0})); }) == 0);
}

TEST_CASE("an element that a tensor does not have is refused with X403") {
  const Tensor tensor{DType::f32, {2, 3}};
  CHECK(tensor.at(5) == 0);
  CHECK(number_of([&] { tensor.at(6); }) == 403);
  CHECK(number_of([&] { tensor.at(-1); }) == 403);
}

TEST_CASE("tensors are equal where type and bytes are") {
  const Tensor a = Tensor::of<float>({2}, {1, not_a_number});
  REQUIRE(a == Tensor::of<float>({2}, {1, not_a_number}));
  REQUIRE_FALSE(Tensor::of<float>({1}, {0.0f}) == Tensor::of<float>({1}, {-0.0f}));
  REQUIRE_FALSE(a == a.reshaped({1, 2}));
  REQUIRE_FALSE(Tensor{DType::f32, {2}} == Tensor{DType::i32, {2}});
}

TEST_CASE("a tensor of bytes has the bytes it was given") {
  const Tensor tensor = Tensor::of<float>({3}, {1, -2, 0.5f});
  REQUIRE(Tensor::of_bytes(tensor.type(), tensor.bytes()) == tensor);
}

TEST_CASE("a floating-point number becomes an integer by truncation, saturates, and is 0 for NaN") {
  const Tensor f = Tensor::of<float>({9}, {0.9f, -0.9f, 2.5f, -2.5f, 3e9f, -3e9f, infinity, -infinity, not_a_number});
  using i32 = std::int32_t;
  using i64 = std::int64_t;
  using u32 = std::uint32_t;
  constexpr i32 i32_max = std::numeric_limits<i32>::max(), i32_min = std::numeric_limits<i32>::min();
  constexpr i64 i64_max = std::numeric_limits<i64>::max(), i64_min = std::numeric_limits<i64>::min();
  constexpr u32 u32_max = std::numeric_limits<u32>::max();
  REQUIRE(values<i32>(f.converted(DType::i32)) == std::vector<i32>{0, 0, 2, -2, i32_max, i32_min, i32_max, i32_min, 0});
  REQUIRE(values<i64>(f.converted(DType::i64)) ==
          std::vector<i64>{0, 0, 2, -2, 3000000000, -3000000000, i64_max, i64_min, 0});
  REQUIRE(values<u32>(f.converted(DType::u32)) == std::vector<u32>{0, 0, 2, 0, 3000000000u, 0, u32_max, 0, 0});
}

TEST_CASE("integers are converted at the very ends of their range") {
  REQUIRE(convert_element<std::int32_t>(2147483647.0) == 2147483647);
  REQUIRE(convert_element<std::int32_t>(2147483647.5) == 2147483647);
  REQUIRE(convert_element<std::int32_t>(2147483648.0) == 2147483647);
  REQUIRE(convert_element<std::int32_t>(-2147483648.9) == std::numeric_limits<std::int32_t>::min());
  REQUIRE(convert_element<std::int64_t>(9223372036854774784.0) == 9223372036854774784);
  REQUIRE(convert_element<std::int64_t>(9223372036854775808.0) == std::numeric_limits<std::int64_t>::max());
  REQUIRE(convert_element<std::uint32_t>(4294967295.9) == 4294967295u);
  REQUIRE(convert_element<std::uint32_t>(-0.5) == 0u);
  REQUIRE(convert_element<std::uint32_t>(std::int64_t{-1}) == 0xffff'ffffu);
  REQUIRE(convert_element<std::int32_t>(std::int64_t{1} << 32) == 0);
  REQUIRE(convert_element<float>(std::int32_t{16777217}) == 16777216.0f);
}

TEST_CASE("a number becomes true where it is not zero, and a truth value becomes 0 or 1") {
  const Tensor f = Tensor::of<float>({5}, {0.0f, -0.0f, not_a_number, 1e-40f, -3.0f});
  REQUIRE(values<bool>(f.converted(DType::pred)) == std::vector<bool>{false, false, true, true, true});
  const Tensor t = Tensor::of<bool>({2}, {false, true});
  for (DType dtype : all_dtypes) {
    REQUIRE(t.converted(dtype).at(0) == 0);
    REQUIRE(t.converted(dtype).at(1) == 1);
  }
}

TEST_CASE("conversion to and from bf16 rounds to nearest even and keeps infinities and NaN") {
  const Tensor f = Tensor::of<float>({5}, {1.00390625f, 1.01171875f, 3.4e38f, -infinity, not_a_number});
  const Tensor b = f.converted(DType::bf16);
  REQUIRE(b.bytes().size() == 10);
  REQUIRE(b.at(0) == 1.0);
  REQUIRE(b.at(1) == 1.015625);
  REQUIRE(b.at(2) == static_cast<double>(infinity));
  REQUIRE(b.at(3) == static_cast<double>(-infinity));
  REQUIRE(std::isnan(b.at(4)));
  REQUIRE(values<std::int32_t>(b.converted(DType::i32))[2] == std::numeric_limits<std::int32_t>::max());
}

TEST_CASE("converting to the type a tensor has shares its storage") {
  const Tensor tensor = Tensor::of<float>({2}, {1, 2});
  REQUIRE(tensor.converted(DType::f32).bytes().data() == tensor.bytes().data());
}

TEST_CASE("elements of a tensor that nobody keeps are there while they are read") {
  const auto made = [] { return Tensor::full<float>({1 << 16}, 1.5f); };
  float sum = 0;
  std::vector<Tensor> others;
  for (const float value : made().span<float>()) {
    if (others.size() < 4) others.push_back(Tensor::full<float>({1 << 16}, 100.0f));  // what was freed, they would take
    sum += value;
  }
  CHECK(sum == 1.5f * (1 << 16));
  std::size_t ones = 0;
  for (const std::byte byte : Tensor::full<std::int32_t>({8}, 0x01010101).bytes()) ones += byte == std::byte{1};
  CHECK(ones == 32);
  CHECK(*std::ranges::max_element(made().span<float>()) == 1.5f);
  CHECK(*std::ranges::find(Tensor::of<float>({3}, {1, 2, 3}).span<float>(), 2.0f) == 2);
  // A copy that is kept is not touched.
  const Tensor kept = made();
  CHECK(Tensor{kept}.span<float>().front() == 1.5f);
  CHECK(kept.span<float>().size() == 1 << 16);
}
