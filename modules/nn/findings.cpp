module octet.nn;
import octet.base;
import octet.graph;
import octet.standard;
import octet.tpu;
import :feed_findings;
import :finding_text;
import :findings;
import :training_cost;
import :transformer;

namespace octet::nn {

namespace {

constexpr std::int64_t rows_of_a_tile = 8;
constexpr double nothing = 1e-9;  // of a step: what is no gain

std::int64_t rounded_up(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }

class Search {
 public:
  Search(const TrainingJob& job, const TrainingEstimate& estimate, const std::optional<tpu::FeedOptions>& feed,
         const std::optional<Compiles>& compiles)
      : job_{job},
        now_{estimate},
        feed_{feed},
        compiles_{compiles},
        unit_{job.slice.chip.matrix_unit_size},
        cycle_{cycle(job, estimate)} {}

  std::vector<Finding> run() {
    uneven_shards();
    if (feed_)
      for (Told& each : feed_findings(*feed_, job_.slice, job_.batch, now_.device(), compiles_.has_value()))
        add(std::move(each.what), std::move(each.remedy), each.gain);
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
    if (gain > nothing * cycle_) tell(std::move(what), std::move(remedy), gain);
  }
  void tell(Said what, Said remedy, double gain) {
    found_.push_back({what.code, said(what.english, what.values), std::move(what.values), remedy.code,
                      said(remedy.english, remedy.values), std::move(remedy.values), gain});
  }
  bool worth(double gain) const { return gain >= worth_telling * cycle_; }

  /// Seconds from one step to the next where chips compute on `batch` sequences of `length` tokens for `device` seconds
  /// and have their input after `infeed`: hosts take as long for each token as they do now.
  double cycle(double device, double infeed, std::int64_t batch, std::int64_t length) const {
    const double computing = std::max(device, infeed);
    if (!feed_) return computing;
    tpu::FeedOptions then = *feed_;
    const double longer = static_cast<double>(length) / static_cast<double>(job_.length);
    const double more = longer * static_cast<double>(batch) / static_cast<double>(job_.batch);
    for (double* const each : {&then.example_bytes, &then.transfer_bytes, &then.prepare_seconds}) *each *= longer;
    for (double& each : then.measured) each *= more;
    return std::max(computing, tpu::cycle_seconds(tpu::feed(then, job_.slice, batch), device));
  }
  double cycle(const TrainingJob& job, const TrainingEstimate& estimate) const {
    return cycle(estimate.device(), estimate.infeed, job.batch, job.length);
  }
  /// What a step gains whose chips compute for so many seconds less.
  double gain_of(double seconds) const {
    return cycle_ - cycle(now_.device() - seconds, now_.infeed, job_.batch, job_.length);
  }
  /// What `job` gains, which computes on `times` as much in a step.
  double gain_of(const TrainingJob& job, const TrainingEstimate& estimate, double times = 1) const {
    return cycle_ - cycle(job, estimate) / times;
  }

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
        std::move(remedy), static_cast<double>(job_.padding) / static_cast<double>(job_.batch) * cycle_);
  }

