/// octet bench: how fast this machine is, how much of that matrix products reach, and what a training step makes of it.
#include "json.hpp"
#include "output.hpp"
#include "terminal.hpp"

#include "bench_explain.hpp"
#include "bench_measure.hpp"
#include "bench_programs.hpp"
#include "command.hpp"
#include "messages.hpp"
#include "train_options.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace {

struct BenchCommand {
  long long threads = 1, repeat = 15;
  std::vector<std::string> only;
  std::string isa;  ///< empty: the best there is
  bool explain = false, sizes = false, programs = false;
};

JsonObject json_of(const Measured& value) {
  return JsonObject{}.add("median", value.median).add("quartile_1", value.low).add("quartile_3", value.high);
}

std::string text_of(const Measured& value, int digits) {
  return fixed(value.median, digits) + " (" + fixed(value.low, digits) + " to " + fixed(value.high, digits) + ")";
}

using program::Product;
constexpr Product products[] = {
    {"512 cubed", 512, 512, 512},
    {"1024 cubed", 1024, 1024, 1024},
    {"demo: query, key, value", 512, 128, 128},
    {"demo: feed-forward, up", 512, 512, 128},
    {"demo: feed-forward, down", 512, 128, 512},
    {"demo: gradient of its input", 512, 512, 128, Product::Transposed::rhs},
    {"demo: gradient of its weights", 128, 512, 512, Product::Transposed::lhs},
    {"demo: logits of masked tokens", 80, 2048, 128, Product::Transposed::rhs},
    {"a head of 64: scores", 128, 128, 64, Product::Transposed::rhs},
    {"a head of 64: weighted values", 128, 64, 128},
    {"BERT base: query, key, value", 512, 768, 768},
    {"BERT base: feed-forward, up", 512, 3072, 768},
    {"BERT base: feed-forward, down", 512, 768, 3072},
    {"BERT base: gradient of weights", 768, 3072, 512, Product::Transposed::lhs},
};

