module octet.nn;
import octet.standard;
import octet.tpu;
import :feed_findings;
import :finding_text;
import :findings;

namespace octet::nn {

namespace {

constexpr std::int64_t most_prefetched = std::int64_t{1} << 20;

class FeedSearch {
 public:
  FeedSearch(const tpu::FeedOptions& feed, const tpu::Slice& slice, std::int64_t batch, double step, bool compiles)
      : feed_{feed},
        slice_{slice},
        batch_{batch},
        step_{step},
        of_time_{compiles ? " of a step, compiling aside." : " of the time."} {}

  std::vector<Told> run() {
    look();
    return std::move(found_);
  }

 private:
  void add(Said what, Said remedy, double gain) { found_.push_back({std::move(what), std::move(remedy), gain}); }

  void look() {
    const tpu::FeedEstimate fed = tpu::estimate_feed(feed_, slice_, batch_, step_);
    const double waits = fed.cycle_seconds - fed.step_seconds;
    if (waits <= 1e-9 * fed.step_seconds) return;
    const FindingValue idle = share("waiting_share", fed.waiting_share);
    if (fed.one_slow_host) {
      const double then = tpu::estimate_feed(with_even_hosts(fed), slice_, batch_, step_).cycle_seconds;
      const FindingValue host = count("host", fed.slow_host), hosts = count("hosts", slice_.hosts);
      Said what{"slow_host",
                "Host {1} of {2} takes {3} times as long as the others for its share of a batch, and all replicas wait "
                "for it: the chips wait {4}" +
                    of_time_,
                {host, hosts, {"factor", fed.slow_host_factor, FindingUnit::factor}, idle}};
      if (!std::isfinite(fed.slow_host_factor))
        what = {"only_slow_host",
                "Host {1} of {2} alone takes time for its share of a batch, the others hardly any, and all replicas "
                "wait for it: the chips wait {3}" +
                    of_time_,
                {host, hosts, idle}};
      add(std::move(what),
          {"mend_host", "mend or replace that host, or have other hosts prepare a part of its share", {}},
          fed.cycle_seconds - then);
      if (then <= fed.step_seconds * (1 + 1e-9)) return;
    }
    if (fed.too_few_prefetched) {
      Said remedy{"prefetch_more", "prefetch more batches than {1}", {count("now", feed_.prefetch)}};
      tpu::FeedOptions more = feed_;
      more.prefetch = most_prefetched;
      if (fed.prefetch_needed)
        remedy = {
            "prefetch", "prefetch {1} [batch|batches], which ends the wait", {count("needed", *fed.prefetch_needed)}};
      add({"too_few_prefetched",
           "With {1} [batch|batches] on the way while a step runs, reading and preparing the next ones is not hidden "
           "behind it: the chips wait {2}" +
               of_time_,
           {count("prefetch", feed_.prefetch), idle}},
          std::move(remedy), fed.prefetch_needed ? waits : saved(fed, more));
    }
    if (fed.slowest != tpu::FeedStage::step) slow_stage(fed, idle);
  }

  /// Seconds from one step to the next where it is fed as `options` say.
  double fed_by(const tpu::FeedOptions& options) const {
    return tpu::estimate_feed(options, slice_, batch_, step_).cycle_seconds;
  }
  double saved(const tpu::FeedEstimate& fed, const tpu::FeedOptions& options) const {
    if (!tpu::faults(options.data, slice_).empty()) return 0;  // a pipeline that cannot be
    return fed.cycle_seconds - fed_by(options);
  }

  /// The feed with the slow host as fast as the others.
  tpu::FeedOptions with_even_hosts(const tpu::FeedEstimate& fed) const {
    tpu::FeedOptions even = feed_;
    even.slow_host = 1;
    if (!even.measured.empty()) {
      double& own = even.measured[static_cast<std::size_t>(fed.slow_host - 1)];
      own = std::isfinite(fed.slow_host_factor) ? own / fed.slow_host_factor : 0;
    }
    return even;
  }

  void slow_stage(const tpu::FeedEstimate& fed, const FindingValue& idle) {
    double host = 0;
    for (const tpu::StageSeconds& each : tpu::feed(feed_, slice_, batch_).hosts)
      host = std::max(host, fed.slowest == tpu::FeedStage::read      ? each.read
                            : fed.slowest == tpu::FeedStage::prepare ? each.prepare
                                                                     : each.transfer);
    const bool serial = feed_.data.calls_back && feed_.measured.empty();
    Said what{"host_too_slow", "Preparing a host's share of a batch takes {1}", {}};
    if (fed.slowest == tpu::FeedStage::transfer)
      what = {"transfer_too_slow", "Carrying a host's share of a batch to the chips takes {1}", {}};
    else if (fed.slowest == tpu::FeedStage::prepare && serial)
      what = {"host_callback",
              "The input pipeline calls back into the program for each example, one at a time, which takes {1} a batch",
              {}};
    else if (fed.slowest == tpu::FeedStage::read && feed_.data.place == tpu::DataPlace::bucket)
      what = {"bucket_too_slow", "Reading a host's share of a batch from the bucket takes {1}", {}};
    else if (fed.slowest == tpu::FeedStage::read && feed_.data.place == tpu::DataPlace::disk)
      what = {"disk_too_slow", "Reading a host's share of a batch from its disk takes {1}", {}};
    else if (fed.slowest == tpu::FeedStage::read)
      what = {"network_too_slow", "Sending a batch from the program's one machine to all hosts takes {1}", {}};
    what.english += ", and a step computes for {2}: the chips wait {3}" + of_time_;
    what.values = {seconds("host_seconds", host), seconds("step_seconds", fed.step_seconds), idle};
    auto [remedy, gain] = remedy_of_stage(fed, serial);
    if (!remedy.code.empty()) add(std::move(what), std::move(remedy), gain);
  }

