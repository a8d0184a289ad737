/// Writes programs as StableHLO text, what they are given, and what Octet makes of it, for others to run:
///
///     programs DIRECTORY
///
/// Each is a file of safetensors: `argument.R.I` and `result.R.I` of replica R, and as metadata `module` (the text),
/// `replicas`, `kind` (operation, function, random, model) and, of a function, `jax`: the expression that says the
/// same. Products are of f32, not rounded to bf16. A program is written only if what is read back from its text gives
/// the same bits as the reference.
#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
import octet;

#include "../unit/evaluated.hpp"
#include "../unit/operation_samples.hpp"
// Needs the first one.
#include "../unit/compiled.hpp"
// Needs that one.
#include "../unit/random_programs.hpp"
#include "functions.hpp"

namespace {

struct Written {
  std::string name, kind, jax = {};
  double slack = 0;
};

class Writer {
 public:
  explicit Writer(std::filesystem::path directory) : directory_{std::move(directory)} {
    std::filesystem::create_directories(directory_);
  }

  int faults = 0, files = 0;

  /// `slowly`: what the text gives is compared with the reference.
  void write(const Written& about, const Graph& graph, const std::vector<std::vector<Tensor>>& arguments,
             bool slowly = true) {
    const std::string text = to_string(graph, {.replicas = arguments.size()});
    const Graph back = read(text);
    if (slowly) {  // products of f32 may differ from the reference in their last bits, those of bf16 may not
      const auto results = compile(back).run(arguments, threads_);
      const auto expected = evaluate(graph, arguments, {.precision = Precision::bf16});
      for (std::size_t r = 0; r < expected.size(); ++r) {
        if (same_bits(results[r], expected[r])) continue;
        std::fprintf(stderr, "%s: %s, and by the reference %s\n%s", about.name.c_str(), shown(results[r]).c_str(),
                     shown(expected[r]).c_str(), text.c_str());
        ++faults;
      }
    }
    const Executable executable = compile(back, {.precision = Precision::f32});
    const auto results = executable.run(arguments, threads_);
    train::Safetensors file;
    file.metadata = {
        {"name", about.name}, {"kind", about.kind}, {"module", text}, {"replicas", std::to_string(arguments.size())}};
    const ExecutableStatistics held = executable.statistics();
    file.metadata["bytes"] = std::to_string(held.live_bytes + held.result_bytes);
    if (!about.jax.empty()) file.metadata["jax"] = about.jax;
    if (about.slack > 0) file.metadata["slack"] = shortest_decimal(about.slack);
    const auto put = [&](const char* what, const std::vector<std::vector<Tensor>>& of_replicas) {
      for (std::size_t r = 0; r < of_replicas.size(); ++r)
        for (std::size_t i = 0; i < of_replicas[r].size(); ++i)
          file.tensors.push_back({what + ("." + std::to_string(r)) + "." + std::to_string(i), of_replicas[r][i]});
    };
    put("argument", arguments);
    put("result", results);
    char number[16];
    std::snprintf(number, sizeof number, "%04d", files++);
    train::save_safetensors(file, directory_ / (number + (" " + about.kind + ".safetensors")));
  }