  void compiler() {
    if (compiles_->programs <= 1) return;  // the first cannot be spared
    const auto programs = static_cast<double>(compiles_->programs), steps = static_cast<double>(compiles_->steps);
    const double compiling = programs * compiles_->seconds, computing = steps * cycle_;
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
    if (!job_.code.joined_all_reduce) {
      TrainingJob joined = job_;
      joined.code.joined_all_reduce = true;
      const TrainingEstimate then = estimate_training(joined);
      const double bytes = 4 * parameter_count(job_.model) / static_cast<double>(now_.all_reduces);
      add({"tiny_collectives",
           "{1} all-reduces, one for each gradient, of {2} each on average, take {3}: every one begins anew and goes "
           "round all {4} chips.",
           {count("all_reduces", now_.all_reduces),
            {"bytes", bytes, FindingUnit::bytes},
            seconds("seconds", together),
            count("chips", job_.slice.chips)}},
          {"join_all_reduces",
           "join them: one all-reduce of all gradients takes {1}",
           {seconds("seconds", then.all_reduce)}},
          gain_of(joined, then));
    }
    if (const double hidden = gain_of(overlapped()); worth(hidden))
      add({"unoverlapped_all_reduce",
           "The all-reduce of the gradients begins when the backward pass is done: {1} in which the matrix unit is "
           "idle.",
           {seconds("seconds", together)}},
          {"overlap_all_reduce",
           "reduce each layer's gradients while the layers before it are still computed; only the first "
           "layer's and the word embeddings' are left to wait for",
           {}},
          hidden);
    // What does not grow with the batch, on a step so small that it weighs.
    constexpr double much = 0.25;
    const double fixed = together + now_.update;
    if (fixed >= much * now_.device()) larger_batch(fixed);
    if (!job_.code.sharded_update) {
      double gain = gain_of(now_.update * (1 - 1 / static_cast<double>(now_.replicas)));
      if (now_.recompute > 0) {  // of which less is left to do where the state leaves more memory
        TrainingJob sharded = job_;
        sharded.code.sharded_update = true;
        gain = gain_of(sharded, estimate_training(sharded));
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

  /// Seconds of the all-reduce that a backward pass can hide: of the gradients that are complete before it ends, and of
  /// accumulated parts the last one's. Where each replica updates its share, half of it is the all-gather after that.
  double overlapped() const {
    const double early = early_parameter_count(job_.model) / parameter_count(job_.model);
    const double reduced = job_.code.sharded_update ? now_.all_reduce / 2 : now_.all_reduce;
    return std::min(early * reduced, now_.forward_backward * 2 / 3 / static_cast<double>(job_.accumulate));
  }

  void precision() {
    if (job_.code.activations != DType::f32) return;
    TrainingJob narrow = job_;
    narrow.code.activations = DType::bf16;
    const double gain = gain_of(narrow, estimate_training(narrow));
    if (worth(gain))
      add({"f32_activations",
           "Activations are stored in f32, and {1} of forward and backward are bound by memory.",
           {share("memory_share", now_.program.bound_seconds[static_cast<std::size_t>(tpu::Bound::memory)] /
                                      std::max(1e-30, now_.program.seconds))}},
          {"bf16_activations",
           "store activations in bf16 (--activations bf16), with weights and optimizer state in f32",
           {}},
          gain);
  }

  /// Four times the batch, at once or in parts.
  void larger_batch(double fixed) {
    constexpr std::int64_t times = 4;
    TrainingJob larger = job_;
    larger.batch *= times;
    larger.padding *= times;
    const auto gain = [&] {
      const TrainingEstimate then = estimate_training(larger);
      return then.memory.fits ? gain_of(larger, then, times) : 0;
    };
    const double at_once = gain();
    larger.accumulate *= times;
    const double in_parts = gain();
    const FindingValue batch = count("batch", larger.batch), parts = count("parts", larger.accumulate);
    Said remedy;
    if (worth(at_once) && worth(in_parts))
      remedy = {"larger_batch_either",
                "make the batch {1}: at once, that saves {2} on as many sequences; in {3} accumulated parts, {4}",
                {batch, seconds("at_once_seconds", at_once), parts, seconds("in_parts_seconds", in_parts)}};
    else if (worth(at_once))
      remedy = {"larger_batch_at_once", "make the batch {1}, not in parts", {batch}};
    else if (worth(in_parts))
      remedy = {"larger_batch_in_parts", "make the batch {1}, in {2} accumulated parts", {batch, parts}};
    else
      return;
    add({"bound_by_all_reduce",
         "{1} of the step are the all-reduce and the update, which take as long for any batch; a replica has {2} "
         "[sequence|sequences].",
         {share("share", fixed / now_.device()), count("sequences", now_.sequences)}},
        std::move(remedy), std::max(at_once, in_parts));
  }

  /// Seconds of a step in products that go into filling `extent` up.
  double filling(std::int64_t extent) const {
    double sum = 0;
    for (const tpu::Waste& waste :
         tpu::waste_of(now_.program, tpu::core_of(job_.slice.chip, now_.replicas == job_.slice.chips), 0))
      if (waste.extent == extent) sum += waste.seconds;
    return sum * static_cast<double>(job_.accumulate);
  }

  /// A size of the model that is no multiple of `unit`. What it is filled up to is told where a step takes no longer
  /// with it, and what lies below where that is faster. `multiple` is what it can be changed by; `changed` changes it.
  void filled(std::string_view id, const std::string& what, std::int64_t extent, std::int64_t multiple,
              const std::function<void(TransformerConfig&, std::int64_t)>& changed) {
    if (extent % unit_ == 0) return;
    const double padding = gain_of(filling(extent));
    if (!worth(padding)) return;
    const std::int64_t to = rounded_up(extent, multiple), below = extent / multiple * multiple;
    const auto gain_at = [&](std::int64_t size) {
      TrainingJob job = job_;
      changed(job.model, size);
      const TrainingEstimate then = estimate_training(job);
      return then.memory.fits || !now_.memory.fits ? gain_of(job, then) : -std::numeric_limits<double>::infinity();
    };
    constexpr double hardly = 0.005;  // longer
    const bool up = gain_at(to) >= -hardly * cycle_;
    // What more than the padding it saves, it saves by computing less.
    const double gain = below > 0 ? std::min(padding, gain_at(below)) : 0;
    const bool down = worth(gain);
    Said remedy{"fill_up", "make it {1}, which takes no longer", {count("to", to)}};
    if (up && down)
      remedy = {"fill_up_or_below",
                "make it {1}, which takes no longer; or {2}, which saves the time that goes into padding",
                {count("to", to), count("below", below)}};
    else if (down)
      remedy = {"down_to", "make it {1}, which saves the time that goes into padding", {count("below", below)}};
    else if (!up)
      return;
    tell({id,
          what + " {1} is no multiple of {2}, and costs what {3} would.",
          {count("extent", extent), count("unit", unit_), count("padded", rounded_up(extent, unit_))}},
         std::move(remedy), down ? gain : 0);
  }

  /// A sequence that is no multiple of what attention takes at once: the length near it with the least time for a
  /// token.
  void sequence() {
    const std::int64_t unit = job_.length > unit_ / 2 ? unit_ : rows_of_a_tile;
    if (job_.length % unit == 0) return;
    const std::int64_t above = rounded_up(job_.length, unit), below = above - unit;
    const auto length = [](std::int64_t tokens) { return static_cast<double>(tokens); };
    std::int64_t best = 0;
    double gain = 0, takes = 0;
    const bool down = job_.length - below <= above - job_.length;
    for (const std::int64_t to : down ? std::array{below, above} : std::array{above, below}) {
      if (to < 1 || worth(gain)) continue;
      TrainingJob other = job_;
      other.length = to;
      other.model.positions = std::max(other.model.positions, to);
      other.predictions =
          std::clamp<std::int64_t>(std::llround(length(job_.predictions) * length(to) / length(job_.length)), 1, to);
      const TrainingEstimate then = estimate_training(other);
      const double saved = gain_of(other, then, length(to) / length(job_.length));
      if (!then.memory.fits || saved <= gain) continue;
      best = to;
      gain = saved;
      takes = cycle(other, then);
    }
    if (!worth(gain)) return;
    const std::vector<FindingValue> values{count("to", best), seconds("step_seconds", takes),
                                           share("saved_share", gain / cycle_)};
    Said remedy{"other_length", "make it {1}: a step takes {2}, {3} less for each token", values};
    if (best > job_.model.positions)
      remedy = {"longer_positions",
                "take a model of {1} positions, and fill them: a step takes {2}, {3} less for each token", values};
    add({"padded_sequence",
         "In attention, a sequence of {1} is no multiple of {2}, and costs what {3} would.",
         {count("extent", job_.length), count("unit", unit), count("padded", above)}},
        std::move(remedy), gain);
  }

  /// Heads that leave rows of the matrix unit empty: fewer and larger ones of the same hidden size.
  void heads() {
    const TransformerConfig& model = job_.model;
    const std::int64_t head = model.hidden / model.heads, whole = rounded_up(head, unit_);
    if (head == whole) return;
    const auto full = [&](std::int64_t size) {
      return static_cast<double>(size) / static_cast<double>(rounded_up(size, unit_));
    };
    std::vector<std::int64_t> sizes;  // fuller than now, on the rows that are taken as it is
    for (std::int64_t size = head + 1; size <= std::min(whole, model.hidden); ++size)
      if (model.hidden % size == 0 && full(size) > full(head)) sizes.push_back(size);
    std::stable_sort(sizes.begin(), sizes.end(), [&](std::int64_t a, std::int64_t b) { return full(a) > full(b); });
    constexpr std::size_t most_tried = 3;
    if (sizes.size() > most_tried) sizes.resize(most_tried);
    std::int64_t best = 0;
    double gain = 0;
    for (const std::int64_t size : sizes) {
      TrainingJob other = job_;
      other.model.heads = model.hidden / size;
      const TrainingEstimate then = estimate_training(other);
      const double saved = gain_of(other, then);
      if (saved <= gain || (now_.memory.fits && !then.memory.fits)) continue;
      best = size;
      gain = saved;
    }
    if (!worth(gain)) return;
    add({"padded_heads",
         "Heads of {1} fill {1} of the {2} rows of the matrix unit that they take.",
         {count("extent", head), count("padded", whole)}},
        {"fewer_heads",
         "take {1} [head|heads] of {2} instead of {3}: as many weights, in another model",
         {count("heads", model.hidden / best), count("size", best), count("now", model.heads)}},
        gain);
  }

  /// Sequences of a replica that are no multiple of 8: the nearest batch of whole tiles that fits and is faster.
  void rows() {
    if (now_.sequences % rows_of_a_tile == 0) return;
    const std::int64_t above = rounded_up(now_.sequences, rows_of_a_tile);
    // What grows with the batch; a larger one shares the rest among more, which is another matter.
    const auto growing = [](const TrainingEstimate& e) { return e.forward_backward + e.recompute + e.accumulate; };
    TrainingJob best;
    std::int64_t each = 0;
    double gain = 0;
    for (const std::int64_t to : {above, above - rows_of_a_tile}) {
      if (to < 1) continue;
      TrainingJob even = job_;
      even.padding = 0;
      even.batch = to * now_.replicas * job_.accumulate;
      const TrainingEstimate then = estimate_training(even);
      const double part = static_cast<double>(now_.sequences) / static_cast<double>(to);
      const double saved = std::min(growing(now_) - part * growing(then), gain_of(even, then, 1 / part));
      if (!then.memory.fits || saved <= gain) continue;
      best = even;
      each = to;
      gain = saved;
    }
    if (!worth(gain)) return;
    Said remedy{"batch_of_rows",
                "make the batch {1}, {2} for each replica",
                {count("batch", best.batch), count("sequences", each)}};
    if (job_.accumulate > 1) {
      remedy.code = "batch_of_rows_in_parts";
      remedy.english += " in each part";
    }
    add({"padded_rows",
         "A replica has {1} [sequence|sequences] at once, no multiple of 8: where sequences are the rows of a tile, "
         "it costs what {2} would.",
         {count("extent", now_.sequences), count("padded", above)}},
        std::move(remedy), gain);
  }

  void dimensions() {
    const TransformerConfig& model = job_.model;
    heads();
    rows();
    sequence();
    filled("padded_vocabulary", "A vocabulary of", model.vocabulary, unit_,
           [](TransformerConfig& other, std::int64_t size) { other.vocabulary = size; });
    filled("padded_hidden", "A hidden size of", model.hidden, std::lcm(unit_, model.heads),
           [](TransformerConfig& other, std::int64_t size) {
             if (other.embedding == other.hidden) other.embedding = size;
             other.hidden = size;
           });
    filled("padded_intermediate", "An intermediate size of", model.intermediate, unit_,
           [](TransformerConfig& other, std::int64_t size) { other.intermediate = size; });
  }

  const TrainingJob& job_;
  const TrainingEstimate& now_;
  const std::optional<tpu::FeedOptions>& feed_;
  const std::optional<Compiles>& compiles_;
  std::int64_t unit_;
  double cycle_;  ///< from one step to the next, what is waited for included
  std::vector<Finding> found_;
};

}  // namespace

std::vector<Finding> findings(const TrainingJob& job, const TrainingEstimate& estimate,
                              const std::optional<tpu::FeedOptions>& feed, const std::optional<Compiles>& compiles) {
  return Search{job, estimate, feed, compiles}.run();
}

}  // namespace octet::nn
