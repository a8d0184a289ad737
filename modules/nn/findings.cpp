module octet.nn;
import octet.base;
import octet.graph;
import octet.standard;
import octet.tpu;
import :findings;
import :training_cost;
import :transformer;

namespace octet::nn {

namespace {

constexpr double worth_telling = 0.02;  // of a step
constexpr std::int64_t rows_of_a_tile = 8;

std::int64_t rounded_up(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }

std::string number(double value) {
  const std::string digits = std::to_string(static_cast<long long>(std::llround(value)));
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}
std::string number(std::int64_t value) { return number(static_cast<double>(value)); }
std::string percent(double share) { return number(100 * share) + " %"; }
std::string milliseconds(double seconds) {
  return shortest_decimal(static_cast<float>(std::round(seconds * 1e5) / 1e2), Notation::plain) + " ms";
}

class Search {
 public:
  Search(const TrainingJob& job, const TrainingEstimate& estimate, const std::optional<tpu::FeedOptions>& feed)
      : job_{job}, now_{estimate}, feed_{feed}, unit_{job.slice.chip.matrix_unit_size} {}

  std::vector<Finding> run() {
    uneven_shards();
    if (feed_) input();
    collectives();
    precision();
    dimensions();
    std::sort(found_.begin(), found_.end(), [](const Finding& a, const Finding& b) {
      return a.seconds != b.seconds ? a.seconds > b.seconds : a.id < b.id;
    });
    return std::move(found_);
  }

 private:
  void add(std::string_view id, std::string sentence, std::string change, double seconds) {
    found_.push_back({id, std::move(sentence), std::move(change), std::max(0.0, seconds)});
  }
  bool worth(double seconds) const { return seconds >= worth_telling * now_.device(); }

  void uneven_shards() {
    if (job_.padding <= 0) return;
    const std::int64_t parts = now_.replicas * job_.accumulate, given = job_.batch - job_.padding;
    const double share = static_cast<double>(job_.padding) / static_cast<double>(job_.batch);
    const std::int64_t below = given / parts * parts;
    add("uneven_shards",
        "A batch of " + number(given) + " cannot be shared equally by " + number(parts) +
            " parts: " + number(job_.padding) + " of " + number(job_.batch) +
            " sequences have weight zero and cost what others cost.",
        "make the batch " + number(job_.batch) + (below > 0 ? " or " + number(below) : ""), share * now_.device());
  }

  void input() {
    const tpu::FeedEstimate fed = tpu::estimate_feed(*feed_, job_.slice, job_.batch, now_.device());
    const double waits = fed.cycle_seconds - fed.step_seconds;
    if (waits <= 1e-9 * fed.step_seconds) return;
    const std::string idle = "the chips wait " + percent(fed.waiting_share) + " of the time";
    const bool serial = feed_->data.calls_back;
    if (fed.one_slow_host) {
      tpu::FeedOptions even = *feed_;
      even.slow_host = 1;
      const double then = tpu::estimate_feed(even, job_.slice, job_.batch, now_.device()).cycle_seconds;
      add("slow_host",
          "One host of " + number(job_.slice.hosts) + " takes " +
              shortest_decimal(static_cast<float>(feed_->slow_host), Notation::plain) +
              " times as long for its share of a batch, and all replicas wait for it: " + idle + ".",
          "mend or replace that host, or give it a smaller share", fed.cycle_seconds - then);
      if (then <= fed.step_seconds * (1 + 1e-9)) return;
    }
    if (fed.too_few_prefetched) {
      std::string change = "prefetch more batches than " + number(feed_->prefetch);
      if (fed.prefetch_needed)
        change = "prefetch " + number(*fed.prefetch_needed) + (*fed.prefetch_needed == 1 ? " batch" : " batches") +
                 ", which ends the wait";
      add("too_few_prefetched",
          "With " + number(feed_->prefetch) + (feed_->prefetch == 1 ? " batch" : " batches") +
              " on the way while a step runs, reading and preparing the next ones is not hidden behind it: " + idle +
              ".",
          std::move(change), waits);
    }
    if (fed.slowest == tpu::FeedStage::step) return;
    std::string change;
    if (fed.slowest == tpu::FeedStage::transfer)
      change = "send fewer bytes for each example: ids of 16 bits, masks made on the chip";
    else if (fed.threads_needed)
      change = "prepare with " + number(*fed.threads_needed) + (*fed.threads_needed == 1 ? " thread" : " threads") +
               " on each host instead of " + number(fed.threads) +
               (*fed.threads_needed > fed.host_processors
                    ? ", more than the " + number(fed.host_processors) +
                          " processors of one: take more hosts, or store examples as they are needed"
                    : "");
    else if (serial)
      change =
          "write the examples to record files: the program that is called back runs one thread, however many there are";
    else if (feed_->data.place == tpu::DataPlace::disk)
      change = "read from a bucket, over many connections, or from memory";
    else
      change = "prefetch more, and store examples as they are needed; threads alone do not end it";
    add("host_too_slow",
        "Of what a batch goes through, the hosts " +
            std::string{fed.slowest == tpu::FeedStage::read      ? "read"
                        : fed.slowest == tpu::FeedStage::prepare ? "prepare"
                                                                 : "carry"} +
            " longest; a step begins every " + milliseconds(fed.cycle_seconds) + " and computes for " +
            milliseconds(fed.step_seconds) + ": " + idle + ".",
        std::move(change), waits);
  }

