module octet.nn;
import octet.base;
import octet.graph;
import octet.standard;
import octet.tpu;
import :finding_text;
import :findings;
import :training_cost;
import :transformer;

namespace octet::nn {

namespace {

constexpr double worth_telling = 0.02;  // of a step
constexpr std::int64_t rows_of_a_tile = 8;

std::int64_t rounded_up(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }

FindingValue count(std::string_view name, auto value) { return {name, static_cast<double>(value), FindingUnit::count}; }
FindingValue share(std::string_view name, double value) { return {name, value, FindingUnit::share}; }
FindingValue seconds(std::string_view name, double value) { return {name, value, FindingUnit::seconds}; }

/// A code, what it says in English, and its numbers.
struct Said {
  std::string_view code, english;
  std::vector<FindingValue> values;
};

class Search {
 public:
  Search(const TrainingJob& job, const TrainingEstimate& estimate, const std::optional<tpu::FeedOptions>& feed,
         const std::optional<Compiles>& compiles)
      : job_{job}, now_{estimate}, feed_{feed}, compiles_{compiles}, unit_{job.slice.chip.matrix_unit_size} {}

  std::vector<Finding> run() {
    uneven_shards();
    if (feed_) input();
    if (compiles_) compiler();
    collectives();
    precision();
    dimensions();
    std::sort(found_.begin(), found_.end(), [](const Finding& a, const Finding& b) {
      return a.seconds != b.seconds ? a.seconds > b.seconds : a.id < b.id;
    });
    return std::move(found_);
  }

 private:
  void add(Said what, Said remedy, double gain) {
    found_.push_back({what.code, said(what.english, what.values), std::move(what.values), remedy.code,
                      said(remedy.english, remedy.values), std::move(remedy.values), std::max(0.0, gain)});
  }
  bool worth(double gain) const { return gain >= worth_telling * now_.device(); }

  void uneven_shards() {
    if (job_.padding <= 0) return;
    const std::int64_t parts = now_.replicas * job_.accumulate, given = job_.batch - job_.padding;
    const std::int64_t below = given / parts * parts;
    Said remedy{"even_batch_above", "make the batch {1}", {count("batch", job_.batch)}};
    if (below > 0)
      remedy = {"even_batch", "make the batch {1} or {2}", {count("batch", job_.batch), count("below", below)}};
    add({"uneven_shards",
         "A batch of {1} cannot be shared equally by {2} parts: {3} of {4} sequences have weight zero and cost what "
         "others cost.",
         {count("given", given), count("parts", parts), count("padding", job_.padding), count("batch", job_.batch)}},
        std::move(remedy), static_cast<double>(job_.padding) / static_cast<double>(job_.batch) * now_.device());
  }

  void input() {
    const tpu::FeedEstimate fed = tpu::estimate_feed(*feed_, job_.slice, job_.batch, now_.device());
    const double waits = fed.cycle_seconds - fed.step_seconds;
    if (waits <= 1e-9 * fed.step_seconds) return;
    const FindingValue idle = share("waiting_share", fed.waiting_share);
    if (fed.one_slow_host) {
      const double then = tpu::estimate_feed(with_even_hosts(fed), job_.slice, job_.batch, now_.device()).cycle_seconds;
      const FindingValue host = count("host", fed.slow_host), hosts = count("hosts", job_.slice.hosts);
      Said what{"slow_host",
                "Host {1} of {2} takes {3} times as long as the others for its share of a batch, and all replicas wait "
                "for it: the chips wait {4} of the time.",
                {host, hosts, {"factor", fed.slow_host_factor, FindingUnit::factor}, idle}};
      if (!std::isfinite(fed.slow_host_factor))
        what = {"only_slow_host",
                "Host {1} of {2} alone takes time for its share of a batch, the others hardly any, and all replicas "
                "wait for it: the chips wait {3} of the time.",
                {host, hosts, idle}};
      add(std::move(what), {"mend_host", "mend or replace that host, or give it a smaller share", {}},
          fed.cycle_seconds - then);
      if (then <= fed.step_seconds * (1 + 1e-9)) return;
    }
    if (fed.too_few_prefetched) {
      Said remedy{"prefetch_more", "prefetch more batches than {1}", {count("now", feed_->prefetch)}};
      if (fed.prefetch_needed)
        remedy = {
            "prefetch", "prefetch {1} [batch|batches], which ends the wait", {count("needed", *fed.prefetch_needed)}};
      add({"too_few_prefetched",
           "With {1} [batch|batches] on the way while a step runs, reading and preparing the next ones is not hidden "
           "behind it: the chips wait {2} of the time.",
           {count("prefetch", feed_->prefetch), idle}},
          std::move(remedy), waits);
    }
    if (fed.slowest != tpu::FeedStage::step) slow_stage(fed, idle);
  }

