/// octet bench: how fast this machine is, how much of that matrix products reach, and what a training step makes of it.
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "json.hpp"
#include "output.hpp"
#include "terminal.hpp"

#include "bench_explain.hpp"
#include "bench_programs.hpp"
#include "messages.hpp"
#include "train_options.hpp"
import octet.standard;
import octet;

namespace program {

namespace {

using Clock = std::chrono::steady_clock;

struct BenchCommand {
  long long threads = 1, repeat = 15;
  std::vector<std::string> only;
  std::string isa;  ///< empty: the best there is
  bool explain = false, sizes = false;
};

/// The middle of several measurements, and the quartiles around it.
struct Measured {
  double median = 0, low = 0, high = 0;
};

Measured measured(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
  };
  return {at(0.5), at(0.25), at(0.75)};
}

/// The roof at this moment, before the clock has changed: under a load of wide vectors and memory a processor lowers
/// it, and within ten milliseconds of the lighter work that the roof is measured with it rises again.
double peak_now(octet::Isa isa) { return octet::measured_peak(isa, std::chrono::milliseconds{2}); }

/// A time or a rate of something, and the share of the roof that it reaches, which is measured before and after each.
struct WithShare {
  Measured value;
  double share = 0;  ///< the median
  double roof = 0;   ///< of one thread, billions of operations per second: the median
};

JsonObject json_of(const Measured& value) {
  return JsonObject{}.add("median", value.median).add("quartile_1", value.low).add("quartile_3", value.high);
}

std::string text_of(const Measured& value, int digits) {
  return fixed(value.median, digits) + " (" + fixed(value.low, digits) + " to " + fixed(value.high, digits) + ")";
}

/// In memory such as programs compute in.
octet::Tensor random_numbers(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  octet::Tensor numbers{octet::DType::f32, octet::Shape{rows, columns}};
  octet::Hasher hasher;
  hasher.add(seed);
  for (float& number : numbers.mutable_span<float>())
    number = static_cast<float>(hasher.add(seed).value() >> 40) / static_cast<float>(1 << 24) - 0.5f;
  return numbers;
}

/// Billions of operations per second of one product of [m, k] and [k, n], repeated.
WithShare measure_product(std::int64_t m, std::int64_t n, std::int64_t k, bool bf16, octet::Isa isa, long long repeat,
                          octet::Threads& threads) {
  octet::Gemm product{.m = m, .n = n, .k = k, .lhs_row = k, .rhs_row = n, .out_row = n, .round_to_bfloat16 = bf16};
  const octet::Tensor lhs = random_numbers(m, k, 1), rhs = random_numbers(k, n, 2);
  octet::Tensor out{octet::DType::f32, octet::Shape{m, n}};
  const auto bytes = static_cast<std::int64_t>(octet::gemm_workspace(product, threads.count()));
  octet::Tensor workspace{octet::DType::f32, octet::Shape{bytes / 4 + 1}};
  const double operations = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  // As many calls a measurement as take some milliseconds, so that the clock's grain does not show.
  const auto calls = static_cast<int>(std::max(1.0, 2e8 / operations));
  std::vector<double> rates, shares, roofs;
  double before = peak_now(isa);
  for (long long i = -1; i < repeat; ++i) {  // the first warms up
    const auto start = Clock::now();
    for (int call = 0; call < calls; ++call)
      octet::gemm(product, lhs.span<float>().data(), rhs.span<float>().data(), out.mutable_span<float>().data(),
                  std::as_writable_bytes(workspace.mutable_span<float>()), isa, threads);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const double after = peak_now(isa);
    if (i >= 0) {
      rates.push_back(operations * calls / seconds / 1e9);
      roofs.push_back((before + after) / 2);
      shares.push_back(rates.back() / (roofs.back() * threads.count()));
    }
    before = after;
  }
  return {measured(std::move(rates)), measured(std::move(shares)).median, measured(std::move(roofs)).median};
}

/// Milliseconds of one training step.
template <class Program>
Measured measure_step(Program& program, long long repeat) {
  std::vector<double> times;
  for (long long i = -2; i < repeat; ++i) {  // the first compiles, the second warms up
    const auto start = Clock::now();
    program.step();
    if (i >= 0) times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  return measured(std::move(times));
}

/// The same of a step of so many operations, with its share of the roof of so many threads.
template <class Program>
WithShare measure_step(Program& program, long long repeat, double operations, octet::Isa isa, unsigned threads) {
  std::vector<double> times, shares, roofs;
  double before = 0;
  for (long long i = -2; i < repeat; ++i) {  // the first compiles, the second warms up
    const auto start = Clock::now();
    program.step();
    const double milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    const double after = peak_now(isa);
    if (i >= 0) {
      times.push_back(milliseconds);
      roofs.push_back((before + after) / 2);
      shares.push_back(operations / (milliseconds * 1e6) / (roofs.back() * threads));
    }
    before = after;
  }
  return {measured(std::move(times)), measured(std::move(shares)).median, measured(std::move(roofs)).median};
}

/// Microseconds that a call whose program is known takes beyond its kernels.
Measured measure_call(CallProgram& program, long long repeat) {
  constexpr int calls = 1000;
  std::vector<double> times;
  for (long long i = -1; i < repeat; ++i) {  // the first compiles
    double kernels = 0;
    for (const octet::KernelProfile& kernel : program.profile(calls)) kernels += kernel.seconds;
    const auto start = Clock::now();
    for (int call = 0; call < calls; ++call) program.call();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (i >= 0) times.push_back((seconds - kernels) / calls * 1e6);
  }
  return measured(std::move(times));
}

/// Bytes per second of copying from memory to memory, read and written counted.
double measured_bandwidth() {
  const std::vector<float> from(std::size_t{1} << 24, 1.0f);
  std::vector<float> to(from.size());
  std::vector<double> rates;
  for (int i = -1; i < 5; ++i) {
    const auto start = Clock::now();
    std::copy(from.begin(), from.end(), to.begin());
    asm volatile("" : : "r"(to.data()) : "memory");  // the copy counts as read
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (i >= 0) rates.push_back(2.0 * static_cast<double>(from.size() * sizeof(float)) / seconds);
  }
  return measured(std::move(rates)).median;
}

struct Product {
  const char* what;
  std::int64_t m, n, k;
};
constexpr Product products[] = {
    {"demo: query, key, value", 512, 128, 128},        {"demo: feed-forward, up", 512, 512, 128},
    {"demo: feed-forward, down", 512, 128, 512},       {"demo: logits of masked tokens", 80, 2048, 128},
    {"BERT base: query, key, value", 512, 768, 768},   {"BERT base: feed-forward, up", 512, 3072, 768},
    {"BERT base: feed-forward, down", 512, 768, 3072},
};

/// What is measured, and how it is printed.
class Bench {
 public:
  Bench(const BenchCommand& command, bool json, octet::Isa isa)
      : command_{command}, json_{json}, isa_{isa}, many_{thread_count(command.threads)} {
    teams_.push_back(&one_);
    if (many_.count() > 1) teams_.push_back(&many_);
  }

  void run() {
    roof();
    if (command_.sizes) return sizes();
    if (command_.only.empty()) products();
    steps();
    if (command_.only.empty()) replicas();
    if (command_.only.empty()) calls();
  }

 private:
  bool chosen(const StepSize& size) const {
    return command_.only.empty() ||
           std::find(command_.only.begin(), command_.only.end(), size.name) != command_.only.end();
  }

  void roof() {
    const std::string isa{octet::name(isa_)}, in_registers = matrix_peak_ > 0 ? "avx512" : isa;
    if (json_)
      print(JsonObject{}
                .add("bench", "peak")
                .add("isa", in_registers)
                .add("gigaflops", peak_)
                .add("matrix_unit", matrix_peak_ > 0 ? isa : "")
                .add("matrix_gigaflops", matrix_peak_)
                .text());
    else
      print("One thread multiplies and adds at " + fixed(peak_, 1) + " Gflop/s in registers (" + in_registers +
            "): the roof." +
            (matrix_peak_ > 0 ? "\nIts matrix unit (" + isa + ") multiplies bf16 at " + fixed(matrix_peak_, 0) +
                                    " Gflop/s besides: that is how shares of the roof come to be above 100 %."
                              : std::string{}) +
            "\nBelow: medians of " + std::to_string(command_.repeat) +
            ", with quartiles. Shares are of the roof just before and after, since the clock falls under load.");
  }

  void products() {
    if (!json_) print("\nMatrix products in bf16, Gflop/s");
    for (const Product& product : program::products)
      for (octet::Threads* threads : teams_) {
        const auto [rate, share, roof] =
            measure_product(product.m, product.n, product.k, true, isa_, command_.repeat, *threads);
        if (json_)
          print(JsonObject{}
                    .add("bench", "product")
                    .add("what", product.what)
                    .add("m", product.m)
                    .add("n", product.n)
                    .add("k", product.k)
                    .add("threads", threads->count())
                    .add("gigaflops", json_of(rate))
                    .add("share_of_peak", share)
                    .add("peak_gigaflops", roof)
                    .text());
        else
          print("  " + padded(product.what, 31) +
                padded("[" + std::to_string(product.m) + ", " + std::to_string(product.k) + "] x [" +
                           std::to_string(product.k) + ", " + std::to_string(product.n) + "]",
                       26) +
                padded(team(*threads), 11) + padded(text_of(rate, 1), 26) + fixed(share * 100, 0) + " % of the roof");
      }
  }

  void steps() {
    if (!json_) print("\nTraining steps of BERT by masked-language modelling, all positions decoded, ms");
    for (const StepSize& size : step_sizes()) {
      if (!chosen(size)) continue;
      for (const octet::Precision precision : {octet::Precision::bf16, octet::Precision::f32})
        for (octet::Threads* threads : teams_) step(size, precision, *threads);
    }
  }

  /// What each size of a training step is, for programs that measure the same elsewhere.
  void sizes() {
    for (const StepSize& size : step_sizes())
      if (!json_)
        print("  " + std::string{size.name});
      else if (chosen(size))
        print(JsonObject{}
                  .add("bench", "size")
                  .add("name", size.name)
                  .add("layers", size.layers)
                  .add("hidden", size.hidden)
                  .add("heads", size.heads)
                  .add("intermediate", size.intermediate)
                  .add("vocabulary", size.vocabulary)
                  .add("batch", size.batch)
                  .add("seq", size.seq)
                  .add("operations", size.operations())
                  .text());
  }

  /// Eight replicas, against the same eight shards one after another on one thread, divided by the threads.
  void replicas() {
    if (!json_) print("\nEight replicas of 'tiny 8x64', each with a batch of its own, bf16, ms");
    const StepSize& size = step_sizes().front();
    StepProgram alone{size, octet::Precision::bf16, isa_, one_};
    const Measured shard = measure_step(alone, command_.repeat);
    for (octet::Threads* threads : teams_) {
      ReplicaProgram program{size, 8, isa_, *threads};
      const Measured time = measure_step(program, command_.repeat);
      const double ratio = time.median / (8 * shard.median / threads->count());
      if (json_)
        print(JsonObject{}
                  .add("bench", "replicas")
                  .add("name", size.name)
                  .add("replicas", 8)
                  .add("threads", threads->count())
                  .add("ms", time.median)
                  .add("ms_quartile_1", time.low)
                  .add("ms_quartile_3", time.high)
                  .add("shards_ms", 8 * shard.median)
                  .add("ratio", ratio)
                  .text());
      else
        print("  " + padded(team(*threads), 11) + padded(text_of(time, 1), 26) + fixed(ratio, 2) +
              " of eight times the step of one, divided by the threads");
    }
  }

  void calls() {
    CallProgram program{step_sizes().front(), one_};
    const Measured time = measure_call(program, command_.repeat);
    const auto tensors = static_cast<long long>(program.tensors());
    if (json_)
      print(JsonObject{}.add("bench", "call").add("tensors", tensors).add("microseconds", json_of(time)).text());
    else
      print("\nA call whose program is known takes " + text_of(time, 1) +
            " microseconds beyond its kernels, given a model of " + std::to_string(tensors) + " tensors.");
  }

  void step(const StepSize& size, octet::Precision precision, octet::Threads& threads) {
    const char* const rounding = precision == octet::Precision::bf16 ? "bf16" : "f32";
    StepProgram program{size, precision, isa_, threads};
    const auto [time, share, roof] = measure_step(program, command_.repeat, size.operations(), isa_, threads.count());
    const double tokens = static_cast<double>(size.tokens()) / time.median * 1e3;
    if (json_)
      print(JsonObject{}
                .add("bench", "step")
                .add("name", size.name)
                .add("threads", threads.count())
                .add("precision", rounding)
                .add("ms", time.median)
                .add("ms_quartile_1", time.low)
                .add("ms_quartile_3", time.high)
                .add("share_of_peak", share)
                .add("peak_gigaflops", roof)
                .add("tokens_per_second", tokens)
                .add("compile_ms", program.compile_milliseconds())
                .text());
    else
      print("  " + padded(size.name, 14) + padded(rounding, 6) + padded(team(threads), 11) +
            padded(text_of(time, 1), 26) + padded(fixed(share * 100, 0) + " % of the roof", 19) +
            padded(grouped(static_cast<long long>(tokens)) + " tokens/s", 20) + "compiled in " +
            fixed(program.compile_milliseconds(), 0) + " ms");
    if (!command_.explain) return;
    if (bandwidth_ == 0) bandwidth_ = measured_bandwidth();
    const bool in_matrix_unit = precision == octet::Precision::bf16 && matrix_peak_ > 0;
    const double arithmetic = in_matrix_unit ? matrix_peak_ : peak_;
    explain_step(size, program, static_cast<int>(command_.repeat), {arithmetic * 1e9 * threads.count(), bandwidth_},
                 json_);
  }

  static std::string team(const octet::Threads& threads) {
    return std::to_string(threads.count()) + (threads.count() == 1 ? " thread" : " threads");
  }

  const BenchCommand& command_;
  bool json_;
  octet::Isa isa_;
  double peak_ = octet::measured_peak(isa_), matrix_peak_ = octet::measured_matrix_peak(isa_);
  double bandwidth_ = 0;
  octet::Threads one_{1}, many_;
  std::vector<octet::Threads*> teams_;
};

/// The instruction set of that name.
octet::Isa chosen_isa(const std::string& name) {
  if (name.empty()) return octet::best_isa();
  std::string known;
  for (const octet::Isa isa : octet::available_isas()) {
    if (octet::name(isa) == name) return isa;
    known += (known.empty() ? "" : ", ") + std::string{octet::name(isa)};
  }
  refuse_option("--isa is '" + name + "', which this processor has no kernels for.", "choose of " + known);
}

int bench(const BenchCommand& command, bool json) {
  require_at_least("--repeat", command.repeat, 1);
  std::vector<std::string> names;
  for (const StepSize& size : step_sizes()) names.emplace_back(size.name);
  for (const std::string& name : command.only)
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      std::string known;
      for (const std::string& other : names) known += (known.empty() ? "'" : ", '") + other + "'";
      refuse_option("--only is '" + name + "', which is no size that is measured.", "choose of " + known);
    }
  Bench{command, json, chosen_isa(command.isa)}.run();
  return 0;
}

}  // namespace

void add_bench(CLI::App& app, Invocation& invocation) {
  const auto command = std::make_shared<BenchCommand>();
  CLI::App* sub =
      subcommand(app, invocation, "bench", "Measure matrix products and training steps against this machine's peak.",
                 "octet bench --only 'tiny 8x64' --explain");
  add_threads(sub, command->threads);
  option(sub, "--repeat", command->repeat, "measurements of each");
  sub->add_option("--only", command->only, "sizes of training steps to measure, such as 'mini 8x64', and nothing else")
      ->type_name("NAME...");
  option(sub, "--isa", command->isa,
         "instruction set to compute with, such as avx512; the best there is where not given")
      ->type_name("NAME")
      ->default_str("");
  sub->add_flag("--sizes", command->sizes, "say which sizes there are, and measure nothing but the roof");
  sub->add_flag(
      "--explain", command->explain,
      "list the kernels of each step, with their shares of the time and of the roof, and what was not fused, and why");
  sub->callback([command, &invocation] {
    invocation.work = [command, &invocation] { return bench(*command, invocation.json); };
  });
}

}  // namespace program
