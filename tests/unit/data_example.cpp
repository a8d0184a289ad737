#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

import octet.base;
import octet.data;

using namespace octet;
using namespace octet::data;
using namespace std::literals;

namespace {

// The number of the message that refuses these bytes; 0 where they are an example.
int number_of(std::string_view bytes) {
  try {
    decode_example(bytes);
  } catch (const Error& error) {
    return error.number();
  }
  return 0;
}

// A message with one part of a field: the field's number must be below 16, the part shorter than 128 bytes.
std::string part(int field, const std::string& content) {
  return std::string{static_cast<char>(field << 3 | 2), static_cast<char>(content.size())} + content;
}
std::string example_of(const std::string& name, const std::string& feature) {
  return part(1, part(1, part(1, name) + part(2, feature)));
}

}  // namespace

TEST_CASE("an example of whole numbers is these bytes") {
  const std::string bytes =
      "\x0A\x0E\x0A\x0C\x0A\x01"
      "a\x12\x07\x1A\x05\x0A\x03\x01\xAC\x02"s;
  const Features features{{"a", Int64List{1, 300}}};
  CHECK(encode_example(features) == bytes);
  CHECK(decode_example(bytes) == features);
}

TEST_CASE("an example of floats is these bytes") {
  const std::string bytes =
      "\x0A\x13\x0A\x11\x0A\x01"
      "w\x12\x0C\x12\x0A\x0A\x08\0\0\x80\x3F\0\0\0\xC0"s;
  const Features features{{"w", FloatList{1.0f, -2.0f}}};
  CHECK(encode_example(features) == bytes);
  CHECK(decode_example(bytes) == features);
}

TEST_CASE("an example of bytes is these bytes") {
  const std::string bytes =
      "\x0A\x10\x0A\x0E\x0A\x01"
      "b\x12\x09\x0A\x07\x0A\x03x\0z\x0A\0"s;
  const Features features{{"b", BytesList{"x\0z"s, ""}}};
  CHECK(encode_example(features) == bytes);
  CHECK(decode_example(bytes) == features);
}

TEST_CASE("features stand in the order of their names' bytes, and come back whatever they hold") {
  const Features features{{"", Int64List{}},
                          {"B", FloatList{}},
                          {"a", BytesList{}},
                          {"none", std::monostate{}},
                          {"\uD55C\uAD6D\uC5B4", BytesList{"\u65E5\u672C\u8A9E", std::string(1000, '\xFF')}},
                          {"extreme", Int64List{0, -1, std::numeric_limits<std::int64_t>::min(),
                                                std::numeric_limits<std::int64_t>::max(), 127, 128, -128}},
                          {"f", FloatList{0.0f, -0.0f, std::numeric_limits<float>::infinity(), 1e-45f}}};
  const std::string bytes = encode_example(features);
  CHECK(decode_example(bytes) == features);
  CHECK(encode_example(decode_example(bytes)) == bytes);
  CHECK(bytes.find("B") < bytes.find("extreme"));
  const Features nan = decode_example(encode_example({{"n", FloatList{std::nanf("")}}}));
  CHECK(std::isnan(std::get<FloatList>(nan.at("n")).at(0)));
  CHECK(decode_example(encode_example({})).empty());
  CHECK(decode_example("").empty());
}

TEST_CASE("numbers that are not packed are read too, and parts of a list are put together") {
  CHECK(decode_example(example_of("a", part(3, "\x08\x01\x08\xAC\x02"s))) == Features{{"a", Int64List{1, 300}}});
  CHECK(decode_example(example_of("a", part(3, "\x08\x01\x0A\x02\x02\x03\x08\x04"s))) ==
        Features{{"a", Int64List{1, 2, 3, 4}}});
  CHECK(decode_example(example_of("a", part(2, "\x0D\0\0\x80\x3F"s))) == Features{{"a", FloatList{1.0f}}});
  CHECK(decode_example(example_of("a", part(3, "\x08\x01"s) + part(3, "\x08\x02"s))) ==
        Features{{"a", Int64List{1, 2}}});
}

TEST_CASE("of two kinds of list in a feature, and of two features of a name, the last one counts") {
  CHECK(decode_example(example_of("a", part(3, "\x08\x01"s) + part(1, part(1, "x")))) ==
        Features{{"a", BytesList{"x"}}});
  CHECK(decode_example(example_of("a", part(3, "\x08\x01"s)) + example_of("a", part(3, "\x08\x02"s))) ==
        Features{{"a", Int64List{2}}});
}

TEST_CASE("fields that are not known are passed over") {
  const std::string known = example_of("a", part(3, "\x08\x01"s));
  CHECK(decode_example("\x10\x05"s + known +
                       "\x19"
                       "12345678"s +
                       "\x25"
                       "1234"s +
                       part(7, "some")) == Features{{"a", Int64List{1}}});
}

TEST_CASE("an example cut short anywhere is refused or is a shorter example, never anything else") {
  const std::string whole =
      encode_example({{"a", Int64List{1, 300, -1}}, {"b", FloatList{1, 2}}, {"c", BytesList{"some", "bytes"}}});
  for (std::size_t size = 1; size < whole.size(); ++size)
    CHECK(number_of(std::string_view{whole}.substr(0, size)) == 723);
}

TEST_CASE("bytes that are no example are refused with the byte at fault") {
  CHECK(number_of("text") == 723);
  CHECK(number_of("\x00"s) == 723);                                          // a field of the number 0
  CHECK(number_of("\x0B"s) == 723);                                          // a group
  CHECK(number_of("\x08\x01"s) == 723);                                      // features that are a number
  CHECK(number_of(std::string(11, '\xFF')) == 723);                          // a number without an end
  CHECK(number_of("\x10\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02"s) == 723);  // of 65 bits
  CHECK(number_of(example_of("a", part(2, part(1, "\0\0\x80"s)))) == 723);   // three bytes of a float
  CHECK(number_of(example_of("a", part(3, "\x0D\0\0\x80\x3F"s))) == 723);    // a float among whole numbers
  CHECK(number_of(example_of("\xFF", part(3, ""))) == 723);                  // a name that is not UTF-8
  try {
    decode_example("\x0A\x7F", "record 7 of some.tfrecord");
    FAIL("it is no example");
  } catch (const Error& error) {
    CHECK(std::string{error.what()}.find("record 7 of some.tfrecord is no tf.train.Example: at byte 1 of it") !=
          std::string::npos);
  }
}
