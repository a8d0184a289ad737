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

// Encodes texts by threads and writes their ids in the order in which the texts came, whoever encoded them.
class Encoder {
 public:
  enum class After { nothing, sentence, document };
  using Encode = std::function<void(std::string_view text, std::vector<std::int32_t>& ids)>;

  // `encoder` makes one for a thread.
  Encoder(const std::function<Encode()>& encoder, TokenWriter& to, Threads& threads) : to_{to}, threads_{threads} {
    for (unsigned i = 0; i < threads.count(); ++i) encoders_.push_back(encoder());
  }

  void add(std::string_view text) {
    if (block_.full()) flush();
    block_.add(text);
    marks_.push_back({After::nothing, {}});
  }
  // What follows the texts so far.
  void end(After what) { add_mark({what, {}}); }
  void separate(std::int32_t id) { add_mark({After::nothing, {id}}); }

  void flush() {
    const std::vector<std::string_view> texts = block_.texts();
    const std::vector<std::size_t> bounds = text::shares_of(texts, encoders_.size());
    struct Share {
      std::vector<std::int32_t> ids;
      std::vector<std::size_t> ends;
    };
    std::vector<Share> shares(bounds.size() - 1);
    threads_.for_each(shares.size(), [&](std::size_t s) {
      for (std::size_t i = bounds[s]; i < bounds[s + 1]; ++i) {
        encoders_[s](texts[i], shares[s].ids);
        shares[s].ends.push_back(shares[s].ids.size());
      }
    });
    auto mark = marks_.begin();
    for (const Share& share : shares) {
      std::size_t begin = 0;
      for (const std::size_t end : share.ends) {
        to_.add(std::span{share.ids}.subspan(begin, end - begin));
        begin = end;
        write(*mark++);
      }
    }
    block_.clear();
    marks_.clear();
  }

 private:
  struct Mark {
    After what;
    std::optional<std::int32_t> separator;
  };

  void add_mark(Mark mark) {
    if (marks_.empty() || marks_.back().what != After::nothing || marks_.back().separator) add({});
    marks_.back() = mark;
  }

  void write(const Mark& mark) {
    if (mark.separator) to_.add({&*mark.separator, 1});
    if (mark.what == After::sentence) to_.end_sentence();
    if (mark.what == After::document) to_.end_document();
  }

  TokenWriter& to_;
  Threads& threads_;
  std::vector<Encode> encoders_;
  TextBlock block_;
  std::vector<Mark> marks_;  // one for each text
};

// Cuts documents where no word of any kind goes across: after the end of a line, where the line ends with no other
// white space and the next one does not begin with any. What is longer than that is cut as the tokenizer cuts it.
class CausalText {
 public:
  CausalText(Encoder& to, const text::Bpe* bytes) : to_{to}, bytes_{bytes} {}

  void line(std::string_view line) {
    if (begun_) add("\n");
    if (begun_ && !blank_end_ && !begins_with_white_space(line)) flush(text_.size());
    further(line);
  }
  // More of the line before.
  void further(std::string_view part) {
    if (text_.size() > 2 * text::longest_gpt2_word) flush(bytes_ ? text::gpt2_words_in_full(text_) : text_.size());
    add(part);
    blank_end_ = ends_with_white_space(part);
    begun_ = true;
  }

  void end_document(std::int32_t separator) {
    flush(text_.size());
    to_.separate(separator);
    begun_ = has_text_ = false;
  }

 private:
  // The tokenizer's own blank stands before a document, not before each part of one.
  void add(std::string_view text) {
    if (text.empty()) return;
    if (!std::exchange(has_text_, true) && bytes_ && bytes_->options().add_prefix_space && text.front() != ' ')
      text_ += ' ';
    text_ += text;
  }

  void flush(std::size_t size) {
    to_.add(std::string_view{text_}.substr(0, size));
    text_.erase(0, size);
  }

  Encoder& to_;
  const text::Bpe* bytes_;  // null for WordPiece
  std::string text_;
  bool begun_ = false;     // the document has a line
  bool has_text_ = false;  // and that, or one behind it, has some text
  bool blank_end_ = false;
};

// The documents of a plain text; lines of megabytes in parts, so that none is held.
class PlainDocuments {
 public:
  struct Functions {
    std::function<void(std::string_view part, bool begins)> part;  // of a line, and whether it begins there
    std::function<void()> end_document;
  };
  PlainDocuments(Documents documents, Functions to) : documents_{documents}, to_{std::move(to)} {}

  void add(std::string_view part, std::size_t line) {
    if (line != std::exchange(line_, line)) end_line();
    // More than a megabyte of white space is text.
    if (state_ != State::text && documents_ != Documents::files && is_blank(part) &&
        blanks_.size() < text::longest_segment) {
      blanks_ += part;
      state_ = State::blank;
      return;
    }
    const bool begins = state_ != State::text;
    if (!blanks_.empty()) to_.part(blanks_, true);
    to_.part(part, begins && blanks_.empty());
    blanks_.clear();
    state_ = State::text;
  }
  void finish() {
    end_line();
    end_document();
  }