/// What else is measured than training steps, as --only names it.
constexpr std::string_view matrix_products = "products", eight_replicas = "eight replicas", known_call = "a known call";

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
    if (wanted(matrix_products)) products();
    steps();
    if (wanted(eight_replicas)) replicas();
    if (wanted(known_call)) calls();
  }

 private:
  bool wanted(std::string_view name) const {
    return command_.only.empty() || std::find(command_.only.begin(), command_.only.end(), name) != command_.only.end();
  }

  void roof() {
    const std::string isa{octet::name(isa_)}, in_registers = bf16_peak_ > 0 ? "avx512" : isa;
    if (json_)
      print(JsonObject{}
                .add("bench", "peak")
                .add("isa", in_registers)
                .add("gigaflops", peak_)
                .add("products_isa", bf16_peak_ > 0 ? isa : "")
                .add("products_gigaflops", bf16_peak_)
                .text());
    else
      print("One thread multiplies and adds at " + fixed(peak_, 1) + " Gflop/s in registers (" + in_registers +
            "): the roof." +
            (bf16_peak_ > 0 ? "\nIts instruction for products of bf16 (" + isa + ") reaches " + fixed(bf16_peak_, 0) +
                                  " Gflop/s: that is how shares of the roof come to be above 100 %."
                            : std::string{}) +
            (command_.sizes ? std::string{"\nTraining steps:"}
                            : "\nBelow: medians of " + std::to_string(command_.repeat) +
                                  ", with quartiles. Shares are of the roof just before and after, since the clock "
                                  "falls under load."));
  }

  void products() {
    if (!json_) print("\nMatrix products, Gflop/s; operands that lie transposed have an apostrophe");
    for (const Product& each : program::products)
      for (const octet::Precision precision : {octet::Precision::bf16, octet::Precision::f32})
        for (octet::Threads* threads : teams_) product(each, precision, *threads);
  }

  void product(const Product& product, octet::Precision precision, octet::Threads& threads) {
    const auto [rate, share, roof] =
        measure_product(product, precision == octet::Precision::bf16, isa_, command_.repeat, threads);
    if (json_) {
      print(JsonObject{}
                .add("bench", "product")
                .add("what", product.what)
                .add("m", product.m)
                .add("n", product.n)
                .add("k", product.k)
                .add("transposed", name_of(product.transposed))
                .add("precision", name_of(precision))
                .add("threads", threads.count())
                .add("gigaflops", json_of(rate))
                .add("share_of_peak", share)
                .add("peak_gigaflops", roof)
                .text());
      return;
    }
    const auto shape = [](std::int64_t rows, std::int64_t columns, bool turned) {
      const std::string first = std::to_string(turned ? columns : rows),
                        second = std::to_string(turned ? rows : columns);
      return "[" + first + ", " + second + "]" + (turned ? "'" : "");
    };
    print("  " + padded(product.what, 32) +
          padded(shape(product.m, product.k, product.transposed == Product::Transposed::lhs) + " x " +
                     shape(product.k, product.n, product.transposed == Product::Transposed::rhs),
                 27) +
          padded(name_of(precision), 6) + padded(team(threads), 11) + padded(text_of(rate, 1), 26) +
          fixed(share * 100, 0) + " % of the roof");
  }

  void steps() {
    bool first = true;
    for (const StepSize& size : step_sizes()) {
      if (!wanted(size.name)) continue;
      if (!json_ && std::exchange(first, false))
        print("\nTraining steps of BERT by masked-language modelling, all positions decoded, ms");
      for (const octet::Precision precision : {octet::Precision::bf16, octet::Precision::f32})
        for (octet::Threads* threads : teams_) step(size, precision, *threads);
    }
  }

  /// What each size of a training step is, for programs that measure the same elsewhere.
  void sizes() {
    for (const StepSize& size : step_sizes())
      if (!wanted(size.name)) {
        continue;
      } else if (!json_) {
        print("  " + padded(size.name, 14) + std::to_string(size.layers) + " layers of " + std::to_string(size.hidden) +
              ", " + std::to_string(size.heads) + " heads, intermediate " + std::to_string(size.intermediate) + ", " +
              std::to_string(size.vocabulary) + " words; batch x sequence " + std::to_string(size.batch) + " x " +
              std::to_string(size.seq) + "; " + fixed(size.operations() / 1e9, 2) + " Gflop of products");
      } else {
        JsonObject line;
        line.add("bench", "size")
            .add("name", size.name)
            .add("layers", size.layers)
            .add("hidden", size.hidden)
            .add("heads", size.heads)
            .add("intermediate", size.intermediate)
            .add("vocabulary", size.vocabulary)
            .add("batch", size.batch)
            .add("seq", size.seq)
            .add("operations", size.operations());
        if (command_.programs) line.add("program", StepProgram{size, octet::Precision::f32, isa_, one_}.text());
        print(line.text());
      }
  }

  /// Eight replicas, against the same eight shards one after another on one thread, divided by the threads.
  void replicas() {
    if (!json_) print("\nEight replicas of 'tiny 8x64', each with a batch of its own, bf16, ms");
    const StepSize& size = step_sizes().front();
    StepProgram alone{size, octet::Precision::bf16, isa_, one_};
    const Measured shard = measure_step([&] { alone.step(); }, command_.repeat);
    for (octet::Threads* threads : teams_) {
      ReplicaProgram program{size, 8, isa_, *threads};
      const Measured time = measure_step([&] { program.step(); }, command_.repeat);
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
    StepProgram program{size, precision, isa_, threads};
    const auto [time, share, roof] =
        measure_step([&] { program.step(); }, command_.repeat, size.operations(), isa_, threads.count());
    const double tokens = static_cast<double>(size.tokens()) / time.median * 1e3;
    if (json_)
      print(JsonObject{}
                .add("bench", "step")
                .add("name", size.name)
                .add("threads", threads.count())
                .add("precision", name_of(precision))
                .add("ms", time.median)
                .add("ms_quartile_1", time.low)
                .add("ms_quartile_3", time.high)
                .add("share_of_peak", share)
                .add("peak_gigaflops", roof)
                .add("tokens_per_second", tokens)
                .add("compile_ms", program.compile_milliseconds())
                .text());
    else
      print("  " + padded(size.name, 14) + padded(name_of(precision), 6) + padded(team(threads), 11) +
            padded(text_of(time, 1), 26) + padded(fixed(share * 100, 0) + " % of the roof", 19) +
            padded(grouped(static_cast<long long>(tokens)) + " tokens/s", 20) + "compiled in " +
            fixed(program.compile_milliseconds(), 0) + " ms");
    if (!command_.explain) return;
    if (bandwidth_ == 0) bandwidth_ = measured_bandwidth();
    const bool own_roof = precision == octet::Precision::bf16 && bf16_peak_ > 0;
    const double vectors = peak_ * 1e9 * threads.count(), products = bf16_peak_ * 1e9 * threads.count();
    explain_step(size, program, static_cast<int>(command_.repeat), {vectors, own_roof ? products : vectors, bandwidth_},
                 json_);
  }

  static const char* name_of(Product::Transposed transposed) {
    constexpr const char* names[] = {"none", "lhs", "rhs"};
    return names[static_cast<std::size_t>(transposed)];
  }
  static const char* name_of(octet::Precision precision) {
    return precision == octet::Precision::bf16 ? "bf16" : "f32";
  }
  static std::string team(const octet::Threads& threads) {
    return std::to_string(threads.count()) + (threads.count() == 1 ? " thread" : " threads");
  }

  const BenchCommand& command_;
  bool json_;
  octet::Isa isa_;
  double peak_ = octet::measured_peak(isa_), bf16_peak_ = octet::measured_bf16_peak(isa_);
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
  for (const std::string_view other : {matrix_products, eight_replicas, known_call}) names.emplace_back(other);
  for (const std::string& name : command.only)
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      std::string known;
      for (const std::string& other : names) known += (known.empty() ? "'" : ", '") + other + "'";
      refuse_option("--only is '" + name + "', which is nothing that is measured.", "choose of " + known);
    }
  if (command.programs && !json)
    refuse_option("--programs writes programs in lines of JSON, and --json is not given.", "add --json");
  Bench{command, json, chosen_isa(command.isa)}.run();
  return 0;
}

