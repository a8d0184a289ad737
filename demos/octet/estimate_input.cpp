#include "json.hpp"
#include "output.hpp"

#include "command.hpp"
#include "data_bytes.hpp"
#include "estimate_input.hpp"
#include "interruption.hpp"
#include "messages.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace nn = octet::nn;
namespace tpu = octet::tpu;

namespace {

std::string counted(long long number, const std::string& one, const std::string& many) {
  return grouped(number) + " " + (number == 1 ? one : many);
}

void require_at_most(const std::string& option, double value, double most) {
  if (value <= most) return;
  refuse_option(option + " is " + fixed(value, 0) + ", more than there can be.",
                "choose " + fixed(most, 0) + " or less");
}

}  // namespace

bool InputOptions::given() const {
  return calls_back || !timeline.empty() ||
         std::any_of(std::begin(any), std::end(any), [](const CLI::Option* each) { return each->count() > 0; });
}

void add_input_options(CLI::App* sub, InputOptions& options) {
  const auto choice = [&](const char* name, std::string& value, const std::vector<std::string>& names,
                          const char* meaning) {
    return sub->add_option(name, value, meaning)
        ->check(CLI::IsMember(names).description(""))
        ->take_last()
        ->type_name(CLI::detail::join(names, "|"))
        ->group("Input");
  };
  options.any[0] = choice("--data", options.data, {"memory", "disk", "bucket"}, "where the examples lie (memory)");
  options.any[1] = choice("--host", options.host, {"vm", "node"}, "how the chips are reached: TPU VM or TPU node (vm)");
  options.any[2] = options.threads_given =
      sub->add_option("--host-threads", options.threads,
                      "threads of each host that prepare examples (one for each of its processors)")
          ->take_last()
          ->group("Input");
  options.any[3] =
      option(sub, "--prefetch", options.prefetch, "batches on their way while a step runs; 0: none")->group("Input");
  options.prepare_given =
      sub->add_option(
             "--prepare-us", options.prepare_microseconds,
             "microseconds that one thread takes for an example (0.08 for each token, as octet data feed measures)")
          ->take_last()
          ->group("Input");
  options.any[4] = options.prepare_given;
  options.example_given = sub->add_option("--example-bytes", options.example_bytes,
                                          "bytes of an example as it is stored (6 for each token)")
                              ->take_last()
                              ->group("Input");
  options.any[7] = options.example_given;
  options.any[8] = options.data_given = add_data_bytes(sub, options.data_bytes)->group("Input");
  CLI::Option* calls_back = sub->add_flag("--calls-back", options.calls_back,
                                          "the input pipeline runs code of the program for each example, one at a time")
                                ->group("Input");
  options.any[5] = option(sub, "--slow-host", options.slow_host, "how many times as long one host takes as the others")
                       ->group("Input");
  options.any[6] =
      sub->add_option("--host-ms", options.host_milliseconds,
                      "as measured: milliseconds that each host takes for its share of a batch, one for each")
          ->delimiter(',')
          ->type_name("N,N")
          ->group("Input");
  // What was measured says what these would be asked for.
  for (CLI::Option* other : {options.any[0], options.any[1], options.threads_given, options.prepare_given,
                             options.example_given, calls_back, options.any[5], options.data_given})
    options.any[6]->excludes(other);
  CLI::Option* timeline = sub->add_option("--timeline", options.timeline,
                                          "write what hosts and replicas do when, for Perfetto or chrome://tracing")
                              ->take_last()
                              ->type_name("FILE.json")
                              ->group("Input");
  option(sub, "--timeline-steps", options.steps, "steps of --timeline")->group("Input")->needs(timeline);
}

