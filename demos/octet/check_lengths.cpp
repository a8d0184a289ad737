
#include "output.hpp"

#include "check_lengths.hpp"
#include "messages.hpp"
#include "padding_option.hpp"
import octet.standard;
import octet;

namespace program {

namespace {

namespace text = octet::text;

void add(Lengths& lengths, std::int64_t length, std::int64_t longest) {
  lengths.each.push_back(std::min(length, longest));
  lengths.longest = std::max(lengths.longest, length);
  lengths.cut += length > longest;
}

std::string percent(double share) { return fixed(100 * share, 0) + " %"; }

/// What batches become when they are padded.
struct Padding {
  std::size_t programs = 0;
  double share = 0;  ///< of all positions
};

Padding padding_of(const octet::nn::BatchLengths& batches, std::int64_t batch, const octet::BucketPolicy& policy) {
  std::vector<std::int64_t> extents;
  double positions = 0;
  for (const std::int64_t length : batches.each) {
    const std::int64_t extent = policy.holds(length) ? policy.bucket(length) : length;
    extents.push_back(extent);
    positions += static_cast<double>(extent) * static_cast<double>(batch);
  }
  std::sort(extents.begin(), extents.end());
  extents.erase(std::unique(extents.begin(), extents.end()), extents.end());
  return {extents.size(), 1 - batches.tokens / std::max(1.0, positions)};
}

text::Tokenizer learned(const std::vector<std::string>& lines, const MeasuringWords& words) {
  const auto size = static_cast<std::size_t>(words.vocabulary);
  const auto from = [&](auto trainer) -> text::Tokenizer {
    for (const std::string& line : lines) trainer.add(line);
    return std::move(trainer).train();
  };
  if (words.bytes) return from(text::BpeTrainer{{.vocab_size = size}});
  return from(text::WordPieceTrainer{{.vocab_size = size}});
}

/// A separator follows each document, as in training.
std::int64_t blocks_of(const TextOptions& files, const text::Tokenizer& tokenizer, std::int64_t length) {
  namespace data = octet::data;
  const std::int32_t separator = data::separator_id(tokenizer);
  std::string tokens;
  data::TokenWriter writer{[&](std::string_view bytes) { tokens += bytes; }, data::size_of(tokenizer)};
  read_all(files.sources(),
           [&](const data::TextSource& source) { return data::add_causal(source, tokenizer, separator, writer); });
  writer.finish();
  const data::CausalBlocks blocks{data::TokenFile{std::move(tokens), files.name()}, {.context_length = length}};
  return static_cast<std::int64_t>(blocks.size());
}

void tell_words(octet::CheckLine& line, const Lengths& lengths) {
  if (lengths.tokens.empty()) return;
  line.evidence.push_back("lengths are counted in " + lengths.tokens);
  if (lengths.tokens.ends_with("own"))
    line.evidence.emplace_back("--tokenizer DIR measures with the tokenizer that the model is to have");
}

}  // namespace

Lengths lengths_of_text(const TextOptions& files, const MeasuringWords& words, std::int64_t longest) {
  if (words.bytes)
    require_read_again(files.files, "Lines are read for their words, then for the blocks that they make.");
  const std::vector<std::string> lines = files.lines();
  const text::Tokenizer tokenizer =
      words.directory.empty() ? learned(lines, words) : text::load_tokenizer(words.directory);
  const auto* pieces = std::get_if<text::WordPiece>(&tokenizer);
  constexpr std::int64_t around = 2;  // [CLS] and [SEP]
  Lengths lengths;
  if (words.bytes) {
    lengths.blocks = blocks_of(files, tokenizer, longest);
  } else if (pieces) {
    text::WordPieceEncoder encoder{*pieces};
    std::vector<std::int32_t> ids;
    for (const std::string& line : lines) {
      ids.clear();
      encoder.append_ids(line, ids);
      add(lengths, static_cast<std::int64_t>(ids.size()) + around, longest);
    }
  } else {
    text::BpeEncoder encoder{std::get<text::Bpe>(tokenizer)};
    for (const std::string& line : lines)
      add(lengths, static_cast<std::int64_t>(encoder.encode(line).ids.size()) + around, longest);
  }
  lengths.tokens = grouped(static_cast<long long>(octet::data::size_of(tokenizer))) +
                   (pieces ? " WordPieces " : " byte-level pieces ") +
                   (words.directory.empty() ? "learned from " + files.name() + " itself, not the model's own"
                                            : "of " + words.directory);
  return lengths;
}

Lengths lengths_of_numbers(const std::string& file, std::int64_t longest) {
  Lengths lengths;
  const auto take = [&](std::string_view word, std::size_t line) {
    constexpr std::string_view blank = " \t";
    word.remove_prefix(std::min(word.find_first_not_of(blank), word.size()));
    word = word.substr(0, word.find_last_not_of(blank) + 1);
    if (word.empty()) return;
    std::int64_t length = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), length);
    const bool huge =
        error == std::errc::result_out_of_range && word.front() != '-' && stop == word.data() + word.size();
    if (huge) length = std::numeric_limits<std::int64_t>::max();
    if ((error != std::errc{} && !huge) || stop != word.data() + word.size() || length < 1)
      octet::fail({.number = 709,
                   .sentence = "'" + text::replace_invalid_utf8(word.substr(0, 40)) + "' is no length of an example.",
                   .where = {.file = file, .line = static_cast<unsigned>(line), .function = {}},
                   .fix = {"give one number a line: the tokens of one example", "for a text, use --text"}});
    add(lengths, length, longest);
  };
  // Line by line: what is no list of lengths is refused where it begins, and be it without end.
  try {
    octet::data::for_each_line(file, take);
  } catch (const octet::Error& error) {
    std::vector<octet::Diagnostic> faults = error.diagnostics();
    for (octet::Diagnostic& fault : faults)
      if (fault.number == 702) {
        fault.rule = "A list of lengths has one number a line: the tokens of one example.";
        fault.fix = {"give one number a line", "for a text, use --text"};
      }
    throw octet::Error{std::move(faults)};
  }
  return lengths;
}

