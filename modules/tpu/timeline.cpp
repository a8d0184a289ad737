module octet.tpu;
import octet.base;
import octet.standard;
import :feed;
import :slice;
import :timeline;

namespace octet::tpu {

namespace {

class Drawing {
 public:
  Drawing(const std::vector<Stretch>& step, const Feed& feed, const Slice& slice, const TimelineOptions& options)
      : step_{step},
        count_{static_cast<std::size_t>(std::max<std::int64_t>(0, options.steps))},
        replicas_{std::min(slice.replicas, options.replicas)} {
    require_made(slice);
    if (static_cast<std::int64_t>(feed.hosts.size()) != slice.hosts)
      fail({.number = 403,
            .sentence = "A feed of " + std::to_string(feed.hosts.size()) + " hosts cannot be drawn for " + slice.name +
                        ", which has " + std::to_string(slice.hosts) + ".",
            .fix = {"make it for that slice: tpu::feed(options, slice, batch)"}});
    double seconds = 0;
    for (const Stretch& stretch : step) seconds += stretch.seconds;
    // While the last steps run, hosts are at batches that come after.
    constexpr std::int64_t most_after = 4096;
    const auto after = std::clamp<std::int64_t>(feed.prefetch, 0, most_after);
    steps_ = fed_steps(feed, seconds, static_cast<std::int64_t>(count_) + (count_ > 0 ? after : 0));
    result_.seconds = count_ == 0 ? 0 : steps_[count_ - 1].step.end;
    choose_hosts(feed, slice.hosts, options.hosts);
    if (replicas_ < slice.replicas)
      result_.notes.push_back("the first " + std::to_string(replicas_) + " of " + std::to_string(slice.replicas) +
                              " replicas are shown; all do the same at the same time");
    if (replicas_ > 1) result_.notes.push_back("operations are shown on replica 0 alone");
  }

  Timeline run() {
    for (const std::size_t h : hosts_) host(h);
    for (std::int64_t r = 0; r < replicas_; ++r) replica(r);
    return std::move(result_);
  }

 private:
  /// The first hosts, and the one that takes longest.
  void choose_hosts(const Feed& feed, std::int64_t all, std::int64_t most) {
    const auto shown = static_cast<std::size_t>(std::clamp<std::int64_t>(most, 0, all));
    for (std::size_t h = 0; h < shown; ++h) hosts_.push_back(h);
    if (hosts_.empty() || static_cast<std::int64_t>(shown) == all) return;
    const auto slowest = static_cast<std::size_t>(
        std::max_element(feed.hosts.begin(), feed.hosts.end(),
                         [](const StageSeconds& a, const StageSeconds& b) { return a.all() < b.all(); }) -
        feed.hosts.begin());
    const bool further = slowest >= shown;
    if (further) hosts_.back() = slowest;
    const std::size_t first = shown - (further ? 1 : 0);
    const std::string of = " of " + std::to_string(all) + " hosts";
    result_.notes.push_back(!further ? "the first " + std::to_string(shown) + of + " are shown; no other takes longer"
                            : first > 0
                                ? "the first " + std::to_string(first) + of + " are shown, and host " +
                                      std::to_string(slowest + 1) + ", which takes longest"
                                : "host " + std::to_string(slowest + 1) + of + " is shown, which takes longest");
  }

  void lane(std::string group, std::string name) { result_.lanes.push_back({std::move(group), std::move(name)}); }
  void event(std::string name, std::string category, double begin, double seconds, std::size_t step,
             std::vector<std::pair<std::string, std::string>> facts = {}) {
    if (seconds > 0)
      result_.events.push_back({result_.lanes.size() - 1, std::move(name), std::move(category), begin, seconds,
                                static_cast<std::int64_t>(step), std::move(facts)});
  }

  void host(std::size_t h) {
    const auto thread = [&](const std::string& name, FedStep::Span FedStep::Host::* span) {
      lane("host " + std::to_string(h + 1), name);  // as reports count them
      const double end = result_.seconds;
      double free = 0;
      for (std::size_t s = 0; s < steps_.size() && free < end; ++s) {
        const FedStep::Span& now = steps_[s].hosts[h].*span;
        const double begin = std::min(now.begin, end);
        event("waits", "wait", free, begin - free, s);
        event(name + " batch " + std::to_string(s), name, begin, std::min(now.end, end) - begin, s);
        free = now.end;
      }
      event("waits", "wait", free, end - free, steps_.size());
    };
    thread("read", &FedStep::Host::read);
    thread("prepare", &FedStep::Host::prepare);
    thread("transfer", &FedStep::Host::transfer);
  }

