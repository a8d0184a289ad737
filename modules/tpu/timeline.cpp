module octet.tpu;
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
        hosts_{std::min(slice.hosts, options.hosts)},
        replicas_{std::min(slice.replicas, options.replicas)} {
    double seconds = 0;
    for (const Stretch& stretch : step) seconds += stretch.seconds;
    steps_ = fed_steps(feed, seconds, options.steps);
    result_.seconds = steps_.empty() ? 0 : steps_.back().step.end;
    if (hosts_ < slice.hosts)
      result_.notes.push_back("the first " + std::to_string(hosts_) + " of " + std::to_string(slice.hosts) +
                              " hosts are shown; the others do as they do");
    if (replicas_ < slice.replicas)
      result_.notes.push_back("the first " + std::to_string(replicas_) + " of " + std::to_string(slice.replicas) +
                              " replicas are shown; all do the same at the same time");
    if (replicas_ > 1) result_.notes.push_back("operations are shown on replica 0 alone");
  }

  Timeline run() {
    for (std::int64_t h = 0; h < hosts_; ++h) host(static_cast<std::size_t>(h));
    for (std::int64_t r = 0; r < replicas_; ++r) replica(r);
    return std::move(result_);
  }

 private:
  void lane(std::string group, std::string name) { result_.lanes.push_back({std::move(group), std::move(name)}); }
  void event(std::string name, std::string category, double begin, double seconds, std::size_t step,
             std::vector<std::pair<std::string, std::string>> facts = {}) {
    if (seconds > 0)
      result_.events.push_back({result_.lanes.size() - 1, std::move(name), std::move(category), begin, seconds,
                                static_cast<std::int64_t>(step), std::move(facts)});
  }

  void host(std::size_t h) {
    const auto thread = [&](const std::string& name, FedStep::Span FedStep::Host::* span) {
      lane("host " + std::to_string(h), name);
      double free = 0;
      for (std::size_t s = 0; s < steps_.size(); ++s) {
        const FedStep::Span& now = steps_[s].hosts[h].*span;
        event("waits", "wait", free, now.begin - free, s);
        event(name + " batch " + std::to_string(s), name, now.begin, now.end - now.begin, s);
        free = now.end;
      }
    };
    thread("read", &FedStep::Host::read);
    thread("prepare", &FedStep::Host::prepare);
    thread("transfer", &FedStep::Host::transfer);
  }

  void replica(std::int64_t number) {
    lane("replicas", "replica " + std::to_string(number));
    double free = 0;
    for (std::size_t s = 0; s < steps_.size(); ++s) {
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
  std::int64_t hosts_, replicas_;
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
