
#include "json.hpp"
#include "output.hpp"
#include "terminal.hpp"

#include "bench_explain.hpp"
import octet.standard;
import octet;

namespace program {

namespace {

/// The places that lines name by number: many kernels come from few places, whose names are long.
class Places {
 public:
  /// " [N]", or nothing for a place that is not known.
  std::string mark(const octet::Place& place) {
    if (!place.known()) return {};
    const std::string name = octet::to_string(place);
    const auto at = std::ranges::find(names_, name) - names_.begin();
    if (at == std::ssize(names_)) names_.push_back(name);
    return " [" + std::to_string(at + 1) + "]";
  }

  void list() const {
    if (names_.empty()) return;
    print("\n    where");
    for (std::size_t at = 0; at < names_.size(); ++at)
      print("    [" + std::to_string(at + 1) + "]  " + names_[at]);
  }

 private:
  std::vector<std::string> names_;
};

/// "add, add, add, sqrt" as "3 add, sqrt".
std::string in_short(std::string_view kernel) {
  const auto colon = kernel.find(": ");
  if (colon == kernel.npos) return std::string{kernel};
  std::string text{kernel.substr(0, colon + 2)};
  std::string_view rest = kernel.substr(colon + 2), last;
  int count = 0;
  const auto add = [&] {
    if (count == 0) return;
    if (!text.ends_with(": ")) text += ", ";
    if (count > 1) text += std::to_string(count) + " ";
    text += last;
  };
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(", "));
    rest.remove_prefix(std::min(rest.size(), one.size() + 2));
    if (one != last) {
      add();
      last = one;
      count = 0;
    }
    ++count;
  }
  add();
  return text;
}

void explain_kernels(const StepSize& size, const std::vector<octet::KernelProfile>& profile, double runs,
                     const Roof& roof, bool json, Places& places) {
  struct Line {
    octet::KernelProfile total;
    long long count = 0;
  };
  std::map<std::string, Line> by_kernel;
  double seconds = 0;
  for (const octet::KernelProfile& kernel : profile) {
    Line& line = by_kernel.try_emplace(kernel.kernel, Line{kernel, 0}).first->second;
    if (line.count++ > 0) {
      line.total.seconds += kernel.seconds;
      line.total.operations += kernel.operations;
      line.total.bytes += kernel.bytes;
    }
    seconds += kernel.seconds;
  }
  std::vector<Line> lines;
  for (auto& [kernel, line] : by_kernel) lines.push_back(std::move(line));
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.total.seconds > b.total.seconds; });
  if (!json)
    print("\n    share       ms  calls  of its roof         kernel [where]\n    arithmetic: " +
          fixed(roof.operations / 1e9, 0) + " Gflop/s" +
          (roof.products > roof.operations ? ", of products " + fixed(roof.products / 1e9, 0) : std::string{}) +
          "; memory: " + fixed(roof.bytes / 1e9, 1) + " GB/s copied by one thread");
  for (const Line& line : lines) {
    const octet::KernelProfile& total = line.total;
    const double peak = total.kernel.starts_with("dot_general") ? roof.products : roof.operations;
    const double arithmetic = total.operations / runs / peak, memory = total.bytes / runs / roof.bytes;
    const char* const bound = arithmetic >= memory ? "arithmetic" : "memory";
    const double seconds_a_step = total.seconds / runs, of_roof = std::max(arithmetic, memory) / seconds_a_step;
    if (json)
      print(JsonObject{}
                .add("bench", "kernel")
                .add("name", size.name)
                .add("kernel", total.kernel)
                .add("where", octet::to_string(total.place))
                .add("calls", line.count)
                .add("ms", seconds_a_step * 1e3)
                .add("share", total.seconds / seconds)
                .add("operations", total.operations / runs)
                .add("bytes", total.bytes / runs)
                .add("bound", bound)
                .add("share_of_roof", of_roof)
                .text());
    else
      print("    " + padded(fixed(total.seconds / seconds * 100, 1) + " %", 9) +
            padded(fixed(seconds_a_step * 1e3, 3), 10) + padded(std::to_string(line.count), 6) +
            padded(fixed(of_roof * 100, 0) + " % of " + bound, 20) + in_short(total.kernel) + places.mark(total.place));
  }
}

double megabytes(const octet::UnfusedValue& value) { return static_cast<double>(value.type.bytes()) / 1e6; }

/// By reason, the one with the most bytes first, each with its largest value.
void explain_unfused(const StepSize& size, std::vector<octet::UnfusedValue> values, bool json, Places& places) {
  const auto key = [](const octet::UnfusedValue& value) {
    return std::tuple{-value.type.bytes(), value.writer, value.reader, octet::to_string(value.place)};
  };
  std::sort(values.begin(), values.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  if (json) {
    for (const octet::UnfusedValue& value : values)
      print(JsonObject{}
                .add("bench", "unfused")
                .add("name", size.name)
                .add("value", octet::to_string(value.type))
                .add("bytes", static_cast<double>(value.type.bytes()))
                .add("writer", value.writer)
                .add("reader", value.reader)
                .add("where", octet::to_string(value.place))
                .add("reason", value.reason)
                .text());
    return;
  }
  struct Line {
    const octet::UnfusedValue* largest = nullptr;
    double megabytes = 0;
    std::size_t count = 0;
  };
  std::map<std::string, Line> by_reason;
  for (const octet::UnfusedValue& value : values) {
    Line& line = by_reason[value.reason];
    if (!line.largest) line.largest = &value;
    line.megabytes += megabytes(value);
    ++line.count;
  }
  std::vector<std::pair<std::string, Line>> lines(by_reason.begin(), by_reason.end());
  std::sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return std::pair{-a.second.megabytes, a.first} < std::pair{-b.second.megabytes, b.first};
  });
  print(
      "\n    not fused: what kernels write for others to read\n          MB  values  why the two are not one; the "
      "largest [where it is read]");
  for (const auto& [reason, line] : lines)
    print("    " + padded(fixed(line.megabytes, 1), 10) + padded(std::to_string(line.count), 8) + reason + ": " +
          octet::to_string(line.largest->type) + " from " + line.largest->writer + " to " + line.largest->reader +
          places.mark(line.largest->place));
}

}  // namespace

void explain_step(const StepSize& size, StepProgram& program, int runs, const Roof& roof, bool json) {
  Places places;
  explain_kernels(size, program.profile(runs), runs, roof, json, places);
  explain_unfused(size, program.unfused(), json, places);
  if (json) return;
  places.list();
  print("");
}

}  // namespace program