  void replica(std::int64_t number) {
    lane("replicas", "replica " + std::to_string(number));
    double free = 0;
    for (std::size_t s = 0; s < count_; ++s) {
      event("waits for batch " + std::to_string(s), "wait", free, steps_[s].step.begin - free, s);
      double at = steps_[s].step.begin;
      for (const Stretch& stretch : step_) at = draw(stretch, at, s, number == 0);
      free = steps_[s].step.end;
    }
  }

  double draw(const Stretch& stretch, double begin, std::size_t step, bool with_parts) {
    event(stretch.name, stretch.category, begin, stretch.seconds, step, stretch.facts);
    double at = begin;
    if (with_parts)
      for (const Stretch& part : stretch.parts) at = draw(part, at, step, true);
    return begin + stretch.seconds;
  }

  const std::vector<Stretch>& step_;
  std::size_t count_;  ///< of steps that are drawn
  std::vector<std::size_t> hosts_;
  std::int64_t replicas_;
  std::vector<FedStep> steps_;
  Timeline result_;
};

/// As a JSON string; bytes that JSON has no room for become spaces.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + "\"";
}

std::uint64_t nanoseconds(double seconds) {
  return static_cast<std::uint64_t>(std::clamp(seconds * 1e9 + 0.5, 0.0, 9e18));
}

/// As microseconds.
std::string microseconds(std::uint64_t nanoseconds) {
  std::string fraction = std::to_string(nanoseconds % 1000);
  fraction.insert(0, 3 - fraction.size(), '0');
  return std::to_string(nanoseconds / 1000) + "." + fraction;
}

}  // namespace

std::int64_t stretches_of(const std::vector<Stretch>& step) {
  auto count = static_cast<std::int64_t>(step.size());
  for (const Stretch& stretch : step) count += stretches_of(stretch.parts);
  return count;
}

Timeline timeline(const std::vector<Stretch>& step, const Feed& feed, const Slice& slice,
                  const TimelineOptions& options) {
  return Drawing{step, feed, slice, options}.run();
}

std::string to_trace_json(const Timeline& timeline) {
  std::string text = "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"program\":\"octet\"";
  for (std::size_t i = 0; i < timeline.notes.size(); ++i)
    text += ",\"note " + std::to_string(i + 1) + "\":" + quoted(timeline.notes[i]);
  text += "},\"traceEvents\":[\n";
  // A group is a process, a lane a thread of it; metadata give them their names and keep their order.
  std::vector<std::pair<std::size_t, std::size_t>> places;
  std::vector<std::string> rows;
  std::size_t process = 0, thread = 0;
  for (std::size_t l = 0; l < timeline.lanes.size(); ++l) {
    const TimelineLane& lane = timeline.lanes[l];
    const bool is_new = l == 0 || lane.group != timeline.lanes[l - 1].group;
    if (is_new) ++process, thread = 0;
    places.emplace_back(process, ++thread);
    const std::string at = "\"pid\":" + std::to_string(process) + ",\"tid\":" + std::to_string(thread);
    const auto metadata = [&](const std::string& what, const std::string& arguments) {
      rows.push_back("{\"ph\":\"M\"," + at + ",\"name\":\"" + what + "\",\"args\":{" + arguments + "}}");
    };
    if (is_new) {
      metadata("process_name", "\"name\":" + quoted(lane.group));
      metadata("process_sort_index", "\"sort_index\":" + std::to_string(process));
    }
    metadata("thread_name", "\"name\":" + quoted(lane.name));
    metadata("thread_sort_index", "\"sort_index\":" + std::to_string(thread));
  }
  for (std::size_t r = 0; r < rows.size(); ++r) text += (r ? ",\n" : "") + rows[r];
  for (const TimelineEvent& event : timeline.events) {
    const auto& [pid, tid] = places[event.lane];
    // The end is rounded, not the length: so what follows begins where this ends.
    const std::uint64_t begin = nanoseconds(event.begin), end = nanoseconds(event.begin + event.seconds);
    text += ",\n{\"ph\":\"X\",\"pid\":" + std::to_string(pid) + ",\"tid\":" + std::to_string(tid) +
            ",\"name\":" + quoted(event.name) + ",\"cat\":" + quoted(event.category) +
            ",\"ts\":" + microseconds(begin) + ",\"dur\":" + microseconds(end - begin) +
            ",\"args\":{\"step\":" + std::to_string(event.step);
    for (const auto& [name, value] : event.facts) text += "," + quoted(name) + ":" + quoted(value);
    text += "}}";
  }
  return text + "\n]}\n";
}

}  // namespace octet::tpu
