// What the Machine section asks about training a transformer on a slice: how long a step takes and what bounds it,
// whether it fits, what other slices would give, and when replicas compute or wait.
#include "crossing.hpp"
import octet.standard;
import octet;

namespace {

namespace nn = octet::nn;
namespace tpu = octet::tpu;
using crossing::list, crossing::number, crossing::take, crossing::text_of, crossing::val;

constexpr tpu::Bound bounds[] = {tpu::Bound::matrix_unit, tpu::Bound::vector_unit, tpu::Bound::memory,
                                 tpu::Bound::interconnect, tpu::Bound::start};

std::string text(std::string_view view) { return std::string{view}; }

val slice_object(const tpu::Slice& slice) {
  val object = val::object();
  object.set("name", slice.name);
  object.set("chip", text(slice.chip.name));
  object.set("chips", number(slice.chips));
  object.set("cores", number(slice.chips * slice.chip.cores));
  object.set("hosts", number(slice.hosts));
  object.set("torus", list(slice.torus, number));
  object.set("wraps", std::find(slice.wraps.begin(), slice.wraps.end(), true) != slice.wraps.end());
  return object;
}

/// `{}` → `{models, codes, chips}`: what there is to choose from.
val machine_choices(const val&) {
  val answer = val::object();
  answer.set("models", list(nn::published_transformers(), [](const nn::PublishedTransformer& model) {
               val object = val::object();
               object.set("name", text(model.name));
               object.set("parameters", nn::parameter_count(model.config));
               object.set("positions", number(model.config.positions));
               return object;
             }));
  answer.set("codes", list(nn::code_styles(), [](const nn::CodeStyle& style) { return text(style.name); }));
  answer.set("chips", list(tpu::chips(), [](const tpu::Chip& chip) {
               val object = val::object();
               object.set("name", text(chip.name));
               object.set("peak", chip.peak);
               object.set("cores", number(chip.cores));
               object.set("counts_cores", chip.named_by_cores);
               object.set("hbm_bytes", chip.hbm_bytes);
               object.set("hbm_bandwidth", chip.hbm_bandwidth);
               object.set("matrix_unit_size", number(chip.matrix_unit_size));
               object.set("processors", number(tpu::host_processors(chip)));
               object.set("slices", list(tpu::slice_names(chip),
                                         [](const std::string& name) { return slice_object(tpu::slice(name)); }));
               return object;
             }));
  return answer;
}

/// The job of `{model, slice, code, sequences, length, predictions, accumulate}`, each replica taking so many
/// `sequences` at once.
nn::TrainingJob job_of(const val& request) {
  nn::TrainingJob job;
  job.model = nn::published_transformer(text_of(request, "model"));
  job.slice = tpu::slice(text_of(request, "slice"));
  const std::string code = text_of(request, "code");
  const nn::CodeStyle* const style = nn::find_code_style(code);
  if (!style) octet::fail({.number = 709, .sentence = "There is no class of code called '" + code + "'."});
  job.code = *style;
  take(request, "length", job.length);
  job.predictions = std::max<std::int64_t>(1, job.length * 15 / 100);
  take(request, "predictions", job.predictions);
  take(request, "accumulate", job.accumulate);
  std::int64_t sequences = 1;
  take(request, "sequences", sequences);
  constexpr std::int64_t most = 1 << 20, most_parts = 64;  // each part is drawn
  if (sequences < 1 || sequences > most || job.accumulate < 1 || job.accumulate > most_parts || job.length > most)
    octet::fail({.number = 709, .sentence = "A replica takes 1 to 1,048,576 sequences at once, in 64 parts at most."});
  // A batch of one sequence, filled up so that it can be shared equally, has one for each replica and part.
  job.batch = 1;
  job.batch = sequences * nn::padded_evenly(job).batch;
  return job;
}

/// The job that was asked about last, with what is known of it: a slider of the timeline asks about the same one again
/// and again.
struct Known {
  std::string key;
  nn::TrainingJob job;
  nn::TrainingEstimate estimate;
  std::vector<tpu::Stretch> step;
};

Known& known(const val& request) {
  static std::optional<Known> last;
  nn::TrainingJob job = job_of(request);
  std::string key = text_of(request, "model");
  for (const std::string& part :
       {job.slice.name, std::string{job.code.name}, std::to_string(job.batch), std::to_string(job.length),
        std::to_string(job.predictions), std::to_string(job.accumulate)})
    key += " " + part;
  if (!last || last->key != key) {
    nn::TrainingEstimate estimate = nn::estimate_training(job);
    last = Known{std::move(key), std::move(job), std::move(estimate), {}};
  }
  return *last;
}

val product_object(const tpu::Product& product) {
  val object = val::object();
  object.set("batch", number(product.batch));
  object.set("m", number(product.m));
  object.set("k", number(product.k));
  object.set("n", number(product.n));
  return object;
}

val memory_object(const nn::TrainingJob& job, const nn::TrainingEstimate& estimate) {
  const nn::MemoryBudget& memory = estimate.memory;
  // Of two sets of gradients one is what accumulation steps have added up so far; it stays beside the others.
  const double added_up = job.accumulate > 1 ? memory.gradients / 2 : 0;
  val object = val::object();
  object.set("capacity", memory.capacity);
  object.set("needed", memory.needed);
  object.set("peak", memory.peak);
  object.set("fits", memory.fits);
  if (memory.must_ask()) object.set("must_ask_beyond", octet::most_unasked);
  object.set("weights", memory.weights);
  object.set("optimizer", memory.optimizer);
  object.set("added_up", added_up);
  object.set("working", memory.needed - memory.weights - memory.optimizer - added_up);
  object.set("largest", list(memory.largest, [](const tpu::LiveTensor& tensor) {
               val each = val::object();
               each.set("type", octet::to_string(tensor.type));
               each.set("description", tensor.description);
               each.set("bytes", tensor.bytes);
               return each;
             }));
  return object;
}

/// A job → how long its step takes and what it needs. Seconds and bytes.
val estimate_job(const val& request) {
  const Known& now = known(request);
  const nn::TrainingEstimate& estimate = now.estimate;
  const double rounds = static_cast<double>(now.job.accumulate);
  val answer = val::object();
  answer.set("slice", slice_object(now.job.slice));
  answer.set("parameters", nn::parameter_count(now.job.model));
  answer.set("replicas", number(estimate.replicas));
  answer.set("batch", number(now.job.batch));
  answer.set("sequences", number(estimate.sequences));
  answer.set("step", estimate.step);
  answer.set("forward_backward", estimate.forward_backward);
  answer.set("recompute", estimate.recompute);
  answer.set("accumulate", estimate.accumulate);
  answer.set("all_reduce", estimate.all_reduce);
  answer.set("update", estimate.update);
  val bound = val::object();
  for (const tpu::Bound each : bounds) {
    std::string name = text(tpu::name(each));
    std::replace(name.begin(), name.end(), ' ', '_');
    bound.set(name, rounds * estimate.program.bound_seconds[static_cast<std::size_t>(each)]);
  }
  answer.set("bound", bound);
  answer.set("sequences_per_second", static_cast<double>(now.job.batch) / estimate.step);
  answer.set("peak_share", estimate.peak_share);
  answer.set("matrix_use", estimate.matrix_use);
  answer.set("memory", memory_object(now.job, estimate));
  std::vector<tpu::OperationTotal> products;
  for (const tpu::OperationTotal& total : estimate.program.operations)
    if (total.is_product && products.size() < 8) products.push_back(total);
  answer.set("products", list(products, [&](const tpu::OperationTotal& total) {
               val each = product_object(total.product);
               each.set("calls", rounds * total.count);
               each.set("seconds", rounds * total.seconds);
               each.set("use", total.flops / std::max(1.0, total.padded_flops));
               return each;
             }));
  return answer;
}

/// A job → `{largest_batch, largest_kept, choices, refused}`: the most sequences that a replica can take at once, those
/// with nothing recomputed, and what could be given up.
val memory_of(const val& request) {
  const Known& now = known(request);
  const nn::BatchLimits limits = nn::batch_limits(now.job);
  const std::int64_t largest = limits.recomputing;
  const std::vector<nn::MemoryChoice> choices = nn::memory_choices(now.job);
  val answer = val::object();
  answer.set("largest_batch", number(largest));
  answer.set("largest_kept", number(limits.kept));
  answer.set("choices", list(choices, [](const nn::MemoryChoice& choice) {
               val each = val::object();
               each.set("id", text(choice.id));
               each.set("peak", choice.peak);
               each.set("step", choice.step_seconds);
               each.set("fits", choice.fits);
               return each;
             }));
  std::vector<octet::Diagnostic> refused;
  if (!now.estimate.memory.fits) refused.push_back(nn::does_not_fit(now.job, now.estimate, largest, choices));
  answer.set("refused", list(refused, crossing::diagnostic));
  return answer;
}

/// The slices of the generation of `here`: where there are very many, those of 2, 4, 8, … chips, and `here`.
std::vector<tpu::Slice> slices_beside(const tpu::Slice& here) {
  constexpr std::size_t many = 16;
  std::vector<tpu::Slice> slices;
  for (const std::string& name : tpu::slice_names(here.chip)) slices.push_back(tpu::slice(name));
  if (slices.size() > many)
    std::erase_if(slices, [&](const tpu::Slice& each) {
      return !std::has_single_bit(static_cast<std::uint64_t>(each.chips)) && each.name != here.name;
    });
  return slices;
}

/// A job and `keeps`, "batch" or "share" → its step on the slices of the generation, with the same batch in all or the
/// same share of it for each replica.
val scaling_of(const val& request) {
  const Known& now = known(request);
  const bool same_batch = text_of(request, "keeps") == "batch";
  return list(slices_beside(now.job.slice), [&](const tpu::Slice& slice) {
    nn::TrainingJob job = now.job;
    job.slice = slice;
    if (!same_batch) job.batch = 1;
    job = nn::padded_evenly(std::move(job));
    if (!same_batch) {
      job.batch *= now.estimate.sequences;
      job.padding = 0;
    }
    const nn::TrainingEstimate estimate = nn::estimate_training(job);
    val object = slice_object(job.slice);
    object.set("replicas", number(estimate.replicas));
    object.set("batch", number(job.batch - job.padding));
    object.set("padding", number(job.padding));
    object.set("step", estimate.step);
    object.set("all_reduce", estimate.all_reduce);
    object.set("sequences_per_second", static_cast<double>(job.batch - job.padding) / estimate.step);
    object.set("peak_share", estimate.peak_share);
    object.set("fits", estimate.memory.fits);
    return object;
  });
}

/// What feeds a job: `{threads, prefetch, place, host, prepared_by, slow_host, prepare_microseconds}`, each where it
/// is not as usual.
tpu::FeedOptions feed_of(const val& request, const nn::TrainingJob& job) {
  const std::string place = text_of(request, "place"), host = text_of(request, "host");
  tpu::DataPlacement data;
  data.place = place == "bucket" ? tpu::DataPlace::bucket
               : place == "disk" ? tpu::DataPlace::disk
                                 : tpu::DataPlace::memory;
  data.host = host == "node" ? tpu::HostKind::node : tpu::HostKind::vm;
  data.calls_back = text_of(request, "prepared_by") == "program";
  tpu::FeedOptions options = nn::usual_feed(job, data);
  take(request, "threads", options.threads);
  take(request, "prefetch", options.prefetch);
  take(request, "slow_host", options.slow_host);
  double prepare_microseconds = options.prepare_seconds * 1e6;
  take(request, "prepare_microseconds", prepare_microseconds);
  options.prepare_seconds = prepare_microseconds * 1e-6;
  return options;
}

val values_of(const std::vector<nn::FindingValue>& values) {
  return list(values, [](const nn::FindingValue& each) {
    val object = val::object();
    object.set("value", each.value);
    object.set("unit", text(nn::name(each.unit)));
    return object;
  });
}

/// A job and what feeds it → what would make a step faster, the largest gain first. Seconds of a step.
val findings_of(const val& request) {
  const Known& now = known(request);
  const tpu::FeedOptions feed = feed_of(request, now.job);
  // From one step to the next, what is waited for included.
  const double cycle = tpu::estimate_feed(feed, now.job.slice, now.job.batch, now.estimate.device()).cycle_seconds;
  return list(nn::findings(now.job, now.estimate, feed), [&](const nn::Finding& finding) {
    val object = val::object();
    object.set("id", text(finding.id));
    object.set("sentence", finding.sentence);
    object.set("values", values_of(finding.values));
    object.set("remedy", text(finding.remedy));
    object.set("change", finding.change);
    object.set("changes", values_of(finding.changes));
    object.set("seconds", finding.seconds);
    object.set("share", finding.seconds / cycle);
    return object;
  });
}

/// A job, what feeds it and `steps` → what hosts and replicas do when.
val timeline_of(const val& request) {
  Known& now = known(request);
  if (now.step.empty()) {
    now.step = nn::step_stretches(now.job, now.estimate);
    for (tpu::Stretch& stretch : now.step) stretch.parts.clear();
  }
  const tpu::FeedOptions options = feed_of(request, now.job);
  tpu::TimelineOptions shown{.steps = 4, .hosts = 2, .replicas = 8};
  take(request, "steps", shown.steps);
  shown.steps = std::clamp<std::int64_t>(shown.steps, 1, 64);

  const double device = now.estimate.device();
  const tpu::FeedEstimate fed = tpu::estimate_feed(options, now.job.slice, now.job.batch, device);
  tpu::Slice slice = now.job.slice;
  slice.replicas = now.estimate.replicas;  // of a chip's two cores together, where the code runs so
  const tpu::Timeline timeline =
      tpu::timeline(now.step, tpu::feed(options, now.job.slice, now.job.batch), slice, shown);
  val answer = val::object();
  answer.set("seconds", timeline.seconds);
  answer.set("lanes", list(timeline.lanes, [](const tpu::TimelineLane& lane) {
               val object = val::object();
               object.set("group", lane.group);
               object.set("name", lane.name);
               return object;
             }));
  answer.set("events", list(timeline.events, [](const tpu::TimelineEvent& event) {
               val object = val::object();
               object.set("lane", number(static_cast<std::int64_t>(event.lane)));
               object.set("name", event.name);
               object.set("category", event.category);
               object.set("begin", event.begin);
               object.set("seconds", event.seconds);
               object.set("step", number(event.step));
               return object;
             }));
  answer.set("replicas", number(now.estimate.replicas));
  answer.set("hosts", number(now.job.slice.hosts));
  answer.set("step", fed.step_seconds);
  answer.set("cycle", fed.cycle_seconds);
  answer.set("waiting_share", fed.waiting_share);
  answer.set("slowest", text(tpu::name(fed.slowest)));
  answer.set("too_few_prefetched", fed.too_few_prefetched);
  answer.set("one_slow_host", fed.one_slow_host);
  answer.set("threads", number(fed.threads));
  answer.set("processors", number(fed.host_processors));
  answer.set("prepare_microseconds", options.prepare_seconds * 1e6);
  // Nothing where no number would do.
  answer.set("threads_needed", fed.threads_needed ? val{number(*fed.threads_needed)} : val::null());
  answer.set("prefetch_needed", fed.prefetch_needed ? val{number(*fed.prefetch_needed)} : val::null());
  return answer;
}

const crossing::Functions functions{
    {"machineChoices", machine_choices}, {"estimateJob", estimate_job}, {"memoryOf", memory_of},
    {"scalingOf", scaling_of},           {"timelineOf", timeline_of},   {"findingsOf", findings_of}};

}  // namespace