  void collectives() {
    const double together = now_.all_reduce;
    if (now_.replicas < 2) return;
    if (!job_.joined_all_reduce) {
      const double then = tpu::collective_seconds(octet::Op::all_reduce, 4 * parameter_count(job_.model),
                                                  replica_slice(job_), job_.constants);
      add("tiny_collectives",
          number(now_.all_reduces) + " all-reduces, one for each gradient, of " +
              number(4 * parameter_count(job_.model) / 1024 / static_cast<double>(now_.all_reduces)) +
              " KiB each on average, take " + milliseconds(together) + ": every one begins anew and goes round all " +
              number(job_.slice.chips) + " chips.",
          "join them: one all-reduce of all gradients takes " + milliseconds(then), together - then);
    }
    const double hidden =
        std::min(together * (1 - 1.0 / static_cast<double>(job_.model.layers)), now_.forward_backward * 2 / 3);
    if (worth(hidden))
      add("unoverlapped_all_reduce",
          "The all-reduce of the gradients begins when the backward pass is done: " + milliseconds(together) +
              " in which the matrix unit is idle.",
          "reduce each layer's gradients while the layers before it are still computed; only the first layer's are "
          "left to wait for",
          hidden);
    // What does not grow with the batch, on a step so small that it weighs.
    constexpr double much = 0.25;
    const double fixed = together + now_.update;
    if (fixed >= much * now_.device()) {
      TrainingJob larger = job_;
      larger.batch *= 4;
      larger.padding *= 4;
      const TrainingEstimate then = estimate_training(larger);
      add("bound_by_all_reduce",
          percent(fixed / now_.device()) +
              " of the step are the all-reduce and the update, which take as long for any batch; a replica has " +
              number(now_.sequences) + (now_.sequences == 1 ? " sequence." : " sequences."),
          "make the batch " + number(larger.batch) + ", in one part or accumulated, or rent a smaller slice",
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
        add("whole_update",
            "Every replica updates all " + number(parameter_count(job_.model) / 1e6) +
                " million weights: " + milliseconds(now_.update) + " a step.",
            "shard the optimizer's state: each replica updates its part between reduce-scatter and all-gather", gain);
    }
  }

  void precision() {
    if (job_.code.activations != DType::f32) return;
    TrainingJob narrow = job_;
    narrow.code.activations = DType::bf16;
    const TrainingEstimate then = estimate_training(narrow);
    if (worth(now_.device() - then.device()))
      add("f32_activations",
          "Activations are stored in f32, and " +
              percent(now_.program.bound_seconds[static_cast<std::size_t>(tpu::Bound::memory)] /
                      std::max(1e-30, now_.program.seconds)) +
              " of forward and backward are bound by memory.",
          "store activations in bf16 (--activations bf16), with weights and optimizer state in f32",
          now_.device() - then.device());
  }

  /// Seconds of a step in products that go into filling `extent` up.
  double filling(std::int64_t extent) const {
    double seconds = 0;
    for (const tpu::Waste& waste :
         tpu::waste_of(now_.program, tpu::core_of(job_.slice.chip, now_.replicas == job_.slice.chips), 0))
      if (waste.extent == extent) seconds += waste.seconds;
    return seconds * static_cast<double>(job_.accumulate);
  }

  /// A dimension that is no multiple of the unit: what it is filled up to costs nothing more.
  void filled(std::string_view id, const std::string& what, std::int64_t extent, std::int64_t unit) {
    const std::int64_t to = rounded_up(extent, unit), below = extent / unit * unit;
    if (to == extent) return;
    add(id,
        what + " " + number(extent) + " is no multiple of " + number(unit) + ", and costs what " + number(to) +
            " would.",
        "make it " + number(to) + ", which takes no longer" +
            (below > 0 ? "; or " + number(below) + ", which saves the time that goes into padding" : ""),
        filling(extent));
  }

  void dimensions() {
    const TransformerConfig& model = job_.model;
    const std::int64_t head = model.hidden / model.heads;
    if (head % unit_ != 0) {
      const std::string fills = "Heads of " + number(head) + " fill " + number(head) + " of the " +
                                number(rounded_up(head, unit_)) + " rows of the matrix unit that they take.";
      if (model.hidden % unit_ == 0 && model.heads > model.hidden / unit_) {
        TrainingJob wide = job_;
        wide.model.heads = model.hidden / unit_;
        const TrainingEstimate then = estimate_training(wide);
        add("padded_heads", fills,
            "take " + number(wide.model.heads) + (wide.model.heads == 1 ? " head of " : " heads of ") + number(unit_) +
                " instead of " + number(model.heads) + ": as many weights, in another model",
            now_.device() - then.device());
      } else {
        add("padded_heads", fills,
            "take a hidden size of " + number(model.heads * rounded_up(head, unit_)) + ", which makes heads of " +
                number(rounded_up(head, unit_)),
            filling(head));
      }
    }
    if (now_.sequences % rows_of_a_tile != 0) {
      TrainingJob even = job_;
      even.padding = 0;
      const std::int64_t to = rounded_up(now_.sequences, rows_of_a_tile);
      even.batch = to * now_.replicas * job_.accumulate;
      const double share = static_cast<double>(now_.sequences) / static_cast<double>(to);
      const TrainingEstimate then = estimate_training(even);
      add("padded_rows",
          "A replica has " + number(now_.sequences) + (now_.sequences == 1 ? " sequence" : " sequences") +
              " at once, no multiple of 8: where sequences are the rows of a tile, it costs what " + number(to) +
              " would.",
          "make the batch " + number(even.batch) + ", " + number(to) + " for each replica",
          now_.forward_backward - share * then.forward_backward);
    }
    filled("padded_sequence", "In attention, a sequence of", job_.length,
           job_.length > unit_ / 2 ? unit_ : rows_of_a_tile);
    filled("padded_vocabulary", "A vocabulary of", model.vocabulary, unit_);
    filled("padded_hidden", "A hidden size of", model.hidden, unit_);
    if (model.intermediate % unit_ != 0) filled("padded_hidden", "An intermediate size of", model.intermediate, unit_);
  }

  const TrainingJob& job_;
  const TrainingEstimate& now_;
  const std::optional<tpu::FeedOptions>& feed_;
  std::int64_t unit_;
  std::vector<Finding> found_;
};

}  // namespace

std::vector<Finding> findings(const TrainingJob& job, const TrainingEstimate& estimate,
                              const std::optional<tpu::FeedOptions>& feed) {
  return Search{job, estimate, feed}.run();
}

}  // namespace octet::nn