 private:
  std::filesystem::path directory_;
  Threads threads_{2};
};

void write_operations(Writer& writer) {
  Dice dice{3};
  for (const auto& [op, graph] : operation_samples::samples())
    for (int again = 0; again < 3; ++again) {
      std::vector<std::vector<Tensor>> arguments(is_collective(op) || op == Op::replica_id ? 4 : 1);
      for (auto& own : arguments)
        for (const TensorType& type : graph.parameter_types())
          own.push_back(op == Op::while_ && type.shape.rank() == 0 ? Tensor{type.dtype, type.shape}
                                                                   : dice.tensor(type.dtype, type.shape));
      writer.write({std::string{name(op)}, "operation"}, graph, arguments);
    }
}

void write_random_programs(Writer& writer, int count) {
  for (const Kind kind : {Kind::exact, Kind::tangled}) {
    Dice dice{500};
    for (int i = 0; i < count; ++i) {
      const Drawn drawn = Drawing{dice, kind}.draw();
      writer.write({"random program " + std::to_string(i), "random"}, drawn.graph, {drawn.arguments});
    }
  }
}

/// State and batches of a training step, named as training_program names them: ids that are words, positions within
/// the sequence, moments as after some steps.
Tensor training_argument(const std::string& name, const TensorType& type, Dice& dice, std::int32_t vocabulary,
                         std::int32_t seq) {
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  if (type.dtype == DType::f32) {
    Tensor result = normals(dice, type.shape, has("moment") ? 1e-3f : 0.05f);
    for (float& number : result.mutable_span<float>()) {
      if (has("second_moment")) number *= number;
      if (has("norm.scale") && !has("moment")) number += 1;
    }
    return result;
  }
  if (type.dtype == DType::u32) return dice.tensor(type.dtype, type.shape);
  if (has("state.step")) return Tensor::scalar<std::int32_t>(5);
  if (has("segments") || has("next_sentence")) return integers(dice, type.shape, 0, 1);
  if (has("attention_mask")) {  // each row is as long as it happens to be
    Tensor result{type.dtype, type.shape};
    for (std::int64_t row = 0; row < type.shape[0]; ++row) {
      const std::int64_t length = dice.between(seq / 2, seq);
      for (std::int64_t i = 0; i < length; ++i)
        result.mutable_span<std::int32_t>()[static_cast<std::size_t>(row * type.shape[1] + i)] = 1;
    }
    return result;
  }
  if (has("positions")) return integers(dice, type.shape, 1, seq / 2 - 1);
  if (!has("labels")) return integers(dice, type.shape, 5, vocabulary - 1);
  Tensor labels = integers(dice, type.shape, 5, vocabulary - 1);
  for (std::int32_t& label : labels.mutable_span<std::int32_t>())
    if (dice.likely(20)) label = -100;
  return labels;
}

void write_training_steps(Writer& writer) {
  constexpr std::int32_t vocabulary = 120, seq = 32;
  const train::TrainOptions small{.layers = 2, .hidden = 32, .heads = 2, .intermediate = 64, .seq = seq, .batch = 16};
  train::TrainOptions pairs = small, parts = small, sharded = small;
  pairs.next_sentence = true;
  parts.accumulate = 2;
  sharded.shard_optimizer = true;
  const struct {
    const char* name;
    Graph graph;
  } steps[] = {
      {"BERT's training step", train::training_program(small, vocabulary)},
      {"BERT's training step with next sentences", train::training_program(pairs, vocabulary)},
      {"BERT's training step in two parts", train::training_program(parts, vocabulary)},
      {"BERT's training step, optimizer sharded", train::training_program(sharded, vocabulary)},
      {"ELECTRA's training step", train::electra_training_program(small, vocabulary)},
  };
  for (const auto& [name, graph] : steps) {
    Dice dice{77};
    std::vector<std::vector<Tensor>> arguments(8);
    for (const ValueId parameter : graph.parameters()) {
      const std::string& field = graph.values()[parameter].name;
      const bool own = field.starts_with("batch") || field.starts_with("moments");
      for (std::size_t r = 0; r < arguments.size(); ++r)
        arguments[r].push_back(r > 0 && !own ? arguments[0].back()
                                             : training_argument(field, graph.type(parameter), dice, vocabulary, seq));
    }
    writer.write({name, "model"}, graph, arguments, false);
  }
}

/// One number of a text, in digits, becomes another.
std::string other_number(const std::string& digits, Dice& dice) {
  const std::int64_t number = std::stoll(digits);
  const std::int64_t numbers[] = {0, 1, 2, 3, number + 1, std::max<std::int64_t>(0, number - 1), 2 * number};
  return std::to_string(numbers[dice.between(0, 6)]);
}

/// A type of a text, `tensor<2x3xf32>`, with another extent, another element type, or a dimension more or less.
std::string other_type(const std::string& type, Dice& dice) {
  const std::size_t open = type.find('<') + 1, x = type.rfind('x');
  const std::size_t element = x == std::string::npos ? open : x + 1;
  std::string extents = type.substr(open, element - open), name_of_element = type.substr(element);
  name_of_element.pop_back();
  switch (dice.between(0, 3)) {
    case 0:
      name_of_element = name(dice.dtype());
      break;
    case 1:
      extents += std::to_string(dice.between(1, 4)) + "x";
      break;
    case 2:
      extents = extents.substr(0, extents.rfind('x', extents.size() - 2) + 1);
      break;
    default: {
      const std::size_t end = extents.find('x');
      if (end != std::string::npos) extents = other_number(extents.substr(0, end), dice) + extents.substr(end);
    }
  }
  return "tensor<" + extents + name_of_element + ">";
}

std::string replaced(std::string text, const std::string& word, const std::string& other) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + other.size()))
    text.replace(at, word.size(), other);
  return text;
}

