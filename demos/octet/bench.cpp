/// octet bench: how fast this machine is, how much of that matrix products reach, and what a training step makes of it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command.hpp"
#include "json.hpp"
#include "output.hpp"
#include "terminal.hpp"

#include "messages.hpp"
#include "train_options.hpp"
import octet;

namespace program {

namespace {

using Clock = std::chrono::steady_clock;

struct BenchCommand {
  long long threads = 1, repeat = 15;
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

JsonObject json_of(const Measured& value) {
  return JsonObject{}.add("median", value.median).add("quartile_1", value.low).add("quartile_3", value.high);
}

std::string text_of(const Measured& value, int digits) {
  return fixed(value.median, digits) + " (" + fixed(value.low, digits) + " to " + fixed(value.high, digits) + ")";
}

std::vector<float> random_numbers(std::int64_t count, std::uint64_t seed) {
  std::vector<float> numbers(static_cast<std::size_t>(count));
  octet::Hasher hasher;
  hasher.add(seed);
  for (float& number : numbers)
    number = static_cast<float>(hasher.add(seed).value() >> 40) / static_cast<float>(1 << 24) - 0.5f;
  return numbers;
}

/// Billions of operations per second of one product of [m, k] and [k, n], repeated.
Measured measure_product(std::int64_t m, std::int64_t n, std::int64_t k, bool bf16, long long repeat,
                         octet::Threads& threads) {
  octet::Gemm product{.m = m, .n = n, .k = k, .lhs_row = k, .rhs_row = n, .out_row = n, .round_to_bfloat16 = bf16};
  const std::vector<float> lhs = random_numbers(m * k, 1), rhs = random_numbers(k * n, 2);
  std::vector<float> out(static_cast<std::size_t>(m * n));
  std::vector<std::byte> workspace(octet::gemm_workspace(product, threads.count()));
  const double operations = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  // As many calls a measurement as take some milliseconds, so that the clock's grain does not show.
  const auto calls = static_cast<int>(std::max(1.0, 2e8 / operations));
  std::vector<double> rates;
  for (long long i = -1; i < repeat; ++i) {  // the first warms up
    const auto start = Clock::now();
    for (int call = 0; call < calls; ++call)
      octet::gemm(product, lhs.data(), rhs.data(), out.data(), workspace, octet::best_isa(), threads);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (i >= 0) rates.push_back(operations * calls / seconds / 1e9);
  }
  return measured(std::move(rates));
}

/// Lines of made-up words, some frequent and some rare, for a model to chew on.
std::vector<std::string> made_up_lines() {
  constexpr std::size_t lines = 2000, words = 12, known = 3000;
  constexpr std::string_view syllables[] = {"ba", "ko", "ri", "te", "mu", "sa", "lo", "ne", "di", "fa", "gu", "hi"};
  octet::Hasher hasher;
  std::vector<std::string> result;
  for (std::size_t line = 0; line < lines; ++line) {
    std::string text;
    for (std::size_t word = 0; word < words; ++word) {
      const double uniform = static_cast<double>(hasher.add(line * words + word).value() >> 11) / 9007199254740992.0;
      for (auto rank = static_cast<std::size_t>(uniform * uniform * known) + 1; rank; rank /= std::size(syllables))
        text += syllables[rank % std::size(syllables)];
      text += ' ';
    }
    result.push_back(std::move(text));
  }
  return result;
}

/// Tokens per second of the demo's training step.
Measured measure_training(long long repeat, octet::Threads& threads) {
  octet::train::Trainer trainer{made_up_lines(), {}, threads};
  std::vector<double> rates;
  for (long long i = -2; i < repeat; ++i) {  // the first compiles, the second warms up
    const octet::train::StepReport step = trainer.step();
    if (i >= 0) rates.push_back(static_cast<double>(step.tokens) / step.milliseconds * 1e3);
  }
  return measured(std::move(rates));
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

int bench(const BenchCommand& command, bool json) {
  require_at_least("--repeat", command.repeat, 1);
  const unsigned all = thread_count(command.threads);
  const double peak = octet::measured_peak(octet::best_isa());
  const std::string isa{octet::name(octet::best_isa())};
  if (json)
    print(JsonObject{}.add("bench", "peak").add("isa", isa).add("gigaflops", peak).text());
  else
    print("One thread multiplies and adds at " + fixed(peak, 1) + " Gflop/s in registers (" + isa +
          "): the roof.\nBelow: medians of " + std::to_string(command.repeat) + ", with quartiles.\n");

  octet::Threads one{1}, many{all};
  std::vector<octet::Threads*> teams{&one};
  if (many.count() > 1) teams.push_back(&many);
  if (!json) print("Matrix products in bf16, Gflop/s");
  for (const Product& product : products)
    for (octet::Threads* threads : teams) {
      const Measured rate = measure_product(product.m, product.n, product.k, true, command.repeat, *threads);
      const double share = rate.median / (peak * threads->count());
      if (json)
        print(JsonObject{}
                  .add("bench", "product")
                  .add("what", product.what)
                  .add("m", product.m)
                  .add("n", product.n)
                  .add("k", product.k)
                  .add("threads", threads->count())
                  .add("gigaflops", json_of(rate))
                  .add("share_of_peak", share)
                  .text());
      else
        print("  " + padded(product.what, 31) +
              padded("[" + std::to_string(product.m) + ", " + std::to_string(product.k) + "] x [" +
                         std::to_string(product.k) + ", " + std::to_string(product.n) + "]",
                     26) +
              padded(std::to_string(threads->count()) + (threads->count() == 1 ? " thread" : " threads"), 11) +
              padded(text_of(rate, 1), 24) + fixed(share * 100, 0) + " % of the roof");
    }
  if (!json) print("\nTraining step of the demo (2 layers, hidden 128, 8 replicas, batch 64, sequence 64), tokens/s");
  for (octet::Threads* threads : teams) {
    const Measured rate = measure_training(command.repeat, *threads);
    if (json)
      print(JsonObject{}
                .add("bench", "training_step")
                .add("threads", threads->count())
                .add("tokens_per_second", json_of(rate))
                .text());
    else
      print("  " + padded(std::to_string(threads->count()) + (threads->count() == 1 ? " thread" : " threads"), 11) +
            text_of(rate, 0));
  }
  return 0;
}

}  // namespace

void add_bench(CLI::App& app, Invocation& invocation) {
  const auto command = std::make_shared<BenchCommand>();
  CLI::App* sub =
      subcommand(app, invocation, "bench", "Measure matrix products and the training step against this machine's peak.",
                 "octet bench --threads 4 --json");
  add_threads(sub, command->threads);
  option(sub, "--repeat", command->repeat, "measurements of each");
  sub->callback([command, &invocation] {
    invocation.work = [command, &invocation] { return bench(*command, invocation.json); };
  });
}

}  // namespace program
