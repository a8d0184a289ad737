/// What tensors print as: what NumPy 1.24 printed of the same numbers.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

import octet.base;

using namespace octet;

namespace {

/// 0, 1, 2, …
template <class T>
Tensor counted(Shape shape) {
  Tensor tensor{dtype_of<T>, std::move(shape)};
  T next = 0;
  for (T& element : tensor.mutable_span<T>()) element = next++;
  return tensor;
}

constexpr float infinity = std::numeric_limits<float>::infinity(), no_number = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("numbers are printed in columns, with as many digits as they need") {
  CHECK(to_string(Tensor::of<float>({2, 2}, {1, 2.5f, 3, 4.25f})) == "[[1.   2.5 ]\n [3.   4.25]]");
  CHECK(to_string(Tensor::of<float>({3}, {1.0f / 3, -0.1f, 100})) == "[  0.33333334  -0.1        100.        ]");
  CHECK(to_string(Tensor::of<double>({2}, {0.123456789012, 12.000000001})) == "[ 0.12345679 12.        ]");
  CHECK(to_string(Tensor::of<float>({2}, {123456.789f, 1000.5f})) == "[123456.79   1000.5 ]");
  CHECK(to_string(Tensor::of<float>({2}, {-0.0f, 0})) == "[-0.  0.]");
  CHECK(to_string(Tensor::of<std::int32_t>({2, 2}, {1, -20, 300, 4})) == "[[  1 -20]\n [300   4]]");
  CHECK(to_string(Tensor::of<bool>({2}, {true, false})) == "[ True False]");
  CHECK(to_string(Tensor::of<float>({2}, {0.5f, 3}).converted(DType::bf16)) == "[0.5 3. ]");
}

TEST_CASE("numbers that are large, small or far apart have exponents") {
  CHECK(to_string(Tensor::of<double>({4}, {1.0 / 3, 1e-5, -2.5, 0})) ==
        "[ 3.33333333e-01  1.00000000e-05 -2.50000000e+00  0.00000000e+00]");
  CHECK(to_string(Tensor::of<float>({2}, {1e8f, 1.5f})) == "[1.0e+08 1.5e+00]");
  // Beside a number that needs eight digits, one that needs fewer has those that it really has.
  CHECK(to_string(Tensor::of<float>({2}, {1e-5f, 1.0f / 3})) == "[9.9999997e-06 3.3333334e-01]");
  CHECK(to_string(Tensor::of<double>({2}, {123456789.123456789, 0.5})) == "[1.23456789e+08 5.00000000e-01]");
  CHECK(to_string(Tensor::of<double>({2}, {1e-300, 1e300})) == "[1.e-300 1.e+300]");
  CHECK(to_string(Tensor::of<double>({2}, {0.0001, 0.05})) == "[0.0001 0.05  ]");
}

TEST_CASE("what is not finite has room in its column") {
  CHECK(to_string(Tensor::of<float>({3}, {no_number, -infinity, 1})) == "[ nan -inf   1.]");
  CHECK(to_string(Tensor::of<float>({2}, {no_number, infinity})) == "[nan inf]");
}

TEST_CASE("a scalar is printed as a number, and nothing as brackets") {
  CHECK(to_string(Tensor::scalar(1.5f)) == "1.5");
  CHECK(to_string(Tensor::scalar(0.1f)) == "0.1");
  CHECK(to_string(Tensor::scalar(3.0)) == "3.0");
  CHECK(to_string(Tensor::scalar(1e20f)) == "1e+20");
  CHECK(to_string(Tensor::scalar(1e-5f)) == "1e-05");
  CHECK(to_string(Tensor::scalar(true)) == "True");
  CHECK(to_string(Tensor::scalar<std::int64_t>(-7)) == "-7");
  CHECK(to_string(Tensor{DType::f32, {2, 0}}) == "[]");
}

TEST_CASE("matrices are set apart, and lines end before 75 characters") {
  CHECK(to_string(counted<float>({2, 2, 3})) ==
        "[[[ 0.  1.  2.]\n  [ 3.  4.  5.]]\n\n [[ 6.  7.  8.]\n  [ 9. 10. 11.]]]");
  CHECK(to_string(Tensor::of<std::int64_t>({1, 1, 1}, {1})) == "[[[1]]]");
  CHECK(to_string(counted<std::int32_t>({2, 30})) ==
        "[[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n"
        "  24 25 26 27 28 29]\n"
        " [30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53\n"
        "  54 55 56 57 58 59]]");
  Tensor sevenths = counted<float>({30});
  for (float& element : sevenths.mutable_span<float>()) element /= 7;
  CHECK(to_string(sevenths) ==
        "[0.         0.14285715 0.2857143  0.42857143 0.5714286  0.71428573\n"
        " 0.85714287 1.         1.1428572  1.2857143  1.4285715  1.5714285\n"
        " 1.7142857  1.8571428  2.         2.142857   2.2857144  2.4285715\n"
        " 2.5714285  2.7142856  2.857143   3.         3.142857   3.2857144\n"
        " 3.4285715  3.5714285  3.7142856  3.857143   4.         4.142857  ]");
}

TEST_CASE("of more than a thousand elements the first and last three are printed") {
  CHECK(to_string(counted<std::int32_t>({1000})).find("...") == std::string::npos);
  CHECK(to_string(counted<std::int32_t>({1001})) == "[   0    1    2 ...  998  999 1000]");
  CHECK(to_string(counted<std::int32_t>({40, 40})) ==
        "[[   0    1    2 ...   37   38   39]\n"
        " [  40   41   42 ...   77   78   79]\n"
        " [  80   81   82 ...  117  118  119]\n"
        " ...\n"
        " [1480 1481 1482 ... 1517 1518 1519]\n"
        " [1520 1521 1522 ... 1557 1558 1559]\n"
        " [1560 1561 1562 ... 1597 1598 1599]]");
  CHECK(to_string(counted<float>({2, 600})) ==
        "[[0.000e+00 1.000e+00 2.000e+00 ... 5.970e+02 5.980e+02 5.990e+02]\n"
        " [6.000e+02 6.010e+02 6.020e+02 ... 1.197e+03 1.198e+03 1.199e+03]]");
}

TEST_CASE("a tensor is written to a stream as its text") {
  std::ostringstream stream;
  stream << "x = " << Tensor::of<float>({2}, {1, 2}) << '\n';
  CHECK(stream.str() == "x = [1. 2.]\n");
}

TEST_CASE("an element is found by an index for each dimension") {
  const Tensor x = counted<float>({2, 3});
  CHECK(x.at({0, 0}) == 0);
  CHECK(x.at({1, 2}) == 5);
  CHECK(x.at({-1, -3}) == 3);
  CHECK(Tensor::scalar(2.5f).at({}) == 2.5);
  CHECK(counted<float>({4}).at({3}) == 3);
  const auto sentence = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      return error.number() == 403 ? error.diagnostics().front().sentence : "another number";
    }
    return "";
  };
  CHECK(sentence([&] { (void)x.at({2, 0}); }) == "There is no element [2, 0] in f32[2, 3].");
  CHECK(sentence([&] { (void)x.at({0, -4}); }) == "There is no element [0, -4] in f32[2, 3].");
  CHECK(sentence([&] { (void)x.at({1}); }) == "There is no element [1] in f32[2, 3].");
  CHECK(sentence([&] { (void)x.at({}); }) == "There is no element [] in f32[2, 3].");
}
