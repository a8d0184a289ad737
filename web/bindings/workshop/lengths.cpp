// Rule 3 in the Rules section: how long the lines of a text are, and what bucket policies make of them.
// web/src/workshop/lengths.ts gives the objects their types.
#include "crossing.hpp"
#include "policies.hpp"
import octet.standard;
import octet;

namespace {

using crossing::list;
using crossing::number;
using crossing::take;
using crossing::text_of;
using crossing::val;
using octet::BucketPolicy;

constexpr std::size_t most_bytes = std::size_t{2} << 20, most_lines = 20000;  // of a text that are measured
constexpr std::int64_t special_tokens = 2;                                    // [CLS] and [SEP]

/// The lines that a text begins with, those of a table's column where `name` is one of a table.
std::vector<std::string> first_lines(std::string text, const std::string& name) {
  const octet::data::TextSource source{.path = name};
  // A row that is not read to its end would be refused.
  const bool is_table = octet::data::format_of(source) != octet::data::TextFormat::txt;
  if (text.size() > most_bytes && !is_table) {
    const std::size_t end = text.rfind('\n', most_bytes);
    text.resize(end == std::string::npos ? most_bytes : end);
    // No part of a character at the end.
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
    if (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0xc0) text.pop_back();
  }
  std::vector<std::string> lines = octet::data::corpus_of_text(text, source).lines;
  std::size_t count = 0;
  for (std::size_t bytes = 0; count < std::min(lines.size(), most_lines); ++count)
    if (bytes += lines[count].size(); bytes > most_bytes && count > 0) break;
  lines.resize(count);
  return lines;
}

/// `{text, name, longest}` → `{vocabulary, lengths}`: the tokens of each line, cut off at `longest`.
val measure_lengths(const val& request) {
  const std::vector<std::string> lines = first_lines(request["text"].as<std::string>(), text_of(request, "name"));
  std::int64_t longest = 512;
  take(request, "longest", longest);

  // As the training and the other sections clean a text, or Hangul would be taken apart.
  octet::text::WordPieceTrainer trainer{{.vocab_size = 2048, .clean_up = {.strip_accents = false}}};
  for (const std::string& line : lines) trainer.add(line);
  const octet::text::WordPiece tokenizer = trainer.train();

  octet::text::WordPieceEncoder encoder{tokenizer};
  std::vector<std::int32_t> ids;
  const val lengths = list(lines, [&](const std::string& line) {
    ids.clear();
    encoder.append_ids(line, ids);
    return number(std::min(longest, static_cast<std::int64_t>(ids.size()) + special_tokens));
  });
  val answer = val::object();
  answer.set("vocabulary", number(static_cast<std::int64_t>(tokenizer.vocabulary().size())));
  answer.set("lengths", lengths);
  return answer;
}

/// → `{compile_seconds, seconds_per_position}`: what a training pass of this page's BERT takes here, measured now.
val measure_costs(const val&) {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  constexpr std::int64_t rows = 8, length = 64;
  const octet::nn::TransformerConfig config{
      .layers = 2, .hidden = 128, .heads = 2, .intermediate = 512, .vocabulary = 2048, .embedding = 128};

  // What else this machine does meanwhile makes a time longer, and none shorter: the least of some is told.
  const auto least = [&](int times, const auto& function) {
    double result = std::numeric_limits<double>::infinity();
    for (int time = 0; time < times; ++time) {
      const Clock::time_point begin = Clock::now();
      function();
      result = std::min(result, seconds(begin));
    }
    return result;
  };

  octet::Graph graph;
  std::optional<octet::Executable> program;
  const double compiling = least(3, [&] {
    graph = octet::nn::pretraining_program(config, config.layers,
                                           {.sequences = rows, .length = length, .predictions = 10}, {.dropout = 0});
    program.emplace(octet::compile(graph, {.precision = octet::Precision::bf16}));
  });

  std::vector<octet::Tensor> arguments;
  for (const octet::ValueId id : graph.parameters()) {
    const octet::TensorType& type = graph.values()[static_cast<std::size_t>(id)].type;
    arguments.emplace_back(type.dtype, type.shape);
  }
  octet::Threads alone;
  const double running = least(3, [&] { program->run(arguments, alone); });
  val answer = val::object();
  answer.set("compile_seconds", compiling);
  answer.set("seconds_per_position", running / (rows * length));
  return answer;
}

/// Calls as the data give them: rows of lines in their order, each batch as long as its longest line.
struct Batches {
  octet::LengthHistogram lengths;
  std::int64_t tokens = 0;  ///< without any padding
  std::int64_t count = 0;
};

Batches batches_of(const std::vector<std::int64_t>& lengths, std::size_t rows) {
  Batches result;
  for (std::size_t begin = 0; begin < lengths.size(); begin += rows) {
    std::int64_t longest = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      // Where fewer lines are left than a batch takes, the first ones follow, as in the next epoch.
      const std::int64_t length = lengths[(begin + row) % lengths.size()];
      longest = std::max(longest, length);
      result.tokens += length;
    }
    ++result.lengths[longest];
    ++result.count;
  }
  return result;
}