tpu::FeedOptions feed_of(const InputOptions& options, const nn::TrainingJob& job) {
  constexpr long long most = 1 << 20;
  if (options.threads_given->count()) require_at_least("--host-threads", options.threads, 1);
  if (options.example_given->count()) require_at_least("--example-bytes", options.example_bytes, 1);
  require_at_least("--prefetch", options.prefetch, 0);
  require_at_least("--timeline-steps", options.steps, 1);
  require_at_most("--host-threads", static_cast<double>(options.threads), most);
  require_at_most("--prefetch", static_cast<double>(options.prefetch), most);
  require_at_most("--example-bytes", static_cast<double>(options.example_bytes), 1e12);
  if (!(options.prepare_microseconds >= 0 && options.prepare_microseconds <= 1e6 * longest_seconds))
    refuse_option("--prepare-us is " + said_number(options.prepare_microseconds) + ", and no work takes so long.",
                  "choose 0 or more, and a year's " + fixed(1e6 * longest_seconds, 0) + " or less");
  constexpr double slowest = 1e6;
  if (!(options.slow_host >= 1 && options.slow_host <= slowest))
    refuse_option("--slow-host is " + said_number(options.slow_host) +
                      (options.slow_host > slowest ? ", and such a host would be taken out."
                                                   : ", and a slow host takes longer than the others."),
                  "choose 1 or more, and " + fixed(slowest, 0) + " or less");
  if (options.any[5]->count() && job.slice.hosts == 1 && options.slow_host != 1)
    refuse_option("--slow-host is given, and " + job.slice.name + " has one host, slower than no other.",
                  "leave it out, or say with --prepare-us what an example takes");
  for (const double each : options.host_milliseconds)
    if (!(each >= 0 && each <= 1e3 * longest_seconds))
      refuse_option("--host-ms has " + said_number(each) + " in it, and no host takes so long.",
                    "give milliseconds, 0 or more, and a year's " + fixed(1e3 * longest_seconds, 0) + " or less");
  if (const auto given = static_cast<std::int64_t>(options.host_milliseconds.size());
      given > 0 && given != job.slice.hosts)
    refuse_option("--host-ms has " + counted(given, "number", "numbers") + ", and " + job.slice.name + " has " +
                      counted(job.slice.hosts, "host", "hosts") + ".",
                  "give one for each host");
  tpu::DataPlacement data;
  data.place = options.data == "disk"     ? tpu::DataPlace::disk
               : options.data == "bucket" ? tpu::DataPlace::bucket
                                          : tpu::DataPlace::memory;
  data.host = options.host == "node" ? tpu::HostKind::node : tpu::HostKind::vm;
  data.calls_back = options.calls_back;
  if (options.data_given->count()) data.bytes = data_bytes(options.data_bytes, data);
  tpu::FeedOptions feed = nn::usual_feed(job, data);
  feed.threads = options.threads;
  feed.prefetch = options.prefetch;
  feed.slow_host = options.slow_host;
  for (const double each : options.host_milliseconds) feed.measured.push_back(each * 1e-3);
  if (options.prepare_given->count()) feed.prepare_seconds = options.prepare_microseconds * 1e-6;
  if (options.example_given->count()) feed.example_bytes = static_cast<double>(options.example_bytes);
  return feed;
}

