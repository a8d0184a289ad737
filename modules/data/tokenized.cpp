module octet.data;
import octet.base;
import octet.standard;
import octet.text;

namespace octet::data {

namespace {

bool begins_with_white_space(std::string_view line) {
  return line.empty() || text::is_white_space(text::decode_code_point(line, 0).value);
}

bool ends_with_white_space(std::string_view line) {
  std::size_t last = line.size();
  while (last > 0 && (static_cast<unsigned char>(line[--last]) & 0xC0) == 0x80) continue;
  return line.empty() || text::is_white_space(text::decode_code_point(line, last).value);
}

// Encodes documents in parts that are cut where no word of any kind goes across: after the end of a line, where the
// line ends with no other white space and the next one does not begin with any.
template <class Append>
class CausalText {
 public:
  CausalText(Append append, TokenWriter& to) : append_{std::move(append)}, to_{to} {}

  void line(std::string_view line) {
    if (!fresh_) text_ += '\n';
    const bool cut = !fresh_ && !blank_end_ && !begins_with_white_space(line);
    if (cut || text_.size() > longest) flush();
    text_ += line;
    blank_end_ = ends_with_white_space(line);
    fresh_ = false;
  }

  void end_document(std::int32_t separator) {
    flush();
    to_.add({&separator, 1});
    fresh_ = true;
  }

 private:
  static constexpr std::size_t longest = 1 << 20;  // of white space alone, or all but

  void flush() {
    ids_.clear();
    append_(text_, ids_);
    to_.add(ids_);
    text_.clear();
  }

  Append append_;
  TokenWriter& to_;
  std::string text_;
  std::vector<std::int32_t> ids_;
  bool fresh_ = true;  // at the beginning of a document
  bool blank_end_ = false;
};

template <class Append>
TextCount add_causal_with(const TextSource& source, Append append, std::int32_t separator, TokenWriter& to) {
  TextCount count;
  CausalText text{std::move(append), to};
  count.bytes = for_each_document(source, {[&](std::string_view line, std::size_t) {
                                             text.line(line);
                                             ++count.lines;
                                           },
                                           [&] {
                                             text.end_document(separator);
                                             ++count.documents;
                                           }});
  return count;
}

}  // namespace

TextCount add_documents(const TextSource& source, const text::WordPiece& tokenizer, TokenWriter& to) {
  TextCount count;
  std::vector<std::int32_t> ids;
  const auto line = [&](std::string_view text, std::size_t) {
    ids.clear();
    tokenizer.append_ids(text, ids);
    to.add(ids);
    to.end_sentence();
    ++count.lines;
  };
  const auto end = [&] {
    to.end_document();
    ++count.documents;
  };
  count.bytes = for_each_document(source, {line, end});
  return count;
}

TextCount add_causal(const TextSource& source, const text::Tokenizer& tokenizer, std::int32_t separator,
                     TokenWriter& to) {
  if (const auto* bpe = std::get_if<text::Bpe>(&tokenizer)) {
    text::BpeEncoder encoder{*bpe};
    return add_causal_with(
        source, [&](std::string_view text, std::vector<std::int32_t>& ids) { encoder.append_ids(text, ids); },
        separator, to);
  }
  const auto& wordpiece = std::get<text::WordPiece>(tokenizer);
  return add_causal_with(
      source, [&](std::string_view text, std::vector<std::int32_t>& ids) { wordpiece.append_ids(text, ids); },
      separator, to);
}

std::size_t size_of(const text::Tokenizer& tokenizer) {
  if (const auto* bpe = std::get_if<text::Bpe>(&tokenizer)) return bpe->size();
  return std::get<text::WordPiece>(tokenizer).vocabulary().size();
}

std::int32_t separator_id(const text::Tokenizer& tokenizer, const std::string& name) {
  const auto* bpe = std::get_if<text::Bpe>(&tokenizer);
  const auto* wordpiece = std::get_if<text::WordPiece>(&tokenizer);
  if (wordpiece && name.empty()) return wordpiece->special_ids().separator;
  const std::string piece = name.empty() ? "<|endoftext|>" : name;
  if (const auto id = bpe ? bpe->id(piece) : wordpiece->vocabulary().id(piece)) return *id;
  fail({.number = 709,
        .sentence =
            "the separator " + text::json_string(text::replace_invalid_utf8(piece)) + " is no piece of the tokenizer",
        .where = {},
        .fix = {"name one that is", "train a tokenizer with that special token"}});
}

std::uint64_t write_records(const WindowSource& source, std::uint64_t epochs,
                            const std::function<Features(const TrainingExample&)>& features,
                            std::vector<RecordWriter>& files, Threads& threads) {
  if (files.empty())
    fail({.number = 709, .sentence = "there is no file to write records to", .where = {}, .fix = {"give one or more"}});
  std::uint64_t written = 0;
  const std::uint64_t all = source.windows * epochs;
  // As many windows at once as there are threads; they are written in order.
  for (std::uint64_t begin = 0; begin < all; begin += threads.count()) {
    std::vector<std::vector<std::string>> windows(
        static_cast<std::size_t>(std::min<std::uint64_t>(threads.count(), all - begin)));
    threads.for_each(windows.size(), [&](std::size_t i) {
      const std::uint64_t index = begin + i;
      for (const TrainingExample& example : source.window(index / source.windows, index % source.windows))
        windows[i].push_back(encode_example(features(example)));
    });
    for (const auto& records : windows)
      for (const std::string& record : records) files[static_cast<std::size_t>(written++ % files.size())].write(record);
  }
  return written;
}

}  // namespace octet::data
