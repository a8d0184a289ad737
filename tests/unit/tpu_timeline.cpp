// Timelines: what lies where, and the file that viewers open.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
import octet.base;
import octet.tpu;

using namespace octet;

namespace {

/// Reads JSON, as strictly as the standard says; false where it is none.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_{text} {}
  bool whole() {
    const bool good = value();
    space();
    return good && at_ == text_.size();
  }
  std::size_t objects = 0;

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool eat(char c) {
    space();
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void space() {
    while (at_ < text_.size() && std::string_view{" \n\r\t"}.find(text_[at_]) != std::string_view::npos) ++at_;
  }
  bool string() {
    if (!eat('"')) return false;
    for (; at_ < text_.size() && peek() != '"'; ++at_) {
      if (static_cast<unsigned char>(peek()) < 0x20) return false;
      if (peek() == '\\' && std::string_view{"\"\\/bfnrt"}.find(text_[++at_]) == std::string_view::npos) return false;
    }
    return eat('"');
  }
  bool number() {
    const std::size_t begin = at_;
    while (std::isdigit(static_cast<unsigned char>(peek()))) ++at_;
    if (at_ == begin || (text_[begin] == '0' && at_ > begin + 1)) return false;
    if (peek() != '.') return true;
    const std::size_t point = at_++;
    while (std::isdigit(static_cast<unsigned char>(peek()))) ++at_;
    return at_ > point + 1;
  }
  bool list(char close, auto&& element) {
    if (eat(close)) return true;
    do
      if (!element()) return false;
    while (eat(','));
    return eat(close);
  }
  bool value() {
    space();
    if (eat('{')) {
      ++objects;
      return list('}', [&] { return string() && eat(':') && value(); });
    }
    if (eat('[')) return list(']', [&] { return value(); });
    return peek() == '"' ? string() : number();
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::vector<tpu::Stretch> step() {
  return {{"forward",
           "forward",
           0.004,
           {},
           {{"layer 0", "forward", 0.001, {{"bound by", "memory"}}, {}}, {"layer 1", "forward", 0.003, {}, {}}}},
          {"all-reduce \"of\" \\ \n gradients", "collective", 0.001, {}, {}}};
}

tpu::Feed feed(std::size_t hosts) { return {std::vector<tpu::StageSeconds>(hosts, {0.001, 0.006, 0.0005}), 2, 1}; }

}  // namespace

TEST_CASE("the lanes of a timeline are covered from the beginning to the end, with nothing upon another") {
  const tpu::Timeline timeline = tpu::timeline(step(), feed(1), tpu::slice("v3-8"), {.steps = 6});
  REQUIRE(timeline.lanes.size() == 3 + 8);
  for (std::size_t lane = 0; lane < 3; ++lane) {  // hosts are at later batches while the last steps run
    INFO(timeline.lanes[lane].name);
    double end = 0;
    std::int64_t batches = 0;
    for (const tpu::TimelineEvent& event : timeline.events) {
      if (event.lane != lane) continue;
      CHECK(std::fabs(event.begin - end) < 1e-12);
      end = event.begin + event.seconds;
      batches += event.category != "wait";
    }
    CHECK(std::fabs(end - timeline.seconds) < 1e-12);
    CHECK(batches >= (timeline.lanes[lane].name == "transfer" ? 6 : 7));
  }
  for (std::size_t lane = 3; lane < timeline.lanes.size(); ++lane) {
    INFO(timeline.lanes[lane].name);
    double end = 0, computing = 0, waiting = 0;
    for (const tpu::TimelineEvent& event : timeline.events) {
      if (event.lane != lane || event.name.starts_with("layer")) continue;
      CHECK(std::fabs(event.begin - end) < 1e-12);
      end = event.begin + event.seconds;
      (event.category == "wait" ? waiting : computing) += event.seconds;
    }
    CHECK(std::fabs(end - timeline.seconds) < 1e-12);
    CHECK(std::fabs(computing - 6 * 0.005) < 1e-12);
    CHECK(std::fabs(waiting - (0.0075 + 5 * 0.001)) <
          1e-12);  // the way of the first batch, then what preparing takes longer
  }
}

TEST_CASE("the parts of a stretch lie within it, in a row, on the first replica alone") {
  const tpu::Timeline timeline = tpu::timeline(step(), feed(1), tpu::slice("v3-8"), {.steps = 2});
  std::size_t inner = 0;
  for (std::size_t i = 0; i < timeline.events.size(); ++i) {
    const tpu::TimelineEvent& event = timeline.events[i];
    if (event.name == "forward" && timeline.lanes[event.lane].name == "replica 0") {
      CHECK(timeline.events[i + 1].begin == event.begin);
      CHECK(std::fabs(timeline.events[i + 2].begin + timeline.events[i + 2].seconds - event.begin - event.seconds) <
            1e-12);
    }
    if (!event.name.starts_with("layer")) continue;
    ++inner;
    CHECK(timeline.lanes[event.lane].name == "replica 0");
  }
  CHECK(inner == 4);
}

TEST_CASE("of a large slice the first hosts and replicas are shown, and that is said") {
  const tpu::Timeline timeline = tpu::timeline(step(), feed(128), tpu::slice("v3-1024"), {.steps = 2});
  CHECK(timeline.lanes.size() == 8 * 3 + 8);
  REQUIRE(timeline.notes.size() == 3);
  CHECK(timeline.notes[0].find("8 of 128 hosts") != std::string::npos);
  CHECK(timeline.notes[1].find("8 of 1024 replicas") != std::string::npos);
  CHECK(timeline.lanes.front().group == "host 1");  // as reports count them
}

TEST_CASE("the host that takes longest is always shown") {
  tpu::Feed slow = feed(16);
  slow.hosts[11].prepare = 0.1;
  const auto shown = [&](std::int64_t hosts) {
    return tpu::timeline(step(), slow, tpu::slice("v3-128"), {.steps = 2, .hosts = hosts});
  };
  const tpu::Timeline eight = shown(8);
  CHECK(eight.lanes[6 * 3].group == "host 7");
  CHECK(eight.lanes[7 * 3].group == "host 12");
  CHECK(eight.notes[0] == "the first 7 of 16 hosts are shown, and host 12, which takes longest");
  CHECK(shown(1).lanes[0].group == "host 12");
  CHECK(shown(12).notes[0] == "the first 12 of 16 hosts are shown; no other takes longer");
  CHECK(shown(0).lanes.front().group == "replicas");
}

TEST_CASE("a feed of other hosts than the slice has is refused, and so is a slice that cannot be") {
  const auto number = [](const tpu::Feed& feed, const tpu::Slice& slice) {
    try {
      tpu::timeline({}, feed, slice);
    } catch (const Error& error) {
      return error.number();
    }
    return 0;
  };
  CHECK(number({}, tpu::slice("v3-8")) == 403);
  CHECK(number(feed(2), tpu::slice("v3-8")) == 403);
  CHECK(number(feed(1), tpu::slice("v3-8")) == 0);
  CHECK(number(feed(1), {}) == 604);
}

TEST_CASE("a trace file is JSON, whatever names hold, and has an object for each event and name") {
  const tpu::Timeline timeline = tpu::timeline(step(), feed(4), tpu::slice("v3-32"), {.steps = 3});
  const std::string text = tpu::to_trace_json(timeline);
  Reader reader{text};
  CHECK(reader.whole());
  // Each row has its arguments in an object of their own; a lane has two rows of names, a group two.
  CHECK(reader.objects == 2 + 2 * (timeline.events.size() + 2 * timeline.lanes.size() + 2 * 5));
  CHECK(text.find(R"("name":"all-reduce \"of\" \\   gradients")") != std::string::npos);
  CHECK(text.find("\"ph\":\"X\"") != std::string::npos);
  const std::string none = tpu::to_trace_json({});
  CHECK(Reader{none}.whole());
  CHECK(text.find("nan") == std::string::npos);
}