/// `{extent, calls}` for each.
val pairs(const octet::LengthHistogram& counts) {
  return list(counts, [](const auto& count) {
    val pair = val::object();
    pair.set("extent", number(count.first));
    pair.set("calls", number(count.second));
    return pair;
  });
}

/// What one policy costs, or why it will not do.
val outcome(const val& given, const Batches& batches, const Batches& single, std::int64_t rows,
            octet::FittingOptions costs) {
  // A line alone in its call needs no padding and shares no call.
  const bool alone = given["kind"].as<std::string>() == "exact";
  const Batches& calls = alone ? single : batches;
  const std::int64_t rows_of_call = alone ? 1 : rows;
  if (alone) costs.repetitions *= static_cast<double>(batches.tokens) / static_cast<double>(single.tokens);
  costs.seconds_per_element *= static_cast<double>(rows_of_call);

  val object = val::object();
  object.set("kind", given["kind"]);
  try {
    const BucketPolicy policy = policies::policy_of(given, calls.lengths, costs);
    const octet::BucketCost cost = octet::bucket_cost(policy, calls.lengths, costs);
    const double positions = static_cast<double>((cost.elements.real + cost.elements.padding) * rows_of_call);
    octet::LengthHistogram buckets;
    for (const auto& [length, count] : calls.lengths) buckets[policy.bucket(length)] += count;
    object.set("name", octet::to_string(policy));
    object.set("programs", number(static_cast<std::int64_t>(cost.programs)));
    object.set("padding_share", 1 - static_cast<double>(calls.tokens) / std::max(1.0, positions));
    object.set("compile_seconds", cost.compile_seconds);
    object.set("run_seconds", cost.run_seconds);
    object.set("buckets", pairs(buckets));
    object.set("refused", val::array());
  } catch (const octet::Error& error) {
    object.set("refused", list(error.diagnostics(), crossing::diagnostic));
  }
  return object;
}

/// `{lengths, rows, steps, compile_seconds, seconds_per_position, policies}` → `{batches, longest, outcomes}`,
/// `longest` being how many batches have which longest line.
val weigh_policies(const val& request) {
  const auto lengths = crossing::whole_numbers(request["lengths"]);
  std::int64_t rows = 8;
  double steps = 1000;
  octet::FittingOptions costs;
  take(request, "rows", rows);
  take(request, "steps", steps);
  take(request, "compile_seconds", costs.compile_seconds);
  take(request, "seconds_per_position", costs.seconds_per_element);
  if (lengths.empty() || rows < 1)
    octet::fail(
        {.number = 709, .sentence = "Policies are weighed by at least one length, in batches of at least one row."});
  const Batches batches = batches_of(lengths, static_cast<std::size_t>(rows)), single = batches_of(lengths, 1);
  costs.repetitions = steps / static_cast<double>(batches.count);

  val answer = val::object();
  answer.set("batches", number(batches.count));
  answer.set("longest", pairs(batches.lengths));
  answer.set("outcomes",
             list(crossing::elements(request["policies"],
                                     [&](const val& policy) { return outcome(policy, batches, single, rows, costs); }),
                  [](const val& each) { return each; }));
  return answer;
}

const crossing::Functions functions{
    {"measureLengths", measure_lengths}, {"measureCosts", measure_costs}, {"weighPolicies", weigh_policies}};

}  // namespace