void bench_options(CLI::App* sub, Invocation& invocation) {
  const auto command = octet::shared<BenchCommand>();
  add_threads(sub, command->threads);
  CLI::Option* repeat = option(sub, "--repeat", command->repeat, "measurements of each");
  sub->add_option("--only", command->only,
                  "what to measure, and nothing else: sizes of training steps, such as 'mini 8x64', or 'products', "
                  "'eight replicas', 'a known call'")
      ->type_name("NAME");
  option(sub, "--isa", command->isa,
         "instruction set to compute with, such as avx512; the best there is where not given")
      ->type_name("NAME")
      ->default_str("");
  CLI::Option* sizes =
      sub->add_flag("--sizes", command->sizes, "say which sizes there are, and measure nothing but the roof");
  sub->add_flag("--programs", command->programs,
                "with --sizes and --json: each step as StableHLO text, too, for other compilers to be timed on")
      ->needs(sizes);
  sub->add_flag("--explain", command->explain,
                "list the kernels of each step, with their shares of the time and of the roof, and what was not fused, "
                "and why")
      ->excludes(sizes);
  repeat->excludes(sizes);
  sub->callback([command, &invocation] {
    invocation.work = [command, &invocation] { return bench(*command, invocation.json); };
  });
}

}  // namespace

const Subcommand bench_subcommand{
    .name = "bench",
    .description = "Measure matrix products and training steps against this machine's peak.",
    .example = "octet bench --only 'tiny 8x64' --explain",
    .add_options = bench_options};

}  // namespace program
