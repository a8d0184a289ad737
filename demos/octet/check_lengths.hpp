/// How long the examples of a training run are: what rule 3 is judged by. Imports octet: include it after all other
/// headers.
#pragma once
#include "batch_options.hpp"
#include "data.hpp"
import octet.standard;
import octet;

namespace program {

/// How long examples are, and how that was found out.
struct Lengths {
  std::vector<std::int64_t> each;  ///< in tokens, special ones included; cut off at the longest that is asked for
  std::int64_t cut = 0;            ///< how many were longer
  std::int64_t longest = 0;        ///< of all, before any was cut off
  std::int64_t blocks = 0;         ///< of the longest length that a text is cut into, instead of examples
  std::string tokens;              ///< whose tokens they count; empty where that was given
};

/// Where words come from that a text is measured in.
struct MeasuringWords {
  std::string directory;        ///< of a tokenizer; empty: words are learned from the text itself
  bool bytes = false;           ///< byte-level BPE is learned, as GPT-2 has it; else WordPiece
  std::int64_t vocabulary = 0;  ///< of so many pieces at most
};

/// The lengths of the lines of a text with `[CLS]` and `[SEP]` around each; for GPT-2, how many blocks of `longest`
/// tokens it makes. Throws X706 where it does not make one.
Lengths lengths_of_text(const TextOptions& files, const MeasuringWords& words, std::int64_t longest);
/// The numbers in `file`, one length each. Throws X709 with the line of what is no length.
Lengths lengths_of_numbers(const std::string& file, std::int64_t longest);

/// So many lengths at most, the last of them `longest`, of which the batches are padded the least.
octet::BucketPolicy fitted_policy(const octet::nn::BatchLengths& batches, std::int64_t longest, std::size_t count);

/// `policy` with no bucket longer than `longest`: what it would pad beyond gets that length.
octet::BucketPolicy capped(const octet::BucketPolicy& policy, std::int64_t longest);

/// Adds to the line of rule 3 what is known of lengths: how they were measured, how many were cut, and of all positions
/// of batches padded by `policy` the share that is padding, which may be too much.
void judge_lengths(octet::CheckLine& line, const Lengths& lengths, const octet::nn::BatchLengths& batches,
                   const BatchSizes& sizes, const octet::BucketPolicy& policy);
/// Makes the line of rule 3 that of a text which is cut into blocks of so many tokens.
void judge_blocks(octet::CheckLine& line, const Lengths& lengths, std::int64_t length);

}  // namespace program