/// The text of a program with one thing changed: a type, wherever it stands, or a number of an attribute.
std::string changed(const std::string& text, Dice& dice) {
  std::vector<std::string> types;
  std::vector<std::pair<std::size_t, std::size_t>> numbers;
  for (std::size_t i = text.find('\n'); i < text.size();) {
    std::size_t end = i + 1;
    if (text.compare(i, 7, "tensor<") == 0) {
      end = text.find('>', i) + 1;
      types.push_back(text.substr(i, end - i));
    } else if (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '%' || text[i] == '"') {
      const bool number = std::isdigit(static_cast<unsigned char>(text[i]));
      while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '.')) ++end;
      if (number && end - i < 16 && text.substr(i, end - i).find_first_not_of("0123456789") == std::string::npos)
        numbers.emplace_back(i, end);
    }
    i = end;
  }
  const auto from = [&](const auto& all) {
    return all[static_cast<std::size_t>(dice.between(0, std::ssize(all) - 1))];
  };
  if (numbers.empty() || (dice.likely(50) && !types.empty())) {
    const std::string type = from(types);
    return replaced(text, type, other_type(type, dice));
  }
  const auto [begin, end] = from(numbers);
  return text.substr(0, begin) + other_number(text.substr(begin, end - begin), dice) + text.substr(end);
}

/// Programs with one thing changed, and what Octet says of each: as metadata `N`, the text, and `N.refused`, the
/// message, where it is refused.
void write_changed_programs(const std::filesystem::path& path, int each) {
  Dice dice{41};
  train::Safetensors file;
  int count = 0, refused = 0;
  for (const auto& [op, graph] : operation_samples::samples()) {
    const std::string text = to_string(graph, {.replicas = std::size_t{is_collective(op) ? 4u : 1u}});
    for (int again = 0; again < each; ++again) {
      const std::string other = changed(text, dice), key = std::to_string(count);
      if (other == text) continue;
      ++count;
      file.metadata[key] = other;
      try {
        compile(read(other));
      } catch (const Error& error) {
        file.metadata[key + ".refused"] = error.what();
        ++refused;
      }
    }
  }
  train::save_safetensors(file, path);
  std::printf("%d changed programs, %d of them refused\n", count, refused);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: programs DIRECTORY\n");
    return 2;
  }
  try {
    Writer writer{arguments[1]};
    write_operations(writer);
    for (const Function& each : functions())
      writer.write({each.name, "function", each.jax, each.slack}, each.graph, {each.arguments});
    write_random_programs(writer, 60);
    write_training_steps(writer);
    write_changed_programs(std::filesystem::path{arguments[1]} / "changed.st", 14);
    std::printf("%d programs, %d of them other than the reference\n", writer.files, writer.faults);
    return writer.faults > 0 ? 1 : 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
