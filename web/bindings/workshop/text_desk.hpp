// What the Text section works on: a WordPiece and a BPE, and the text that they are learned from. Imports octet:
// include it after all other headers.
#pragma once
#include "crossing.hpp"
import octet.standard;
import octet;

namespace desk {

namespace text = octet::text;
using crossing::val;

/// The same names for both kinds of tokenizer.
struct WordPieceKind {
  using Tokenizer = text::WordPiece;
  using Trainer = text::WordPieceTrainer;
  using Learner = text::WordPieceLearner;
  using Encoder = text::WordPieceEncoder;
  static constexpr const char* name = "wordpiece";
};
struct BpeKind {
  using Tokenizer = text::Bpe;
  using Trainer = text::BpeTrainer;
  using Learner = text::BpeLearner;
  using Encoder = text::BpeEncoder;
  static constexpr const char* name = "bpe";
};

template <class Kind>
struct Place {
  std::optional<typename Kind::Trainer> trainer;  // while a text is read
  std::optional<typename Kind::Learner> learner;  // while pairs are joined
  bool outdated = false;                          // whether the learner knows more than the tokenizer
  std::optional<typename Kind::Tokenizer> tokenizer;
  std::optional<typename Kind::Encoder> encoder;  // what it has seen of texts is known from call to call
};

/// What the section works on.
struct Desk {
  Place<WordPieceKind> wordpiece;
  Place<BpeKind> bpe;
  std::optional<octet::data::DocumentReader> lines;  // the text that is read
  bool is_table = false;                             // whether its lines are those of a column or a field
  std::string rest;                                  // its last line so far, with its end to come
};
inline Desk desk;

/// What `function` gives for the place that `request` names.
template <class Function>
val at_place(const val& request, const Function& function) {
  return request["kind"].as<std::string>() == BpeKind::name ? function(desk.bpe) : function(desk.wordpiece);
}

/// A word of a text, for each piece.
inline std::string_view word_of(const text::WordPiece& tokenizer, std::int32_t id) {
  const std::string_view piece = tokenizer.vocabulary().piece(id);
  return tokenizer.continues_word(id) ? piece.substr(tokenizer.options().wordpieces_prefix.size()) : piece;
}
inline std::string_view word_of(const text::Bpe& tokenizer, std::int32_t id) { return tokenizer.bytes(id); }

inline std::size_t size_of(const text::WordPiece& tokenizer) { return tokenizer.vocabulary().size(); }
inline std::size_t size_of(const text::Bpe& tokenizer) { return tokenizer.size(); }

/// Puts a tokenizer in the place of another. Its encoder begins with what it is likely to see, and the browser with
/// making the code faster that reads and encodes it, which it does from one call to the next: hence a few bytes in
/// each.
template <class Kind>
void put(Place<Kind>& place, typename Kind::Tokenizer tokenizer) {
  place.encoder.reset();
  place.tokenizer = std::move(tokenizer);
  place.encoder.emplace(*place.tokenizer);
  std::string words = "pieces\n";
  for (std::size_t id = 0; id < size_of(*place.tokenizer); ++id) {
    const std::string_view word = word_of(*place.tokenizer, static_cast<std::int32_t>(id));
    const bool is_text =
        !text::find_invalid_utf8(word) && std::ranges::all_of(word, [](unsigned char byte) { return byte >= ' '; });
    if (is_text) (words += word) += '\n';
  }
  std::vector<std::int32_t> ids;
  octet::data::DocumentReader lines{{.path = "pieces"},
                                    {[&](std::string_view line, std::size_t) {
                                       ids.clear();
                                       place.encoder->append_ids(line, ids);
                                     },
                                     [] {}}};
  constexpr std::size_t a_few = 32;  // bytes
  for (std::string_view rest = words; !rest.empty(); rest.remove_prefix(std::min(a_few, rest.size())))
    lines.add(rest.substr(0, a_few));
  lines.finish();
}

/// The tokenizer as far as it was learned.
template <class Kind>
const typename Kind::Tokenizer& tokenizer_of(Place<Kind>& place) {
  if (place.learner && place.outdated) {
    put(place, place.learner->tokenizer());
    place.outdated = false;
  }
  if (!place.tokenizer)
    octet::fail({.number = 709,
                 .sentence = "there is no tokenizer of this kind yet",
                 .where = {},
                 .fix = {"train one on a text, or open one from a file"}});
  return *place.tokenizer;
}

/// Ends what is being read or learned; what was learned so far stands.
void stop_training();

/// Sets `text`, empty where the bytes are no whole characters, and `bytes` in hexadecimal then.
inline void set_text(val& object, std::string_view bytes) {
  const bool whole = !text::find_invalid_utf8(bytes);
  object.set("text", whole ? std::string{bytes} : std::string{});
  std::string shown;
  for (const char byte : whole ? std::string_view{} : bytes) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    if (!shown.empty()) shown += ' ';
    shown += digits[static_cast<unsigned char>(byte) / 16];
    shown += digits[static_cast<unsigned char>(byte) % 16];
  }
  object.set("bytes", shown);
}

}  // namespace desk