  /// The feed with the slow host as fast as the others.
  tpu::FeedOptions with_even_hosts(const tpu::FeedEstimate& fed) const {
    tpu::FeedOptions even = *feed_;
    even.slow_host = 1;
    if (!even.measured.empty()) {
      double& own = even.measured[static_cast<std::size_t>(fed.slow_host - 1)];
      own = std::isfinite(fed.slow_host_factor) ? own / fed.slow_host_factor : 0;
    }
    return even;
  }

  void slow_stage(const tpu::FeedEstimate& fed, const FindingValue& idle) {
    double host = 0;
    for (const tpu::StageSeconds& each : tpu::feed(*feed_, job_.slice, job_.batch).hosts)
      host = std::max(host, fed.slowest == tpu::FeedStage::read      ? each.read
                            : fed.slowest == tpu::FeedStage::prepare ? each.prepare
                                                                     : each.transfer);
    const bool serial = feed_->data.calls_back && feed_->measured.empty();
    Said what{"host_too_slow", "Preparing a host's share of a batch takes {1}", {}};
    if (fed.slowest == tpu::FeedStage::transfer)
      what = {"transfer_too_slow", "Carrying a host's share of a batch to the chips takes {1}", {}};
    else if (fed.slowest == tpu::FeedStage::prepare && serial)
      what = {"host_callback",
              "The input pipeline calls back into the program for each example, one at a time, which takes {1} a batch",
              {}};
    else if (fed.slowest == tpu::FeedStage::read && feed_->data.place == tpu::DataPlace::bucket)
      what = {"bucket_too_slow", "Reading a host's share of a batch from the bucket takes {1}", {}};
    else if (fed.slowest == tpu::FeedStage::read && feed_->data.place == tpu::DataPlace::disk)
      what = {"disk_too_slow", "Reading a host's share of a batch from its disk takes {1}", {}};
    else if (fed.slowest == tpu::FeedStage::read)
      what = {"network_too_slow", "Sending a batch from the program's one machine to all hosts takes {1}", {}};
    const std::string english =
        std::string{what.english} + ", and a step computes for {2}: the chips wait {3} of the time.";
    what.english = english;
    what.values = {seconds("host_seconds", host), seconds("step_seconds", fed.step_seconds), idle};
    add(std::move(what), remedy_of_stage(fed, serial), fed.cycle_seconds - fed.step_seconds);
  }

  Said remedy_of_stage(const tpu::FeedEstimate& fed, bool serial) const {
    if (fed.slowest == tpu::FeedStage::transfer)
      return {"fewer_bytes", "send fewer bytes for each example: ids of 16 bits, masks made on the chip", {}};
    if (fed.threads_needed && feed_->measured.empty()) {
      const FindingValue needed = count("needed", *fed.threads_needed), now = count("now", fed.threads);
      if (*fed.threads_needed <= fed.host_processors)
        return {"threads", "prepare with {1} [thread|threads] on each host instead of {2}", {needed, now}};
      return {
          "threads_of_more_hosts",
          "prepare with {1} [thread|threads] on each host instead of {2}, more than the {3} processors of one: take "
          "more hosts, or store examples as they are needed",
          {needed, now, count("processors", fed.host_processors)}};
    }
    if (serial)
      return {"record_files",
              "write the examples to record files: the program that is called back runs one thread, however many there "
              "are",
              {}};
    if (feed_->data.place == tpu::DataPlace::disk && fed.slowest == tpu::FeedStage::read)
      return {"bucket_or_memory", "read from a bucket, over many connections, or from memory", {}};
    if (feed_->data.place == tpu::DataPlace::bucket && fed.slowest == tpu::FeedStage::read)
      return {"connections", "store fewer bytes for each example, or take more hosts: the network of each is full", {}};
    return {
        "prefetch_and_store", "prefetch more, and store examples as they are needed; threads alone do not end it", {}};
  }

