#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scratch.hpp"

import octet.base;
import octet.data;
import octet.text;

using namespace octet;
using namespace octet::data;
using namespace std::literals;

namespace {

using Records = std::vector<std::string>;

std::optional<Diagnostic> refusal(const std::function<void()>& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.diagnostics().front();
  }
  return {};
}
bool says(const Diagnostic& diagnostic, std::string_view part) {
  return diagnostic.text().find(part) != std::string::npos;
}

Records records_of(std::string_view bytes) {
  Records result;
  RecordReader reader{bytes, "some.tfrecord"};
  for (std::string record; reader.next(record);) result.push_back(record);
  return result;
}

std::string file_of(const Records& records) {
  std::string bytes;
  for (const std::string& record : records) append_record(bytes, record);
  return bytes;
}

// A bit at a time, as the definition has it.
std::uint32_t slow_crc32c(std::string_view bytes) {
  std::uint32_t crc = ~0u;
  for (const char byte : bytes)
    for (int bit = 0; bit < 8; ++bit) {
      const bool odd = (crc ^ static_cast<unsigned char>(byte) >> bit) & 1;
      crc = crc >> 1 ^ (odd ? 0x82f6'3b78u : 0);
    }
  return ~crc;
}

}  // namespace

TEST_CASE("the checksum is that of RFC 3720") {
  std::string up, down;
  for (int i = 0; i < 32; ++i) up += static_cast<char>(i);
  for (int i = 31; i >= 0; --i) down += static_cast<char>(i);
  CHECK(crc32c("123456789") == 0xE306'9283u);
  CHECK(crc32c("") == 0);
  CHECK(crc32c(std::string(32, '\0')) == 0x8A91'36AAu);
  CHECK(crc32c(std::string(32, '\xFF')) == 0x62A8'AB43u);
  CHECK(crc32c(up) == 0x46DD'794Eu);
  CHECK(crc32c(down) == 0x113F'DB5Cu);
  const std::string read_command =
      "\x01\xC0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x14\0\0\0\0\0\x04\0\0\0\0\x14\0\0\0\x18\x28\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0"s;
  REQUIRE(read_command.size() == 48);
  CHECK(crc32c(read_command) == 0xD996'3A56u);
}

TEST_CASE("a checksum of two parts is that of the whole, and that of the definition") {
  std::string text;
  for (std::uint64_t i = 0; i < 60; ++i) text += static_cast<char>(bits(Key::of_seed(1), i));
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const std::string_view whole = std::string_view{text}.substr(0, size);
    CHECK(crc32c(whole) == slow_crc32c(whole));
    CHECK(crc32c(whole.substr(size / 3), crc32c(whole.substr(0, size / 3))) == crc32c(whole));
  }
}

TEST_CASE("a record is these bytes") {
  const std::uint32_t length = slow_crc32c("\3\0\0\0\0\0\0\0"sv), content = slow_crc32c("abc");
  const auto masked = [](std::uint32_t crc) {
    const std::uint32_t number = (crc >> 15 | crc << 17) + 0xa282'ead8u;
    return std::string{static_cast<char>(number), static_cast<char>(number >> 8), static_cast<char>(number >> 16),
                       static_cast<char>(number >> 24)};
  };
  CHECK(file_of({"abc"}) == "\3\0\0\0\0\0\0\0"s + masked(length) + "abc" + masked(content));
}

TEST_CASE("records come back, empty ones and those with any bytes too") {
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  const Records records{
      "", "a", std::string(3, '\0'), all, "\uD55C\uAD6D\uC5B4 \u65E5\u672C\u8A9E", "", std::string(100'000, 'x')};
  CHECK(records_of(file_of(records)) == records);
  CHECK(records_of("").empty());
}

TEST_CASE("a file of records is written beside and stands there when it is whole") {
  const Scratch folder;
  const auto path = folder.path / "out.tfrecord";
  text::write_file(path, "what stood here");
  {
    RecordWriter writer{path};
    writer.write("lost");
  }
  CHECK(text::read_file(path) == "what stood here");
  RecordWriter writer{path};
  for (const char* record : {"one", "", "three"}) writer.write(record);
  CHECK(text::read_file(path) == "what stood here");
  writer.put_in_place();
  CHECK(writer.records() == 3);
  CHECK(writer.bytes() == 3 * 16 + 8);
  CHECK(text::read_file(path) == file_of({"one", "", "three"}));
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator{folder.path}) files += entry.exists();
  CHECK(files == 1);

  RecordReader reader{path};
  std::string record;
  CHECK((reader.next(record) && record == "one" && reader.next(record) && record.empty()));
  const RecordPosition position = reader.position();
  CHECK(position == RecordPosition{2, 35});
  CHECK((reader.next(record) && record == "three" && !reader.next(record) && !reader.next(record)));
  reader.seek(position);
  CHECK((reader.next(record) && record == "three"));
  CHECK(refusal([&] { reader.seek({9, 1000}); }).value().number == 722);
  CHECK(refusal([&] { RecordReader{folder.path / "missing"}; }).value().number == 701);
  CHECK(refusal([&] { RecordReader{folder.path}; }).value().number == 701);
  CHECK(refusal([&] { RecordWriter{folder.path / "missing" / "file"}; }).value().number == 707);
}

TEST_CASE("a file cut short anywhere is refused at the record") {
  const std::string whole = file_of({"first", "second", ""});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto cut = refusal([&] { records_of(std::string_view{whole}.substr(0, size)); });
    const std::size_t ends[] = {0, 21, 43};
    if (size == 0 || size == 21 || size == 43) {
      CHECK(!cut);
      continue;
    }
    REQUIRE(cut);
    CHECK(cut->number == 722);
    const std::size_t record = size < 21 ? 0 : size < 43 ? 1 : 2;
    CHECK(says(*cut, "record " + std::to_string(record + 1) + " of some.tfrecord, which begins at byte " +
                         std::to_string(ends[record]) + ", is cut short"));
  }
}

TEST_CASE("a file with any bit altered is refused at the record") {
  const std::string whole = file_of({"first", "second", ""});
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string altered = whole;
      altered[at] = static_cast<char>(altered[at] ^ 1 << bit);
      const auto fault = refusal([&] { records_of(altered); });
      REQUIRE(fault);
      CHECK(fault->number == 722);
      CHECK(says(*fault, at < 21 ? "record 1 of" : at < 43 ? "record 2 of" : "record 3 of"));
    }
}

TEST_CASE(
    "records taken out, doubled or exchanged are records still, and a length that is true but not there is refused") {
  std::string false_length = "\xFF\xFF\xFF\x7F\0\0\0\0"s;
  const std::uint32_t checksum = masked_crc32c(false_length);
  for (int shift = 0; shift < 32; shift += 8) false_length += static_cast<char>(checksum >> shift);
  const auto fault = refusal([&] { records_of(false_length + "abc"); });
  REQUIRE(fault);
  CHECK(fault->number == 722);
  CHECK(says(*fault, "the file has 3 of its 2147483647 bytes"));
  CHECK(says(refusal([] { records_of("\x1F\x8B\x08\0\0\0\0\0\0\3"s); }).value(), "gzip"));
  CHECK(says(refusal([] { records_of("some text that is longer than a header"); }).value(), "no TFRecord file"));
}
