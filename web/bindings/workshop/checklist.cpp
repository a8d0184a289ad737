// The Checklist section: octet::check on a training step of a published model, or on a program of the visitor's.
// web/src/workshop/checklist.ts gives the objects their types.
#include "crossing.hpp"
import octet.standard;
import octet;

namespace {

using crossing::list;
using crossing::number;
using crossing::take;
using crossing::text_of;
using crossing::val;

namespace nn = octet::nn;
namespace tpu = octet::tpu;

/// → `{models, codes}`: what there is to choose from.
val choices(const val&) {
  val answer = val::object();
  answer.set("models", list(nn::published_transformers(),
                            [](const nn::PublishedTransformer& model) { return std::string{model.name}; }));
  answer.set("codes", list(nn::code_styles(), [](const nn::CodeStyle& code) {
               val object = val::object();
               object.set("name", std::string{code.name});
               object.set("summary", std::string{code.summary});
               return object;
             }));
  return answer;
}

/// Lengths as batches of text have them: from an eighth of the longest up to it.
std::vector<std::int64_t> varied_lengths(std::int64_t longest) {
  std::vector<std::int64_t> result{longest};
  for (std::int64_t i = 1; i < 60; ++i)
    result.push_back(std::max<std::int64_t>(1, longest / 8 + (i * 37 % 60) * (longest - longest / 8) / 60));
  return result;
}

/// How long the lines of the visitor's text are, in the batches that `octet check --text` makes of them.
struct TextLengths {
  nn::BatchLengths batches;
  std::int64_t lines = 0, cut = 0;  ///< cut: longer than the longest that is asked for
};

TextLengths text_lengths(std::vector<std::int64_t> lines, std::int64_t batch, std::int64_t longest) {
  if (lines.empty()) octet::fail({.number = 702, .sentence = "The text has no line whose length could be taken."});
  TextLengths result{.batches = {}, .lines = static_cast<std::int64_t>(lines.size())};
  for (std::int64_t& length : lines) {
    result.cut += length > longest;
    length = std::min(length, longest);
  }
  result.batches = nn::batch_lengths(lines, batch);
  return result;
}

std::string counted(std::int64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// Says in the line of rule 3 what lengths it was judged by, and warns where most of what is computed is padding.
void tell_lengths(octet::CheckLine& line, const TextLengths& text, std::int64_t batch, std::int64_t longest,
                  const octet::BucketPolicy& policy) {
  double positions = 0;
  for (const std::int64_t length : text.batches.each)
    positions += static_cast<double>(policy.bucket(length)) * static_cast<double>(batch);
  const double share = 1 - text.batches.tokens / positions;
  const std::string percent = std::to_string(std::lround(100 * share)) + " %";
  line.evidence.push_back(counted(text.lines, "line") + " in batches of " + std::to_string(batch) + ": " + percent +
                          " of all positions are padding, that within batches included");
  if (text.cut > 0)
    line.evidence.push_back(counted(text.cut, "line") + (text.cut == 1 ? " is" : " are") + " longer than " +
                            std::to_string(longest) + " tokens, and counted as cut off there");
  if (text.batches.each.size() == 1) {
    line.finding = "The text makes one batch, which does not say what lengths others have.";
    line.cure = {"give a longer text, or a smaller batch"};
  }
  if (share <= octet::much_padding || line.verdict == octet::Verdict::fail) return;
  line.verdict = octet::Verdict::warn;
  line.finding += " Of all positions, " + percent + " are padding.";
  line.cure.emplace_back("put examples of like length into one batch, or several short ones into one sequence");
}

octet::CheckOptions options_of(const val& request) {
  octet::CheckOptions options;
  const std::string data = text_of(request, "data");
  if (!data.empty() && data != "unknown") {
    options.data = {.place = data == "disk"     ? tpu::DataPlace::disk
                             : data == "bucket" ? tpu::DataPlace::bucket
                                                : tpu::DataPlace::memory,
                    .host = text_of(request, "host") == "node" ? tpu::HostKind::node : tpu::HostKind::vm,
                    .calls_back = text_of(request, "calls_back") == "yes"};
  }
  take(request, "examples_per_second", options.examples_per_second);
  return options;
}

/// The places of its faults, each once.
val places_of(const octet::CheckLine& line) {
  std::vector<std::string> places;
  for (const octet::Diagnostic& fault : line.faults)
    if (std::string place = octet::to_string(fault.where);
        fault.where.known() && std::find(places.begin(), places.end(), place) == places.end())
      places.push_back(std::move(place));
  return crossing::texts(places);
}

val line_of(const octet::CheckLine& line) {
  val object = val::object();
  object.set("id", std::string{line.id});
  object.set("question", std::string{line.question});
  object.set("verdict", std::string{octet::name(line.verdict)});
  object.set("number", line.number() ? octet::diagnostic_name(line.number()) : std::string{});
  object.set("finding", line.finding);
  object.set("evidence", crossing::texts(line.evidence));
  object.set("cure", crossing::texts(line.cure));
  return object;
}

val report_of(const octet::Readiness& readiness) {
  val answer = val::object();
  answer.set("summary", readiness.summary());
  answer.set("ready", readiness.ready());
  answer.set("lines", list(readiness.lines, line_of));
  return answer;
}

/// `{model, slice, batch, seq, code, lengths, host, data, calls_back, examples_per_second}`, and where these are the
/// lengths of a text, `{name, vocabulary, line_lengths}` → `{summary, ready, lines}`.
val check(const val& request) {
  const nn::CodeStyle* code = nn::find_code_style(text_of(request, "code"));
  if (!code)
    octet::fail({.number = 709, .sentence = "There is no class of code called '" + text_of(request, "code") + "'."});
  tpu::Slice slice = tpu::slice(text_of(request, "slice"));
  if (code->megacore && slice.chip.megacore) slice = tpu::megacore(slice);
  const nn::TransformerConfig config = nn::published_transformer(text_of(request, "model"));
  std::int64_t batch = 256, seq = 128;
  take(request, "batch", batch);
  take(request, "seq", seq);
  if (batch < 1 || batch > (1 << 20) || seq < 1 || seq > 8192)
    octet::fail({.number = 709,
                 .sentence = "A batch of " + std::to_string(batch) + " sequences of " + std::to_string(seq) +
                             " tokens is none to be checked."});

  const std::string lengths = text_of(request, "lengths");
  const bool of_text = lengths.starts_with("own");
  // GPT-2 is trained on blocks that a text is cut into.
  const bool in_blocks = of_text && config.kind == nn::TransformerKind::gpt2;
  TextLengths text;
  if (of_text && !in_blocks) text = text_lengths(crossing::whole_numbers(request["line_lengths"]), batch, seq);
  const octet::Candidate candidate =
      nn::training_candidate(config, slice,
                             {.sequences = batch,
                              .predictions = std::max<std::int64_t>(1, seq * 15 / 100),
                              .lengths = lengths == "one" || in_blocks ? std::vector{seq, seq}
                                         : of_text                     ? text.batches.each
                                                                       : varied_lengths(seq)},
                             code->program);
  octet::CheckOptions options = options_of(request);
  options.activations = code->activations;
  options.jit.name = "a training step of " + text_of(request, "model");
  options.jit.argument_names = {"batch", "state"};
  options.jit.donated = {"state"};
  const octet::BucketPolicy policy = lengths.ends_with("multiples") ? octet::multiple_of(64) : octet::exact();
  if (policy != octet::exact() && !in_blocks)
    for (const std::string& name : nn::sequence_arguments(config, candidate))
      options.jit.buckets.push_back({name, 1, policy});
  octet::Readiness readiness = octet::check(candidate, slice, options);
  for (octet::CheckLine& line : readiness.lines) {
    if (line.id != "rule_3" || !of_text) continue;
    if (in_blocks) {
      line.finding = "The text is cut into blocks of " + counted(seq, "token") + ": one program, and no padding.";
    } else {
      tell_lengths(line, text, batch, seq, policy);
      std::int64_t vocabulary = 0;
      take(request, "vocabulary", vocabulary);
      line.evidence.push_back("lengths are counted in " + counted(vocabulary, "WordPiece") + " learned from " +
                              text_of(request, "name") + " itself, not the model's own");
    }
  }
  return report_of(readiness);
}

/// `{text, name, batch_arguments, slice, host, data, calls_back, examples_per_second}` → the same, each line with the
/// places of its faults besides.
val check_program(const val& request) {
  octet::CheckOptions options = options_of(request);
  options.batch =
      crossing::elements(request["batch_arguments"], [](const val& name) { return name.as<std::string>(); });
  options.jit.name = text_of(request, "name");
  options.by_chip = true;  // as JAX has it, whose programs these are
  const octet::Readiness readiness = octet::check_stablehlo(text_of(request, "text"), options.jit.name,
                                                            tpu::slice(text_of(request, "slice")), options);
  val answer = report_of(readiness);
  answer.set("lines", list(readiness.lines, [](const octet::CheckLine& line) {
               val object = line_of(line);
               object.set("places", places_of(line));
               return object;
             }));
  return answer;
}

const crossing::Functions functions{
    {"checkChoices", choices}, {"checkReadiness", check}, {"checkProgram", check_program}};

}  // namespace