  void compiler() {
    if (compiles_->programs <= 1) return;  // the first cannot be spared
    const auto programs = static_cast<double>(compiles_->programs), steps = static_cast<double>(compiles_->steps);
    const double compiling = programs * compiles_->seconds, computing = steps * now_.step;
    if (!worth((compiling - compiles_->seconds) / steps)) return;
    add({"recompiles",
         "{1} programs are compiled in {2} [step|steps], each for {3}: the chips wait {4} of the time for the "
         "compiler.",
         {count("programs", compiles_->programs), count("steps", compiles_->steps),
          seconds("compile_seconds", compiles_->seconds), share("waiting_share", compiling / (compiling + computing))}},
        {"few_lengths",
         "pad batches to a few lengths, as octet check --text FILE proposes them: one program for each length is left",
         {}},
        (compiling - compiles_->seconds) / steps);
  }

  void collectives() {
    const double together = now_.all_reduce;
    if (now_.replicas < 2) return;
    if (!job_.joined_all_reduce) {
      TrainingJob joined = job_;
      joined.joined_all_reduce = true;
      const double then = estimate_training(joined).all_reduce;
      const double bytes = 4 * parameter_count(job_.model) / static_cast<double>(now_.all_reduces);
      add({"tiny_collectives",
           "{1} all-reduces, one for each gradient, of {2} each on average, take {3}: every one begins anew and goes "
           "round all {4} chips.",
           {count("all_reduces", now_.all_reduces),
            {"bytes", bytes, FindingUnit::bytes},
            seconds("seconds", together),
            count("chips", job_.slice.chips)}},
          {"join_all_reduces", "join them: one all-reduce of all gradients takes {1}", {seconds("seconds", then)}},
          together - then);
    }
    const double hidden =
        std::min(together * (1 - 1.0 / static_cast<double>(job_.model.layers)), now_.forward_backward * 2 / 3);
    if (worth(hidden))
      add({"unoverlapped_all_reduce",
           "The all-reduce of the gradients begins when the backward pass is done: {1} in which the matrix unit is "
           "idle.",
           {seconds("seconds", together)}},
          {"overlap_all_reduce",
           "reduce each layer's gradients while the layers before it are still computed; only the first layer's are "
           "left to wait for",
           {}},
          hidden);
    // What does not grow with the batch, on a step so small that it weighs.
    constexpr double much = 0.25;
    const double fixed = together + now_.update;
    if (fixed >= much * now_.device()) {
      TrainingJob larger = job_;
      larger.batch *= 4;
      larger.padding *= 4;
      const TrainingEstimate then = estimate_training(larger);
      add({"bound_by_all_reduce",
           "{1} of the step are the all-reduce and the update, which take as long for any batch; a replica has {2} "
           "[sequence|sequences].",
           {share("share", fixed / now_.device()), count("sequences", now_.sequences)}},
          {"larger_batch",
           "make the batch {1}, in one part or accumulated, or rent a smaller slice",
           {count("batch", larger.batch)}},
          now_.device() - then.device() / 4);
    }
    if (!job_.code.sharded_update) {
      double gain = now_.update * (1 - 1 / static_cast<double>(now_.replicas));
      if (now_.recompute > 0) {  // of which less is left to do where the state leaves more memory
        TrainingJob sharded = job_;
        sharded.code.sharded_update = true;
        gain = now_.device() - estimate_training(sharded).device();
      }
      if (worth(gain))
        add({"whole_update",
             "Every replica updates all {1} weights: {2} a step.",
             {count("parameters", parameter_count(job_.model)), seconds("seconds", now_.update)}},
            {"shard_optimizer",
             "shard the optimizer's state: each replica updates its part between reduce-scatter and all-gather",
             {}},
            gain);
    }
  }

  void precision() {
    if (job_.code.activations != DType::f32) return;
    TrainingJob narrow = job_;
    narrow.code.activations = DType::bf16;
    const TrainingEstimate then = estimate_training(narrow);
    if (worth(now_.device() - then.device()))
      add({"f32_activations",
           "Activations are stored in f32, and {1} of forward and backward are bound by memory.",
           {share("memory_share", now_.program.bound_seconds[static_cast<std::size_t>(tpu::Bound::memory)] /
                                      std::max(1e-30, now_.program.seconds))}},
          {"bf16_activations",
           "store activations in bf16 (--activations bf16), with weights and optimizer state in f32",
           {}},
          now_.device() - then.device());
  }

