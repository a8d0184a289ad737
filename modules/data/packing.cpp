module octet.data;
import octet.base;
import octet.standard;
import octet.text;

namespace octet::data {

std::vector<std::int64_t> Examples::lengths() const {
  std::vector<std::int64_t> result;
  result.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) result.push_back(length(i));
  return result;
}

Examples pack(const text::WordPiece& tokenizer, std::span<const std::string> lines, PackingOptions options) {
  if (options.max_length < 3)
    fail([&] {
      return Diagnostic{
          .number = 709,
          .sentence = "max_length " + std::to_string(options.max_length) + " leaves no token between [CLS] and [SEP]",
          .where = {},
          .fix = {"choose a max_length such as 64"}};
    });
  const auto room = static_cast<std::size_t>(options.max_length) - 2;
  const text::SpecialIds& special = tokenizer.special_ids();
  Examples examples;
  std::vector<std::int32_t> example;
  const auto take = [&](std::span<const std::int32_t> tokens) {
    if (std::ranges::all_of(tokens, [&](std::int32_t id) { return special.contains(id); })) return;
    example.assign(1, special.classification);
    example.insert(example.end(), tokens.begin(), tokens.end());
    example.push_back(special.separator);
    examples.add(example);
  };
  std::vector<std::int32_t> stream;  // tokens not yet in an example
  const auto take_full = [&] {
    std::size_t taken = 0;
    for (; stream.size() - taken >= room; taken += room) take(std::span{stream}.subspan(taken, room));
    stream.erase(stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(taken));
  };
  const auto take_rest = [&] {
    if (!stream.empty()) take(stream);
    stream.clear();
  };
  text::WordPieceEncoder encoder{tokenizer};
  for (const std::string& line : lines) {
    encoder.append_ids(line, stream);
    take_full();
    if (options.packing == Packing::none) take_rest();
  }
  take_rest();
  if (examples.empty())
    fail([&] {
      return Diagnostic{
          .number = 706,
          .sentence = "no token of the " +
                      (lines.size() == 1 ? std::string{"one line"} : std::to_string(lines.size()) + " lines") +
                      " of text is in the vocabulary",
          .where = {},
          .fix = {
              "give a text in the vocabulary's language, or a longer one where its words were learned from itself"}};
    });
  return examples;
}

}  // namespace octet::data
