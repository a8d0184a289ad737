/// Tokenizers, token files and options with which the tests of training make small runs. Imports octet: include it
/// after all other headers and imports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

import octet.base;
import octet.data;
import octet.text;
import octet.train;

using namespace octet;
using namespace octet::train;

inline text::WordPiece words(int count = 60) {
  std::vector<std::string> all{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
  for (int i = 5; i < count; ++i) all.push_back("w" + std::to_string(i));
  return text::WordPiece{text::Vocabulary{all}};
}

inline text::Bpe byte_pairs() {
  text::BpeTrainer trainer{{.vocab_size = 262}};
  trainer.add("the cat sees the dog and the dog sees the cat\n");
  return trainer.train();
}

/// Documents whose sentences use words of their own document, so that a random next sentence can be told.
inline std::string document_bytes(int count = 24, std::size_t vocabulary = 60) {
  std::string bytes;
  data::TokenWriter writer{[&](std::string_view part) { bytes += part; }, vocabulary};
  std::uint64_t counter = 0;
  for (int d = 0; d < count; ++d) {
    for (int s = 0; s < 6; ++s) {
      std::vector<std::int32_t> ids(3 + static_cast<std::size_t>(below(Key::of_seed(1), counter++, 4)));
      for (std::int32_t& id : ids)
        id = 5 + (d % 5) * 11 + static_cast<std::int32_t>(below(Key::of_seed(1), counter++, 11));
      writer.add(ids);
      writer.end_sentence();
    }
    writer.end_document();
  }
  writer.finish();
  return bytes;
}
inline data::TokenFile documents(int count = 24, std::size_t vocabulary = 60) {
  return data::TokenFile{document_bytes(count, vocabulary), "documents.tokens"};
}

inline std::string stream_bytes() {
  std::string bytes;
  data::TokenWriter writer{[&](std::string_view part) { bytes += part; }, byte_pairs().size()};
  const auto ids = byte_pairs().encode("the cat sees the dog and the dog sees the cat\n").ids;
  for (int i = 0; i < 40; ++i) writer.add(ids);
  writer.finish();
  return bytes;
}
inline data::TokenFile stream() { return data::TokenFile{stream_bytes(), "stream.tokens"}; }

inline TrainOptions pair_options() {
  TrainOptions result;
  result.steps = 12;
  result.seed = 7;
  result.layers = 1;
  result.hidden = 16;
  result.heads = 2;
  result.intermediate = 32;
  result.seq = 24;
  result.batch = 8;
  result.learning_rate = 3e-3;
  result.warmup_steps = 2;
  result.padding = data::pad_to_multiple_of(8);
  result.held_out_one_in = 6;
  result.next_sentence = true;
  result.window = 16;
  return result;
}

inline TrainOptions causal_options() {
  TrainOptions result = pair_options();
  result.next_sentence = false;
  result.padding = {};
  result.steps = 30;
  return result;
}