  /// Seconds of a step in products that go into filling `extent` up.
  double filling(std::int64_t extent) const {
    double sum = 0;
    for (const tpu::Waste& waste :
         tpu::waste_of(now_.program, tpu::core_of(job_.slice.chip, now_.replicas == job_.slice.chips), 0))
      if (waste.extent == extent) sum += waste.seconds;
    return sum * static_cast<double>(job_.accumulate);
  }

  /// A dimension that is no multiple of the unit: what it is filled up to costs nothing more, where it may have `most`.
  void filled(std::string_view id, const std::string& what, std::int64_t extent, std::int64_t unit,
              std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
    const std::int64_t to = rounded_up(extent, unit), below = extent / unit * unit;
    if (to == extent) return;
    const std::string english = what + " {1} is no multiple of {2}, and costs what {3} would.";
    Said remedy{"fill_up", "make it {1}, which takes no longer", {count("to", to)}};
    if (to > most && below > 0)
      remedy = {"down_to", "make it {1}, which saves the time that goes into padding", {count("below", below)}};
    else if (to > most)
      remedy = {"more_positions", "take a model of {1} positions, and fill them", {count("to", to)}};
    else if (below > 0)
      remedy = {"fill_up_or_below",
                "make it {1}, which takes no longer; or {2}, which saves the time that goes into padding",
                {count("to", to), count("below", below)}};
    add({id, english, {count("extent", extent), count("unit", unit), count("padded", to)}}, std::move(remedy),
        filling(extent));
  }

  void heads() {
    const TransformerConfig& model = job_.model;
    const std::int64_t head = model.hidden / model.heads, whole = rounded_up(head, unit_);
    if (head == whole) return;
    const Said what{"padded_heads",
                    "Heads of {1} fill {1} of the {2} rows of the matrix unit that they take.",
                    {count("extent", head), count("padded", whole)}};
    if (model.hidden % unit_ == 0 && model.heads > model.hidden / unit_) {
      TrainingJob wide = job_;
      wide.model.heads = model.hidden / unit_;
      const TrainingEstimate then = estimate_training(wide);
      add(what,
          {"fewer_heads",
           "take {1} [head|heads] of {2} instead of {3}: as many weights, in another model",
           {count("heads", wide.model.heads), count("size", unit_), count("now", model.heads)}},
          now_.device() - then.device());
    } else {
      add(what,
          {"wider_hidden",
           "take a hidden size of {1}, which makes heads of {2}",
           {count("hidden", model.heads * whole), count("size", whole)}},
          filling(head));
    }
  }

  void dimensions() {
    const TransformerConfig& model = job_.model;
    heads();
    if (now_.sequences % rows_of_a_tile != 0) {
      TrainingJob even = job_;
      even.padding = 0;
      const std::int64_t to = rounded_up(now_.sequences, rows_of_a_tile);
      even.batch = to * now_.replicas * job_.accumulate;
      const double part = static_cast<double>(now_.sequences) / static_cast<double>(to);
      const TrainingEstimate then = estimate_training(even);
      add({"padded_rows",
           "A replica has {1} [sequence|sequences] at once, no multiple of 8: where sequences are the rows of a tile, "
           "it costs what {2} would.",
           {count("extent", now_.sequences), count("padded", to)}},
          {"batch_of_rows",
           "make the batch {1}, {2} for each replica",
           {count("batch", even.batch), count("sequences", to)}},
          now_.forward_backward - part * then.forward_backward);
    }
    filled("padded_sequence", "In attention, a sequence of", job_.length,
           job_.length > unit_ / 2 ? unit_ : rows_of_a_tile, model.positions);
    filled("padded_vocabulary", "A vocabulary of", model.vocabulary, unit_);
    filled("padded_hidden", "A hidden size of", model.hidden, unit_);
    filled("padded_intermediate", "An intermediate size of", model.intermediate, unit_);
  }

  const TrainingJob& job_;
  const TrainingEstimate& now_;
  const std::optional<tpu::FeedOptions>& feed_;
  const std::optional<Compiles>& compiles_;
  std::int64_t unit_;
  std::vector<Finding> found_;
};

}  // namespace

std::vector<Finding> findings(const TrainingJob& job, const TrainingEstimate& estimate,
                              const std::optional<tpu::FeedOptions>& feed, const std::optional<Compiles>& compiles) {
  return Search{job, estimate, feed, compiles}.run();
}

}  // namespace octet::nn