 private:
  enum class State { none, blank, text };

  void end_line() {
    const State line = std::exchange(state_, State::none);
    open_ = open_ || line == State::text;
    blanks_.clear();
    if (line == State::blank || documents_ == Documents::lines) end_document();
  }
  void end_document() {
    if (std::exchange(open_, false)) to_.end_document();
  }

  Documents documents_;
  Functions to_;
  std::string blanks_;  // the line so far, while it is blank
  std::size_t line_ = 0;
  State state_ = State::none;  // of the line so far
  bool open_ = false;          // a document has lines
};

Encoder::Encode encoder_of(const text::WordPiece& tokenizer) {
  return [encoder = text::WordPieceEncoder{tokenizer}](std::string_view text, std::vector<std::int32_t>& ids) mutable {
    encoder.append_ids(text, ids);
  };
}

Encoder::Encode encoder_of(const text::Bpe& tokenizer) {
  return [encoder = text::BpeEncoder{tokenizer}](std::string_view text, std::vector<std::int32_t>& ids) mutable {
    encoder.append_further_ids(text, ids);
  };
}

}  // namespace

const std::string& piece_of(const text::Tokenizer& tokenizer, std::int32_t id) {
  if (const auto* bpe = std::get_if<text::Bpe>(&tokenizer)) return bpe->piece(id);
  return std::get<text::WordPiece>(tokenizer).vocabulary().piece(id);
}

TextCount add_documents(const TextSource& source, const text::WordPiece& tokenizer, TokenWriter& to) {
  Threads alone;
  return add_documents(source, tokenizer, to, alone);
}

TextCount add_documents(const TextSource& source, const text::WordPiece& tokenizer, TokenWriter& to, Threads& threads) {
  TextCount count;
  Encoder encoder{[&] { return encoder_of(tokenizer); }, to, threads};
  const auto line = [&](std::string_view text, std::size_t) {
    encoder.add(text);
    encoder.end(Encoder::After::sentence);
    ++count.lines;
  };
  const auto end = [&] {
    encoder.end(Encoder::After::document);
    ++count.documents;
  };
  count.bytes = for_each_document(source, {line, end});
  encoder.flush();
  return count;
}

TextCount add_causal(const TextSource& source, const text::Tokenizer& tokenizer, std::int32_t separator,
                     TokenWriter& to) {
  Threads alone;
  return add_causal(source, tokenizer, separator, to, alone);
}

TextCount add_causal(const TextSource& source, const text::Tokenizer& tokenizer, std::int32_t separator,
                     TokenWriter& to, Threads& threads) {
  TextCount count;
  Encoder encoder{[&] { return std::visit([](const auto& kind) { return encoder_of(kind); }, tokenizer); }, to,
                  threads};
  CausalText text{encoder, std::get_if<text::Bpe>(&tokenizer)};
  const std::string& name = piece_of(tokenizer, separator);
  bool is_named = false;  // in the line so far
  const auto part = [&](std::string_view part, bool begins) {
    if (begins) {
      text.line(part);
      ++count.lines;
      is_named = false;
    } else {
      text.further(part);
    }
    if (!is_named && part.find(name) != part.npos) {
      is_named = true;
      ++count.separator_names;
    }
  };
  const auto end = [&] {
    text.end_document(separator);
    ++count.documents;
  };
  if (format_of(source) == TextFormat::txt) {
    PlainDocuments documents{source.documents, {part, end}};
    ReadOptions read = source.read;
    read.in_parts = true;
    const auto add = [&](std::string_view part, std::size_t number) { documents.add(part, number); };
    count.bytes = for_each_line(source.path, add, read);
    documents.finish();
  } else {
    count.bytes = for_each_document(source, {[&](std::string_view line, std::size_t) { part(line, true); }, end});
  }
  encoder.flush();
  return count;
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
  fail([&] {
    return Diagnostic{.number = 709,
                      .sentence = "the separator " + text::json_string(text::replace_invalid_utf8(piece)) +
                                  " is no piece of the tokenizer",
                      .where = {},
                      .fix = {"name one that is", "train a tokenizer with that special token"}};
  });
}

std::uint64_t write_records(const WindowSource& source, std::uint64_t epochs,
                            const std::function<Features(const TrainingExample&)>& features,
                            std::vector<RecordWriter>& files, Threads& threads) {
  if (files.empty())
    fail([&] {
      return Diagnostic{
          .number = 709, .sentence = "there is no file to write records to", .where = {}, .fix = {"give one or more"}};
    });
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
