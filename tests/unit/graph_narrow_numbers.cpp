// Numbers of types that Octet does not compute with, where a program with them is judged: f16 by its bits and its
// range, f8, f6 and f4 by their bits, and integers of a byte.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>
import octet.base;
import octet.graph;

using namespace octet;

namespace {

std::string text(const std::string& constant, const std::string& type) {
  return "module {\n  func.func @main() -> " + type + " {\n    %0 = stablehlo.constant dense<" + constant +
         "> : " + type + "\n    return %0 : " + type + "\n  }\n}\n";
}

std::vector<double> numbers(const std::string& constant, const std::string& type) {
  const std::vector<Tensor> results = evaluate(read_program(text(constant, type)).graph, std::vector<Tensor>{});
  std::vector<double> all;
  visit_dtype(results[0].dtype(), [&]<class T>(std::type_identity<T>) {
    for (const T each : results[0].span<T>()) all.push_back(static_cast<double>(static_cast<float>(each)));
  });
  return all;
}

int number(const std::string& constant, const std::string& type) {
  try {
    numbers(constant, type);
  } catch (const Error& error) {
    return error.number();
  }
  return 0;
}

using Numbers = std::vector<double>;
const double infinity = HUGE_VAL;

}  // namespace

TEST_CASE("constants of f16 are what f16 makes of them, rounded to bf16, in each form that they are written in") {
  CHECK(numbers("1.5", "tensor<2xf16>") == Numbers{1.5, 1.5});
  CHECK(numbers("[-2.5, 6.550400e+04, 1.0e+06, -7.0e+04]", "tensor<4xf16>") ==
        Numbers{-2.5, 65536, infinity, -infinity});
  CHECK(numbers("[0x3C00, 0xC000, 0x7C00, 0xFC00, 0x0001, 0x3555]", "tensor<6xf16>") ==
        Numbers{1, -2, infinity, -infinity, std::ldexp(1, -24), 0.333984375});
  CHECK(std::isnan(numbers("0x7E00", "tensor<f16>")[0]));
  CHECK(numbers("\"0x003C00C0007C\"", "tensor<3xf16>") == Numbers{1, -2, infinity});
  CHECK(numbers("\"0x003C\"", "tensor<3xf16>") == Numbers{1, 1, 1});
  CHECK(number("\"0x003C00\"", "tensor<3xf16>") == 407);
  CHECK(number("0x13C00", "tensor<f16>") == 407);
  CHECK(!read_program(text("1.5", "tensor<2xf16>")).widened);
  CHECK(read_program(text("1.5", "tensor<2xf16>")).unknown.empty());
  CHECK_THROWS_AS(read(text("1.5", "tensor<2xf16>")), Error);
}

TEST_CASE("bytes of f8, f6 and f4 are the numbers of their format, and a splat of a narrow integer is all of them") {
  CHECK(numbers("\"0x387EC801\"", "tensor<4xf8E4M3FN>") == Numbers{1, 448, -4, std::ldexp(1, -9)});
  CHECK(std::isnan(numbers("0x7F", "tensor<f8E4M3FN>")[0]));
  CHECK(numbers("\"0x3C7B7CFC\"", "tensor<4xf8E5M2>") == Numbers{1, 57344, infinity, -infinity});
  CHECK(numbers("\"0x40FF\"", "tensor<2xf8E4M3FNUZ>") == Numbers{1, -240});
  CHECK(std::isnan(numbers("0x80", "tensor<f8E5M2FNUZ>")[0]));
  CHECK(numbers("\"0x58\"", "tensor<1xf8E4M3B11FNUZ>") == Numbers{1});
  CHECK(numbers("\"0x7F81\"", "tensor<2xf8E8M0FNU>") == Numbers{1, 4});
  CHECK(numbers("\"0x081F3F\"", "tensor<3xf6E2M3FN>") == Numbers{1, 7.5, -7.5});
  CHECK(numbers("\"0x0207090F\"", "tensor<4xf4E2M1FN>") == Numbers{1, 6, -0.5, -6});
  CHECK(numbers("\"0xFF\"", "tensor<3xi8>") == Numbers{-1, -1, -1});
  CHECK(numbers("\"0xFF\"", "tensor<3xui8>") == Numbers{255, 255, 255});
  CHECK(numbers("\"0xFEFF\"", "tensor<2xi16>") == Numbers{-2, -2});
  CHECK(number("\"0xFEFF\"", "tensor<3xi8>") == 407);
  for (const char* none : {"tensor<1xf8E>", "tensor<1xf8E4M9>", "tensor<1xf4E2M1>", "tensor<1xf6E2M3FNUZ>"})
    CHECK(number("\"0x01\"", none) == 410);
}
