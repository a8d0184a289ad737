module octet.train;
import octet.base;
import octet.graph;
import octet.nn;
import octet.standard;
import :finite;
import :options;

namespace octet::train {

namespace {

template <class T>
std::optional<double> first_of(std::span<const T> values) {
  // In blocks without a branch, as most hold finite numbers alone.
  constexpr std::size_t block = 4096;
  for (std::size_t begin = 0; begin < values.size(); begin += block) {
    const auto some = values.subspan(begin, std::min(block, values.size() - begin));
    bool finite = true;
    for (const T value : some) finite &= std::isfinite(static_cast<float>(value));
    if (finite) continue;
    for (const T value : some)
      if (!std::isfinite(static_cast<float>(value))) return static_cast<double>(static_cast<float>(value));
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> first_not_finite(const Tensor& tensor) {
  if (tensor.dtype() == DType::f32) return first_of(tensor.span<float>());
  if (tensor.dtype() == DType::bf16) return first_of(tensor.span<bfloat16>());
  return std::nullopt;
}

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  return std::isinf(value) ? (value < 0 ? "-inf" : "inf") : shortest_decimal(value);
}

void require_finite(const std::vector<std::string>& names, std::span<const Tensor> tensors, const std::string& where) {
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (const auto number = first_not_finite(tensors[i]))
      fail([&] {
        return Diagnostic{.number = 509,
                          .sentence = "The tensor " + names[i] + (where.empty() ? "" : " of " + where) + " holds " +
                                      number_text(*number) + ", which is no finite number.",
                          .where = {where, 0, ""},
                          .fix = {"go back to a model that was saved before its run diverged",
                                  "train it anew, with a lower learning rate"}};
      });
}

void require_finite_guess(const Tensor& guess) {
  if (const auto number = first_not_finite(guess))
    fail(
        {.number = 509,
         .sentence = "What the model makes of the sentence is " + number_text(*number) + ", which is no finite number.",
         .because = {{"its weights are not finite, or too large to compute with", {}}},
         .fix = {"go back to a model that was saved before its run diverged",
                 "train it anew, with a lower learning rate"}});
}

// Of a run that nothing in its options sends astray.
static void add_usual_cures(Diagnostic& diagnostic, const TrainOptions& options) {
  if (options.clip_norm == 0 || options.clip_norm > 1)
    diagnostic.fix.push_back("clip gradients at 1; the largest norm let through is " +
                             (options.clip_norm == 0 ? std::string{"any"} : number_text(options.clip_norm)));
  if (options.warmup_steps < options.steps)
    diagnostic.fix.push_back("reach the peak more slowly: the warm-up takes " + std::to_string(options.warmup_steps) +
                             " of " + std::to_string(options.steps) + (options.steps == 1 ? " step" : " steps"));
  if (options.parameters != DType::f32 || options.activations != DType::f32)
    diagnostic.fix.push_back("store weights and activations as f32");
  else if (options.precision == Precision::bf16)
    diagnostic.fix.push_back(
        "multiply in f32: TrainOptions::precision; for octet train, --precision f32, to see whether rounding to bf16 "
        "is at fault");
}

void fail_diverged(const TrainOptions& options, std::int64_t step, const std::string& what,
                   std::optional<double> loss_before) {
  Diagnostic diagnostic{.number = 509, .sentence = what + ": the run diverged."};
  diagnostic.where = {"step " + std::to_string(step) + " of " + std::to_string(options.steps), 0, ""};
  if (loss_before)
    diagnostic.because.push_back(
        {"the loss of step " + std::to_string(step - 1) + " was " + number_text(std::round(*loss_before * 1e4) / 1e4),
         {}});
  const double rate = step > 0 ? optimizer(options).schedule.at(step - 1) : 0;
  diagnostic.because.push_back({"the learning rate of this step was " + number_text(rate), {}});
  const bool decays = is_decay_too_large(options),
             is_rate_usual = options.learning_rate <= TrainOptions{}.learning_rate;
  if (decays)
    diagnostic.fix.push_back("lower the weight decay, " + number_text(options.weight_decay) +
                             ": times the learning rate it is what each step takes off a weight, as a share of it; " +
                             number_text(TrainOptions{}.weight_decay) + " is usual");
  if (!decays || !is_rate_usual)
    diagnostic.fix.push_back("lower the learning rate, whose peak is " + number_text(options.learning_rate) +
                             (is_rate_usual ? "" : ": " + number_text(TrainOptions{}.learning_rate) + " is usual"));
  if (!decays) add_usual_cures(diagnostic, options);
  if (diagnostic.fix.size() > 3) diagnostic.fix.resize(3);
  fail(std::move(diagnostic));
}

}  // namespace octet::train
