// Event files: their bytes by hand, and what a reader of records finds in one that was written.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "scratch.hpp"

import octet.base;
import octet.data;

using namespace octet;
using namespace octet::data;
using namespace std::literals;

namespace {

std::vector<std::string> records_of(const std::filesystem::path& path) {
  RecordReader reader{path};
  std::vector<std::string> records;
  for (std::string record; reader.next(record);) records.push_back(record);
  return records;
}

/// What follows the wall time, which is the first field: nine bytes.
std::string after_time(const std::string& event) {
  REQUIRE(event.size() > 9);
  CHECK(event[0] == 0x09);
  return event.substr(9);
}

}  // namespace

TEST_CASE("events have the bytes that the protocol's description gives") {
  // 2.5 as a double is 0x4004'0000'0000'0000; 1.0 and -0.5 as floats are 0x3f80'0000 and 0xbf00'0000.
  const std::string time = "\x09\0\0\0\0\0\0\x04\x40"s;
  CHECK(encode_version_event(2.5) == time + "\x1a\x0d"s + "brain.Event:2");
  CHECK(encode_start_event(2.5, 300) == time + "\x10\xac\x02\x3a\x02\x08\x01"s);
  const Scalar scalars[] = {{"a", 1.0}, {"train/b", -0.5}};
  CHECK(encode_scalars_event(2.5, 7, scalars) == time + "\x10\x07\x2a\x1a"s + "\x0a\x08\x0a\x01"s + "a" +
                                                     "\x15\0\0\x80\x3f"s + "\x0a\x0e\x0a\x07"s + "train/b" +
                                                     "\x15\0\0\0\xbf"s);
  // Zero is what a field has that is not there.
  CHECK(encode_scalars_event(2.5, 0, {}) == time + "\x2a\0"s);
}

TEST_CASE("a number beyond f32 is an infinity, and a NaN is told as one") {
  const auto value_of = [](double value) {
    const Scalar scalar{"x", value};
    const std::string event = encode_scalars_event(0, 1, {&scalar, 1});
    return event.substr(event.size() - 4);
  };
  CHECK(value_of(1e300) == "\0\0\x80\x7f"s);
  CHECK((static_cast<unsigned char>(value_of(std::numeric_limits<double>::quiet_NaN())[3]) & 0x7f) == 0x7f);
}

TEST_CASE("an event file can be read while it grows") {
  const Scratch directory;
  EventWriter events{directory.path / "deep" / "run"};
  CHECK(events.path().filename().string().starts_with("events.out.tfevents."));
  REQUIRE(records_of(events.path()).size() == 1);
  CHECK(after_time(records_of(events.path())[0]) == "\x1a\x0d"s + "brain.Event:2");
  events.write(1, {{"train/loss", 7.5}});
  REQUIRE(records_of(events.path()).size() == 2);
  CHECK(after_time(records_of(events.path())[1]).starts_with("\x10\x01\x2a"s));
  events.start(2);
  CHECK(after_time(records_of(events.path())[2]) == "\x10\x02\x3a\x02\x08\x01"s);
}

TEST_CASE("writers of one second, however many, do not write over each other, and come in order") {
  const Scratch directory;
  std::vector<std::filesystem::path> paths;
  for (int i = 0; i < 30; ++i) {
    EventWriter events{directory.path};
    events.write(i, {{"x", static_cast<double>(i)}});
    paths.push_back(events.path());
  }
  CHECK(std::ranges::is_sorted(paths, std::ranges::less_equal{}));  // by names of which none is another's
  for (const auto& path : paths) CHECK(records_of(path).size() == 2);
}

TEST_CASE("a directory that cannot be is refused") {
  const Scratch directory;
  std::ofstream{directory.path / "taken"} << "a file";
  int number = 0;
  try {
    const EventWriter events{directory.path / "taken"};
  } catch (const Error& error) {
    number = error.number();
  }
  CHECK(number == 707);
}
