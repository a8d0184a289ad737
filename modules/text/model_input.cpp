module octet.text;
import octet.base;
import octet.standard;
import :encoding;
import :model_input;
import :normalize;
import :wordpiece;

namespace octet::text {

namespace {

// Tokens that are left of each of two texts.
std::pair<std::size_t, std::size_t> longest_first(std::size_t first, std::size_t second, std::size_t room) {
  const bool swapped = first > second;
  std::size_t less = std::min(first, second);
  std::size_t more = less > room ? less : std::max(less, room - less);
  if (less + more > room) {
    less = room / 2;
    more = room - less;
  }
  return swapped ? std::pair{more, less} : std::pair{less, more};
}

// The tokens of the first words that have so many, or of all: other tools read no further when they ask which text is
// the longer one. They do not stop at a special token whose name stands in the text, though it counts.
std::size_t whole_words(const WordPiece& tokenizer, std::string_view text, const Encoding& encoding,
                        std::size_t tokens) {
  std::size_t end = 0;
  while (end < encoding.ids.size()) {
    const auto [first, last] = encoding.offsets[end];
    const std::int32_t id = encoding.ids[end++];
    if (tokenizer.vocabulary().is_special(id) && text.substr(first, last - first) == tokenizer.vocabulary().piece(id))
      continue;
    while (end < encoding.ids.size() && tokenizer.continues_word(encoding.ids[end])) ++end;
    if (end >= tokens) break;
  }
  return end;
}

void cut(Encoding& encoding, std::size_t size) {
  if (encoding.ids.size() <= size) return;
  encoding.ids.resize(size);
  encoding.offsets.resize(size);
}

}  // namespace

ModelInput model_input(const WordPiece& tokenizer, std::string_view first, std::optional<std::string_view> second,
                       const ModelInputOptions& options) {
  if (!second && options.truncation == Truncation::only_second)
    fail([&] {
      return Diagnostic{.number = 709,
                        .sentence = "only_second cuts the second text of a pair, and there is one text",
                        .where = {},
                        .fix = {"give a second text", "choose longest_first or only_first"}};
    });
  const EncodeOptions plain{.recognize_special = options.recognize_special, .add_special = false};
  Encoding one = tokenizer.encode(first, plain), two;
  if (second) two = tokenizer.encode(*second, plain);
  const std::size_t special = second ? 3 : 2;
  if (options.max_length && *options.max_length < special)
    fail([&] {
      return Diagnostic{.number = 709,
                        .sentence = "max_length is " + std::to_string(*options.max_length) + ", and " +
                                    std::to_string(special) + " tokens are special ones",
                        .where = {},
                        .fix = {"choose " + std::to_string(special) + " or more"}};
    });
  if (const std::size_t tokens = one.ids.size() + two.ids.size();
      options.max_length && tokens > *options.max_length - special) {
    const std::size_t room = *options.max_length - special, fewer = tokens - room;
    if (!second || room == 0) {
      cut(one, room);
      cut(two, 0);
    } else if (options.truncation == Truncation::longest_first) {
      const std::size_t most = *options.max_length;
      const auto [left_of_one, left_of_two] =
          longest_first(whole_words(tokenizer, first, one, most), whole_words(tokenizer, *second, two, most), room);
      cut(one, left_of_one);
      cut(two, left_of_two);
    } else {
      const bool of_first = options.truncation == Truncation::only_first;
      Encoding& of = of_first ? one : two;
      if (of.ids.size() <= fewer)
        fail([&] {
          return Diagnostic{.number = 741,
                            .sentence = "the " + std::string{of_first ? "first" : "second"} + " text has " +
                                        std::to_string(of.ids.size()) +
                                        (of.ids.size() == 1 ? " token, and " : " tokens, and ") +
                                        std::to_string(fewer) + (fewer == 1 ? " is to go" : " are to go"),
                            .where = {},
                            .fix = {"take tokens from the longer text: longest_first", "choose a larger max_length"}};
        });
      cut(of, of.ids.size() - fewer);
    }
  }

  constexpr std::size_t most = std::size_t{1} << 30;
  for (const auto& [name, asked] :
       {std::pair{"pad_to", options.pad_to}, {"pad_to_multiple_of", options.pad_to_multiple_of}})
    if (asked > most)
      fail([&] {
        return Diagnostic{.number = 709,
                          .sentence = std::string{name} + " is " + std::to_string(asked) + ", longer than any input",
                          .where = {},
                          .fix = {"choose " + std::to_string(most) + " or less"}};
      });

  ModelInput input;
  const auto add = [&](std::int32_t id, std::int32_t type, Span span) {
    input.ids.push_back(id);
    input.type_ids.push_back(type);
    input.offsets.push_back(span);
  };
  const auto add_text = [&](const Encoding& text, std::int32_t type) {
    for (std::size_t i = 0; i < text.ids.size(); ++i) add(text.ids[i], type, text.offsets[i]);
    add(tokenizer.special_ids().separator, type, {0, 0});
  };
  add(tokenizer.special_ids().classification, 0, {0, 0});
  add_text(one, 0);
  if (second) add_text(two, 1);
  input.attention_mask.assign(input.ids.size(), 1);

  std::size_t length = std::max(input.ids.size(), options.pad_to);
  if (const std::size_t multiple = options.pad_to_multiple_of) length = (length + multiple - 1) / multiple * multiple;
  while (input.ids.size() < length) add(tokenizer.special_ids().padding, 0, {0, 0});
  input.attention_mask.resize(length, 0);
  return input;
}

}  // namespace octet::text