  /// What helps most directly where one stage of the feed takes longer than a step, and the seconds that it saves.
  /// Nothing where the stage is not what the chips wait for.
  std::pair<Said, double> remedy_of_stage(const tpu::FeedEstimate& fed, bool serial) const {
    const bool measured = !feed_.measured.empty(), reads = fed.slowest == tpu::FeedStage::read;
    const double least = worth_telling * fed.cycle_seconds;
    tpu::FeedOptions other = feed_;
    if (fed.slowest == tpu::FeedStage::transfer) {
      other.transfer_bytes /= 2;
      return {{"fewer_bytes", "send fewer bytes for each example: ids of 16 bits, masks made on the chip", {}},
              saved(fed, other)};
    }
    if (measured) {
      for (double& each : other.measured) each = std::min(each, fed.step_seconds);
      return {{"faster_hosts",
               "make hosts prepare a share within {1}: batches on the way do not hide what takes longer than a step",
               {seconds("step_seconds", fed.step_seconds)}},
              saved(fed, other)};
    }
    if (const auto [threads, then] = better_threads(fed); threads > fed.threads && fed.cycle_seconds - then >= least) {
      const FindingValue needed = count("needed", threads), now = count("now", fed.threads);
      const double gain = fed.cycle_seconds - then;
      if (threads > fed.host_processors)
        return {{"threads_of_more_hosts",
                 "prepare with {1} [thread|threads] on each host instead of {2}, more than the {3} processors of one: "
                 "take more hosts, or store examples as they are needed",
                 {needed, now, count("processors", fed.host_processors)}},
                gain};
      if (fed.threads_needed)
        return {{"threads", "prepare with {1} [thread|threads] on each host instead of {2}", {needed, now}}, gain};
      return {{"more_threads",
               "prepare with {1} [thread|threads] on each host instead of {2}: a step every {3}",
               {needed, now, seconds("cycle_seconds", then)}},
              gain};
    }
    if (serial) {
      other.data.calls_back = false;
      if (const double gain = saved(fed, other); gain >= least)
        return {{"record_files",
                 "write the examples to record files: the program that is called back runs one thread, however many "
                 "there are",
                 {}},
                gain};
    }
    other = feed_;
    if (reads && feed_.data.place != tpu::DataPlace::bucket) {
      other.data.place = tpu::DataPlace::bucket;
      const double bucket = saved(fed, other);
      other.data.place = tpu::DataPlace::memory;
      const double memory = feed_.data.place == tpu::DataPlace::disk ? saved(fed, other) : 0;
      if (bucket >= least && memory >= least)
        return {{"bucket_or_memory", "read from a bucket, over many connections, or from memory", {}},
                std::min(bucket, memory)};
      if (bucket >= least) return {{"from_bucket", "read from a bucket, over many connections", {}}, bucket};
      if (memory >= least) return {{"from_memory", "read from memory, where the examples fit into it", {}}, memory};
    }
    other = feed_;
    if (reads) {
      other.example_bytes = std::max(1.0, (other.example_bytes > 0 ? other.example_bytes : other.transfer_bytes) / 2);
      if (const double gain = saved(fed, other); gain >= least)
        return {{"fewer_stored_bytes",
                 "store fewer bytes for each example: half as many would make it a step every {1}",
                 {seconds("cycle_seconds", fed.cycle_seconds - gain)}},
                gain};
    }
    other = feed_;
    other.prepare_seconds = 0;
    if (const double gain = saved(fed, other); gain >= least)
      return {{"store_prepared", "store examples as they are needed, so that nothing is left to prepare", {}}, gain};
    return {{}, 0};
  }

  /// The threads of each host that end the wait; else, of as many as a host has processors for, the fewest that do as
  /// well as all of them. And the seconds from one step to the next with them.
  std::pair<std::int64_t, double> better_threads(const tpu::FeedEstimate& fed) const {
    const auto with = [&](std::int64_t threads) {
      tpu::FeedOptions other = feed_;
      other.threads = threads;
      return fed_by(other);
    };
    if (fed.threads_needed) return {*fed.threads_needed, with(*fed.threads_needed)};
    std::int64_t below = fed.threads, above = std::max(fed.threads, fed.host_processors);
    const double all = with(above) * (1 + worth_telling);
    while (above - below > 1) {
      const std::int64_t middle = below + (above - below) / 2;
      (with(middle) <= all ? above : below) = middle;
    }
    return {above, with(above)};
  }

  const tpu::FeedOptions& feed_;
  const tpu::Slice& slice_;
  std::int64_t batch_;
  double step_;  ///< seconds
  std::string of_time_;
  std::vector<Told> found_;
};

}  // namespace

std::vector<Told> feed_findings(const tpu::FeedOptions& feed, const tpu::Slice& slice, std::int64_t batch,
                                double step_seconds, bool compiles) {
  return FeedSearch{feed, slice, batch, step_seconds, compiles}.run();
}

}  // namespace octet::nn
