module octet.tpu;
import octet.base;
import octet.standard;
import :chip;
import :feed;
import :host;
import :slice;

namespace octet::tpu {

namespace {

constexpr double hardly = 1e-9;                       // of a step: what is not counted as waiting; and of a host's time
constexpr double much_slower = 1.2;                   // than others: one host alone, not all of them
constexpr std::int64_t most = std::int64_t{1} << 20;  // threads, or batches on their way

void require_possible(const FeedOptions& options, const Slice& slice, std::int64_t batch) {
  std::vector<Diagnostic> faults;
  const auto require = [&](bool holds, const std::string& what) {
    if (!holds) faults.push_back({.number = 403, .sentence = "A feed with " + what + " cannot be."});
  };
  require(batch >= 1, "batches of " + std::to_string(batch) + " examples");
  require(options.threads >= 0 && options.threads <= most, std::to_string(options.threads) + " threads");
  require(options.prefetch >= 0 && options.prefetch <= most,
          std::to_string(options.prefetch) + " batches on their way");
  for (const auto& [value, least, what] : {std::tuple{options.example_bytes, 0.0, "bytes of a stored example"},
                                           {options.transfer_bytes, 0.0, "bytes of an example"},
                                           {options.prepare_seconds, 0.0, "seconds to prepare an example"},
                                           {options.slow_host, 1.0, "times the time of another host"}})
    require(std::isfinite(value) && value >= least, scientific_decimal(value, 3) + " " + what);
  for (const double seconds : options.measured)
    require(std::isfinite(seconds) && seconds >= 0, scientific_decimal(seconds, 3) + " seconds for a host's share");
  require(options.measured.empty() || static_cast<std::int64_t>(options.measured.size()) == slice.hosts,
          std::to_string(options.measured.size()) + " measured hosts of " + std::to_string(slice.hosts));
  if (!faults.empty()) throw Error{std::move(faults)};
}

/// A feed of one's own has as many batches on their way as there can be.
void require_possible(const Feed& feed, double step_seconds) {
  if (feed.hosts.empty()) fail({.number = 403, .sentence = "A feed without a host feeds nothing."});
  if (feed.prefetch < 0 || feed.prefetch > most)
    fail({.number = 403,
          .sentence = "A feed with " + std::to_string(feed.prefetch) + " batches on their way cannot be."});
  if (!(std::isfinite(step_seconds) && step_seconds >= 0))
    fail({.number = 403, .sentence = "A step of " + scientific_decimal(step_seconds, 3) + " seconds cannot be fed."});
}

/// Seconds of one host's `examples` of a batch.
StageSeconds stages(const FeedOptions& options, const Slice& slice, std::int64_t batch, std::int64_t threads) {
  const std::int64_t examples = (batch + slice.hosts - 1) / slice.hosts;
  const auto count = static_cast<double>(examples), connections = static_cast<double>(threads);
  const double stored = count * (options.example_bytes > 0 ? options.example_bytes : options.transfer_bytes);
  StageSeconds seconds;
  switch (options.data.place) {
    case DataPlace::memory:
      // From a node's program every batch goes over that program's one network link to all hosts.
      if (options.data.host == HostKind::node)
        seconds.read = static_cast<double>(batch) * options.transfer_bytes / network_bandwidth;
      break;
    case DataPlace::disk:
      seconds.read = stored / disk_bandwidth;
      break;
    case DataPlace::bucket:
      seconds.read = stored / std::min(network_bandwidth, connections * bucket_connection_bandwidth);
      break;
  }
  const std::int64_t at_once = options.data.calls_back ? 1 : threads;
  seconds.prepare = static_cast<double>((examples + at_once - 1) / at_once) * options.prepare_seconds;
  const auto chips = static_cast<double>(slice.chips) / static_cast<double>(slice.hosts);
  seconds.transfer = count * options.transfer_bytes / (chips * host_bandwidth);
  return seconds;
}

Feed made(const FeedOptions& options, const Slice& slice, std::int64_t batch, std::int64_t threads) {
  Feed result{{}, options.prefetch, threads};
  const StageSeconds each = stages(options, slice, batch, threads);
  result.hosts.assign(static_cast<std::size_t>(slice.hosts), each);
  result.hosts.front().read *= options.slow_host;
  result.hosts.front().prepare *= options.slow_host;
  for (std::size_t h = 0; h < options.measured.size(); ++h) {
    result.hosts[h].read = 0;
    result.hosts[h].prepare = options.measured[h];
  }
  return result;
}

/// The host that takes longest, and how many times longer than the one in the middle of the others.
std::pair<std::size_t, double> slowest_host(const Feed& feed) {
  std::size_t slowest = 0;
  for (std::size_t h = 1; h < feed.hosts.size(); ++h)
    if (feed.hosts[h].all() > feed.hosts[slowest].all()) slowest = h;
  std::vector<double> others;
  for (std::size_t h = 0; h < feed.hosts.size(); ++h)
    if (h != slowest) others.push_back(feed.hosts[h].read + feed.hosts[h].prepare);
  if (others.empty()) return {slowest, 1};
  std::sort(others.begin(), others.end());
  const double usual = others[others.size() / 2], own = feed.hosts[slowest].read + feed.hosts[slowest].prepare;
  if (usual > hardly * own) return {slowest, own / usual};
  return {slowest, own > 0 ? std::numeric_limits<double>::infinity() : 1};
}

/// The fewest of 1, 2, … `most` for which `holds`, which holds for all above one for which it does.
std::optional<std::int64_t> fewest(std::int64_t from, std::int64_t most, const auto& holds) {
  if (!holds(most)) return std::nullopt;
  std::int64_t below = from - 1, above = most;
  while (above - below > 1) {
    const std::int64_t middle = below + (above - below) / 2;
    (holds(middle) ? above : below) = middle;
  }
  return above;
}

}  // namespace

std::string_view name(FeedStage stage) {
  constexpr std::array<std::string_view, 4> names{"read", "prepare", "transfer", "step"};
  return names[static_cast<std::size_t>(stage)];
}

Feed feed(const FeedOptions& options, const Slice& slice, std::int64_t batch) {
  require_made(slice);
  DataPlacement data = options.data;  // which are a batch at least
  data.bytes = std::max(data.bytes, static_cast<double>(batch) * options.example_bytes);
  if (std::vector<Diagnostic> wrong = faults(data, slice); !wrong.empty()) throw Error{std::move(wrong)};
  require_possible(options, slice, batch);
  return made(options, slice, batch, options.threads > 0 ? options.threads : host_processors(slice));
}

double cycle_seconds(const Feed& feed, double step_seconds) {
  require_possible(feed, step_seconds);
  // The longest mean of a cycle: of a stage with itself, or of a batch's whole way, on which so many batches are.
  double cycle = step_seconds;
  for (const StageSeconds& host : feed.hosts)
    cycle = std::max({cycle, host.read, host.prepare, host.transfer,
                      (host.all() + step_seconds) / static_cast<double>(feed.prefetch + 1)});
  return cycle;
}

FeedEstimate estimate_feed(const FeedOptions& options, const Slice& slice, std::int64_t batch, double step_seconds) {
  const Feed now = feed(options, slice, batch);
  FeedEstimate result;
  result.step_seconds = step_seconds;
  result.cycle_seconds = cycle_seconds(now, step_seconds);
  result.waiting_share = result.cycle_seconds > 0 ? 1 - step_seconds / result.cycle_seconds : 0;
  result.threads = now.threads;
  result.host_processors = host_processors(slice);
  double slowest = step_seconds;
  for (const StageSeconds& host : now.hosts)
    for (const auto& [stage, seconds] : {std::pair{FeedStage::read, host.read},
                                         {FeedStage::prepare, host.prepare},
                                         {FeedStage::transfer, host.transfer}})
      if (seconds > slowest) {
        slowest = seconds;
        result.slowest = stage;
      }
  const double enough = step_seconds * (1 + hardly);
  const auto with = [&](std::int64_t threads, std::int64_t prefetch, double slow_host) {
    FeedOptions other = options;
    other.prefetch = prefetch;
    other.slow_host = slow_host;
    return cycle_seconds(made(other, slice, batch, threads), step_seconds);
  };
  result.too_few_prefetched = result.cycle_seconds > slowest * (1 + hardly);
  if (const auto [host, factor] = slowest_host(now);
      slice.hosts > 1 && result.cycle_seconds > enough && (options.measured.empty() || factor >= much_slower)) {
    Feed even = now;
    if (factor > 1) {  // each stage by itself: batches go through them one behind the other
      even.hosts[host].read = std::isfinite(factor) ? even.hosts[host].read / factor : 0;
      even.hosts[host].prepare = std::isfinite(factor) ? even.hosts[host].prepare / factor : 0;
    }
    result.one_slow_host = cycle_seconds(even, step_seconds) < result.cycle_seconds * (1 - hardly);
    if (result.one_slow_host) {
      result.slow_host = static_cast<std::int64_t>(host) + 1;
      result.slow_host_factor = factor;
    }
  }
  result.threads_needed = fewest(
      1, most, [&](std::int64_t threads) { return with(threads, options.prefetch, options.slow_host) <= enough; });
  result.prefetch_needed =
      fewest(0, most, [&](std::int64_t prefetch) { return with(now.threads, prefetch, options.slow_host) <= enough; });
  return result;
}

std::vector<FedStep> fed_steps(const Feed& feed, double step_seconds, std::int64_t steps) {
  require_possible(feed, step_seconds);
  constexpr std::int64_t most_steps = 1 << 24;
  if (steps < 0 || steps > most_steps)
    fail({.number = 403,
          .sentence = std::to_string(steps) + " steps cannot be drawn up.",
          .fix = {"choose 0 to " + std::to_string(most_steps)}});
  std::vector<FedStep> result;
  for (std::int64_t b = 0; b < steps; ++b) {
    const FedStep* const before = b > 0 ? &result.back() : nullptr;
    const std::int64_t freed_by = b - 1 - feed.prefetch;  // the step that makes room for this batch
    const double room = freed_by >= 0 ? result[static_cast<std::size_t>(freed_by)].step.end : 0;
    FedStep now;
    double delivered = before ? before->step.end : 0;
    for (std::size_t h = 0; h < feed.hosts.size(); ++h) {
      const StageSeconds& seconds = feed.hosts[h];
      const auto after = [&](double ready, double free, double takes) {
        const double begin = std::max(ready, free);
        return FedStep::Span{begin, begin + takes};
      };
      FedStep::Host host;
      host.read = after(room, before ? before->hosts[h].read.end : 0, seconds.read);
      host.prepare = after(host.read.end, before ? before->hosts[h].prepare.end : 0, seconds.prepare);
      host.transfer = after(host.prepare.end, before ? before->hosts[h].transfer.end : 0, seconds.transfer);
      delivered = std::max(delivered, host.transfer.end);
      now.hosts.push_back(host);
    }
    now.step = {delivered, delivered + step_seconds};
    result.push_back(std::move(now));
  }
  return result;
}

}  // namespace octet::tpu