octet::BucketPolicy fitted_policy(const octet::nn::BatchLengths& batches, std::int64_t longest, std::size_t count) {
  octet::LengthHistogram lengths = octet::length_histogram(batches.each);
  lengths.try_emplace(longest, 1);  // of other batches
  std::vector<std::int64_t> extents =
      octet::fitted(lengths, {.seconds_per_element = 1, .max_buckets = count}).policy.extents();
  extents.back() = longest;  // rounded up, it may be longer than a sequence can be
  return octet::one_of(std::move(extents));
}

octet::BucketPolicy capped(const octet::BucketPolicy& policy, std::int64_t longest) {
  if (policy.kind() == octet::BucketPolicy::Kind::one_of) {
    std::vector<std::int64_t> buckets = policy.extents();
    for (std::int64_t& bucket : buckets) bucket = std::min(bucket, longest);
    return octet::one_of(std::move(buckets));
  }
  if (policy.bucket(longest) == longest) return policy;
  std::vector<std::int64_t> buckets = policy.buckets_up_to(longest, static_cast<std::size_t>(longest));
  buckets.back() = longest;
  return octet::one_of(std::move(buckets));
}

void judge_lengths(octet::CheckLine& line, const Lengths& lengths, const octet::nn::BatchLengths& batches,
                   const BatchSizes& sizes, const octet::BucketPolicy& policy) {
  const std::int64_t batch = sizes.sequences;
  const auto count = [](std::size_t number) { return grouped(static_cast<long long>(number)); };
  const Padding now = padding_of(batches, batch, policy);
  line.figures.push_back({"padding_share_of_tokens", now.share, ""});
  line.figures.push_back({"examples_cut", static_cast<double>(lengths.cut), ""});
  line.evidence.push_back(count(lengths.each.size()) + (lengths.each.size() == 1 ? " example" : " examples") +
                          " in batches of " + grouped(batch) + ": " + percent(now.share) +
                          " of all positions are padding, that within batches included");
  tell_words(line, lengths);
  if (lengths.cut > 0)
    line.evidence.push_back(grouped(lengths.cut) + (lengths.cut == 1 ? " example is" : " examples are") +
                            " longer than --seq, up to " + grouped(lengths.longest) +
                            " tokens, and counted as cut off there");
  if (batches.each.size() == 1 && line.verdict != octet::Verdict::fail) {
    line.finding = "The examples make one batch, which does not say what lengths others have.";
    line.cure = {"give more examples, or a smaller --batch"};
  }
  // Here a policy is said otherwise than in a program.
  const bool many_programs =
      std::erase_if(line.cure, [](const std::string& cure) { return cure.starts_with(".buckets"); }) > 0;
  const bool wasteful = now.share > octet::much_padding && line.verdict != octet::Verdict::fail;
  if (wasteful) {
    line.verdict = octet::Verdict::warn;
    line.finding += " Of all positions, " + percent(now.share) + " are padding.";
  }
  if (!many_programs && !wasteful) return;
  constexpr std::size_t few_programs = 8;
  const auto helps = [&](const Padding& then) {
    return then.programs <= few_programs && (many_programs || then.share < 0.95 * now.share);
  };
  std::optional<std::pair<Padding, std::string>> best;
  for (const std::int64_t multiple : {8, 16, 32, 64, 128, 256, 512}) {
    const Padding then = padding_of(batches, batch, capped(octet::multiple_of(multiple), sizes.length));
    if (helps(then) && (!best || then.share < best->first.share))
      best = {then, "multiple_of:" + std::to_string(multiple)};
  }
  std::vector<std::pair<Padding, std::string>> better;
  if (best) better.push_back(*best);
  const octet::BucketPolicy fitted = fitted_policy(batches, sizes.length, few_programs);
  if (const Padding then = padding_of(batches, batch, fitted);
      helps(then) && (!best || then.share < 0.95 * best->first.share))
    better.insert(better.begin(), {then, words_of({octet::data::pad_to_one_of(fitted.extents())})});
  std::vector<std::string> cures;
  for (const auto& [then, words] : better)
    cures.push_back("--padding " + words + ": " + count(then.programs) +
                    (then.programs == 1 ? " program, " : " programs, ") + percent(then.share) +
                    " of all positions padding");
  line.cure.insert(line.cure.begin(), cures.begin(), cures.end());
  if (wasteful)
    line.cure.emplace_back("put examples of like length into one batch, or several short ones into one sequence");
  if (!lengths.tokens.empty())
    line.cure.emplace_back(
        "join lines into full sequences, as octet train does by default (--packing lines): hardly anything is padded");
}

void judge_blocks(octet::CheckLine& line, const Lengths& lengths, std::int64_t length) {
  line.verdict = octet::Verdict::pass;
  line.finding = "The text is cut into " + counted(lengths.blocks, "block") + " of " + grouped(length) +
                 " tokens: one program, and no padding.";
  line.cure.clear();
  tell_words(line, lengths);
}

}  // namespace program