std::string input_text(const tpu::FeedOptions& feed, const tpu::FeedEstimate& fed) {
  const bool measured = !feed.measured.empty();
  std::string text =
      "input: " +
      (measured ? "each host takes what was measured"
                : "data " + std::string{tpu::name(feed.data.place)} + ", " +
                      (feed.data.host == tpu::HostKind::node ? "reached from a TPU node" : "on a TPU VM") + ", " +
                      (feed.data.calls_back
                           ? "examples prepared by the program, one at a time"
                           : counted(fed.threads, "thread prepares", "threads prepare") + " examples on each host")) +
      ", " + counted(feed.prefetch, "batch", "batches") + " on the way\n";
  const std::string every = "a step every " + fixed(fed.cycle_seconds * 1e3, 2) + " ms";
  const bool waits = fed.cycle_seconds > fed.step_seconds * (1 + 1e-9);
  if (!waits) {
    text += "  " + every + ": the chips do not wait";
    if (fed.threads_needed && !measured && !feed.data.calls_back && *fed.threads_needed < fed.threads)
      text += "; " + counted(*fed.threads_needed, "thread", "threads") + " on each host would do";
    return text;
  }
  text += "  " + every + ": the chips wait " + fixed(100 * fed.waiting_share, 0) + " % of the time\n  ";
  if (measured) {
    const auto slowest = std::max_element(feed.measured.begin(), feed.measured.end());
    const std::string share = "host " + grouped(slowest - feed.measured.begin() + 1) + " takes " +
                              fixed(*slowest * 1e3, 2) + " ms for its share of a batch";
    if (fed.prefetch_needed)
      return text + counted(*fed.prefetch_needed, "batch", "batches") + " on the way would end that";
    return text +
           (fed.slowest == tpu::FeedStage::transfer ? "carrying a share to the chips takes longer than a step"
                                                    : share) +
           ", which no number of batches on the way hides";
  }
  if (fed.threads_needed && !feed.data.calls_back)
    text += counted(*fed.threads_needed, "thread", "threads") + " on each host would end that" +
            (*fed.threads_needed > fed.host_processors ? ", and one has " + grouped(fed.host_processors) + " processors"
                                                       : "");
  else
    text += "no number of host threads would end that" +
            (feed.prefetch == 0 && !fed.prefetch_needed ? std::string{" while no batch is on its way"} : std::string{});
  if (fed.prefetch_needed) text += "; so would " + counted(*fed.prefetch_needed, "batch", "batches") + " on the way";
  return text;
}

JsonObject input_json(const tpu::FeedOptions& feed, const tpu::FeedEstimate& fed) {
  JsonObject json;
  const bool measured = !feed.measured.empty();
  if (measured) {
    std::vector<double> milliseconds;
    for (const double each : feed.measured)  // as they were given: 163, not 163.00000000000003
      milliseconds.push_back(std::round(each * 1e12) / 1e9);
    json.add("host_ms", milliseconds);
  } else {
    json.add("data", feed.data.place == tpu::DataPlace::memory ? "memory"
                     : feed.data.place == tpu::DataPlace::disk ? "disk"
                                                               : "bucket")
        .add("host", feed.data.host == tpu::HostKind::node ? "node" : "vm")
        .add("calls_back", feed.data.calls_back)
        .add("host_threads", fed.threads)
        .add("host_processors", fed.host_processors)
        .add("prepare_us", feed.prepare_seconds * 1e6)
        .add("example_bytes", feed.example_bytes);
  }
  json.add("prefetch", feed.prefetch)
      .add("cycle_ms", fed.cycle_seconds * 1e3)
      .add("waiting_share", fed.waiting_share)
      .add("slowest", tpu::name(fed.slowest));
  if (fed.threads_needed && !measured) json.add("host_threads_needed", *fed.threads_needed);
  if (fed.prefetch_needed) json.add("prefetch_needed", *fed.prefetch_needed);
  return json;
}

void write_timeline(const InputOptions& options, const nn::TrainingJob& job, const nn::TrainingEstimate& estimate,
                    const tpu::FeedOptions& feed) {
  tpu::Slice slice = job.slice;
  slice.replicas = estimate.replicas;
  const std::vector<tpu::Stretch> step = nn::step_stretches(job, estimate);
  // What a viewer still opens: about 200 bytes for each stretch.
  constexpr std::int64_t most_stretches = 1'000'000;
  const std::int64_t most = std::max<std::int64_t>(1, most_stretches / tpu::stretches_of(step));
  require_at_most("--timeline-steps", static_cast<double>(options.steps), static_cast<double>(most));
  const tpu::Timeline timeline =
      tpu::timeline(step, tpu::feed(feed, slice, job.batch), slice, {.steps = options.steps});
  uninterrupted([&] { octet::text::write_file(options.timeline, tpu::to_trace_json(timeline)); });
}

}  // namespace program
