#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

import octet.base;
import octet.train;

using namespace octet;
using namespace octet::train;

namespace {

// A file with this header, padded as the format asks, and `data_bytes` bytes of zeros after it.
std::string file_of(std::string header, std::size_t data_bytes) {
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::string bytes(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + std::string(data_bytes, '\0');
}

// The message about these bytes; empty where they are accepted.
std::string refusal(std::string_view bytes) {
  try {
    parse_safetensors(bytes, "weights.safetensors");
  } catch (const Error& error) {
    CHECK(error.number() == 715);
    return error.diagnostics().front().sentence;
  }
  return {};
}

bool says(const std::string& message, std::string_view part) {
  INFO(message);
  const bool found = message.find(part) != std::string::npos;
  CHECK(found);
  return found;
}

Safetensors every_type() {
  Safetensors content;
  content.tensors = {{"truth", Tensor::of<bool>({3}, {true, false, true})},
                     {"i32", Tensor::of<std::int32_t>({2}, {-1, std::numeric_limits<std::int32_t>::min()})},
                     {"i64", Tensor::of<std::int64_t>({1, 1}, {std::numeric_limits<std::int64_t>::max()})},
                     {"u32", Tensor::scalar<std::uint32_t>(4'294'967'295u)},
                     {"bf16", Tensor::of<bfloat16>({2}, {bfloat16{1.5f}, bfloat16{-0.0f}})},
                     {"f32", Tensor::of<float>({2, 2}, {-0.0f, 1e-45f, std::numeric_limits<float>::quiet_NaN(), 3.0f})},
                     {"f64", Tensor::scalar<double>(0.1)},
                     {"nothing", Tensor{DType::f32, Shape{4, 0, 7}}},
                     {"\"단어\\\n\U0001F600\"", Tensor::scalar<float>(7.0f)}};
  content.metadata = {{"format", "pt"}, {"한국어", "a \"quoted\"\tvalue\x01"}};
  return content;
}

}  // namespace

TEST_CASE("tensors of every type come back from safetensors to the bit, with names and metadata") {
  const Safetensors content = every_type();
  const Safetensors read = parse_safetensors(safetensors_bytes(content), "all");
  REQUIRE(read.tensors.size() == content.tensors.size());
  for (std::size_t i = 0; i < read.tensors.size(); ++i) {
    CHECK(read.tensors[i].name == content.tensors[i].name);
    CHECK(read.tensors[i].tensor == content.tensors[i].tensor);
  }
  CHECK(read.metadata == content.metadata);
}

TEST_CASE("the bytes of a safetensors file are those of the format's description") {
  const std::string bytes = safetensors_bytes({{{"a", Tensor::of<std::int32_t>({2}, {1, -1})}}, {{"format", "pt"}}});
  const std::string header = R"({"__metadata__":{"format":"pt"},"a":{"dtype":"I32","shape":[2],"data_offsets":[0,8]}})";
  const std::size_t padded = (header.size() + 7) / 8 * 8;
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  CHECK(length == padded);
  CHECK(bytes.substr(8, padded) == header + std::string(padded - header.size(), ' '));
  CHECK(bytes.substr(8 + padded) == std::string("\x01\0\0\0\xFF\xFF\xFF\xFF", 8));
}

TEST_CASE("a file without tensors is a safetensors file") {
  CHECK(parse_safetensors(safetensors_bytes({}), "none").tensors.empty());
  CHECK(parse_safetensors(file_of("{}", 0), "none").tensors.empty());
}

TEST_CASE("tensors come in the order of their data, not of their names in the header") {
  const auto read = parse_safetensors(file_of(R"({"late":{"dtype":"F32","shape":[],"data_offsets":[4,8]},
                                                  "early":{"data_offsets":[0,4],"shape":[1],"dtype":"F32"}})",
                                              8),
                                      "two");
  REQUIRE(read.tensors.size() == 2);
  CHECK(read.tensors[0].name == "early");
  CHECK(read.tensors[1].tensor.shape() == Shape{});
}

TEST_CASE("a safetensors file cut short anywhere is refused") {
  const std::string whole = safetensors_bytes(every_type());
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK_FALSE(refusal(std::string_view{whole}.substr(0, size)).empty());
  CHECK_FALSE(refusal(whole + "x").empty());
}

TEST_CASE("a header length that the file cannot hold is refused before anything is allocated") {
  for (const std::uint64_t length :
       {std::uint64_t{3}, std::uint64_t{100'000'001}, std::numeric_limits<std::uint64_t>::max(),
        std::numeric_limits<std::uint64_t>::max() - 7}) {
    std::string bytes(10, ' ');
    std::memcpy(bytes.data(), &length, 8);
    says(refusal(bytes), "its header is said to be " + std::to_string(length) + " bytes long, and 2 follow");
  }
}

TEST_CASE("broken JSON in a header is refused with the byte") {
  says(refusal(file_of(R"({"a":{"dtype":"F32",,"shape":[],"data_offsets":[0,4]}})", 4)), "broken at byte 28");
  says(refusal(file_of(R"({"a":{"dtype":"F32)", 4)), "broken at byte");
  says(refusal(file_of("{\"a\xFF\":1}", 0)), "broken at byte 11: the bytes are not UTF-8");
  says(refusal(file_of("[1]", 0)), "it is not a JSON object");
  says(refusal(file_of("", 0)), "broken at byte 8");
  says(refusal(file_of("{} {}", 0)), "broken at byte");
  std::string deep = "{\"a\":";
  for (int i = 0; i < 100'000; ++i) deep += '[';
  says(refusal(file_of(deep, 0)), "broken at byte");
  says(refusal(file_of(deep + std::string(100'000, ']') + "}", 0)), "broken at byte");
}

TEST_CASE("a tensor that stands twice in a header is refused") {
  says(
      refusal(file_of(
          R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
          8)),
      R"(the key "a" stands twice)");
  says(refusal(file_of(R"({"a":{"dtype":"F32","dtype":"F64","shape":[1],"data_offsets":[0,4]}})", 4)),
       R"(the key "dtype" stands twice)");
}

TEST_CASE("offsets that overlap, leave gaps or lead out of the file are refused") {
  const auto two = [](const char* first, const char* second) {
    return std::string{R"({"a":{"dtype":"F32","shape":[2],"data_offsets":)"} + first +
           R"(},"b":{"dtype":"F32","shape":[2],"data_offsets":)" + second + "}}";
  };
  CHECK(refusal(file_of(two("[0,8]", "[8,16]"), 16)).empty());
  says(refusal(file_of(two("[0,8]", "[4,12]"), 12)), "overlap");
  says(refusal(file_of(two("[0,8]", "[0,8]"), 8)), "overlap");
  says(refusal(file_of(two("[0,8]", "[12,20]"), 20)), "a gap");
  says(refusal(file_of(two("[0,8]", "[8,16]"), 20)), "end at byte 16 of the data, which has 20");
  says(refusal(file_of(two("[0,8]", "[8,16]"), 15)), "of the data, which has 15");
  says(refusal(file_of(two("[8,0]", "[8,16]"), 16)), "is said to be at bytes 8 to 0");
  says(refusal(file_of(two("[0,8]", "[8,9223372036854775807]"), 16)), "which has 16");
  for (const char* offsets : {"[0]", "[0,8,16]", "[-8,0]", "[0,8.5]", "[0,18446744073709551615]", "8", "null"})
    says(refusal(file_of(two(offsets, "[8,16]"), 16)), "has no \"data_offsets\" of two whole numbers");
}

TEST_CASE("a shape that does not fit its bytes is refused, however large it is") {
  const auto of_shape = [](const std::string& shape) {
    return file_of(R"({"a":{"dtype":"F32","shape":)" + shape + R"(,"data_offsets":[0,8]}})", 8);
  };
  CHECK(refusal(of_shape("[2]")).empty());
  CHECK(refusal(of_shape("[1,2,1]")).empty());
  says(refusal(of_shape("[3]")), "needs 12 bytes and has 8");
  says(refusal(of_shape("[]")), "needs 4 bytes and has 8");
  says(refusal(of_shape("[0]")), "needs 0 bytes and has 8");
  says(refusal(of_shape("[4294967296,4294967296]")), "larger than any memory");
  says(refusal(of_shape("[4294967296,4294967296,0]")), "larger than any memory");
  says(refusal(of_shape("[0,9223372036854775807]")), "larger than any memory");
  says(refusal(of_shape("[4611686018427387906]")), "larger than any memory");
  for (const char* shape : {"[-2]", "[2.0]", "[\"2\"]", "2", "[[2]]"})
    says(refusal(of_shape(shape)), "has no \"shape\" of whole numbers");
}

TEST_CASE("numbers that Octet does not compute with are read as some that hold them all") {
  const auto read = [](const char* dtype, const std::vector<unsigned char>& data) {
    std::string bytes = file_of("{\"a\":{\"dtype\":\"" + std::string{dtype} + "\",\"shape\":[" +
                                    std::to_string(data.size() / (dtype[1] == '8' ? 1 : 2)) + "],\"data_offsets\":[0," +
                                    std::to_string(data.size()) + "]}}",
                                data.size());
    std::memcpy(bytes.data() + bytes.size() - data.size(), data.data(), data.size());
    return parse_safetensors(bytes, "weights.safetensors")["a"];
  };
  CHECK(read("U8", {0, 200}) == Tensor::of<std::int32_t>({2}, {0, 200}));
  CHECK(read("I8", {0, 200}) == Tensor::of<std::int32_t>({2}, {0, -56}));
  CHECK(read("U16", {1, 255}) == Tensor::of<std::int32_t>({1}, {0xff01}));
  CHECK(read("I16", {1, 255}) == Tensor::of<std::int32_t>({1}, {-255}));
  const Tensor halves = read("F16", {0x00, 0x3c, 0x00, 0xc0, 0xff, 0x7b, 0x00, 0x04, 0xff, 0x03,
                                     0x01, 0x00, 0x00, 0x80, 0x00, 0x7c, 0x00, 0xfc, 0x01, 0x7e});
  const float infinity = std::numeric_limits<float>::infinity();
  const float expected[]{1, -2, 65504, 0x1p-14f, 0x1.ff8p-15f, 0x1p-24f, -0.0f, infinity, -infinity};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    CHECK(halves.span<float>()[i] == expected[i]);
    CHECK(std::signbit(halves.span<float>()[i]) == std::signbit(expected[i]));
  }
  CHECK(std::isnan(halves.span<float>()[9]));
}

TEST_CASE("element types that Octet does not have are refused by name, with what to do") {
  for (const std::string dtype : {"U64", "F8_E4M3", "f32", "f16", ""}) {
    const std::string bytes = file_of("{\"a\":{\"dtype\":\"" + dtype + R"(","shape":[1],"data_offsets":[0,2]}})", 2);
    says(refusal(bytes), "has the dtype \"" + dtype + "\", which Octet does not have");
  }
  says(refusal(file_of(R"({"a":{"shape":[1],"data_offsets":[0,4]}})", 4)), "has no \"dtype\"");
  says(refusal(file_of(R"({"a":[1,2]})", 4)), "is not an object");
}

TEST_CASE("truth values other than 0 and 1 are refused") {
  std::string bytes = file_of(R"({"a":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}})", 2);
  CHECK(refusal(bytes).empty());
  bytes.back() = 2;
  says(refusal(bytes), "other bytes than 0 and 1");
}

TEST_CASE("metadata that is not text is refused") {
  says(refusal(file_of(R"({"__metadata__":{"step":7}})", 0)), "a value that is not a string, for \"step\"");
  says(refusal(file_of(R"({"__metadata__":"pt"})", 0)), "is not an object");
}

TEST_CASE("two tensors of one name are not written") {
  CHECK_THROWS_AS(safetensors_bytes({{{"a", Tensor{}}, {"a", Tensor{}}}, {}}), Error);
  CHECK_THROWS_AS(safetensors_bytes({{{"__metadata__", Tensor{}}}, {}}), Error);
  CHECK_THROWS_AS(safetensors_bytes({{{"\xFF", Tensor{}}}, {}}), Error);
}

TEST_CASE("a tensor is found by its name, and its absence says so") {
  const Safetensors content = every_type();
  CHECK(content["f64"].item() == 0.1);
  try {
    content["f16"];
    FAIL("found");
  } catch (const Error& error) {
    CHECK(error.number() == 715);
    says(error.diagnostics().front().sentence, "holds no tensor \"f16\"");
  }
}

TEST_CASE("a safetensors file that is missing is X701") {
  try {
    load_safetensors(std::filesystem::temp_directory_path() / "octet-train-no-such-file.safetensors");
    FAIL("loaded");
  } catch (const Error& error) {
    CHECK(error.number() == 701);
  }
}
