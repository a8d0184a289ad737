module octet.data;
import octet.base;
import octet.standard;
import octet.text;

namespace octet::data {

namespace {

constexpr std::uint32_t window_stream = 0x7769'6e64;  // "wind"; see order.cpp
constexpr std::uint64_t chunk_records = 256;          // of a file, read together

Key window_key(std::uint64_t seed, std::uint64_t epoch, std::uint64_t window) {
  return split(split(fold_in(Key::of_seed(seed), window_stream), epoch), window);
}

void shuffle(std::vector<TrainingExample>& examples, Key key) {
  for (std::size_t left = examples.size(); left > 1; --left)
    std::swap(examples[left - 1], examples[static_cast<std::size_t>(below(key, left, left))]);
}

// Parts of an epoch, taken in an order of its own and as many in each window as make about the examples asked for.
struct Parts {
  std::uint64_t parts, windows;

  Parts(std::uint64_t parts, double examples, std::uint64_t window_examples) : parts{parts} {
    const double wanted = examples / static_cast<double>(std::max<std::uint64_t>(window_examples, 1));
    windows = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(wanted + 0.5), 1, parts);
  }
  std::uint64_t begin(std::uint64_t window) const {  // as even as can be, without a product that overflows
    return parts / windows * window + std::min(window, parts % windows);
  }
};

void add(Hasher& to, const Part& part) {
  if (part.kind != Part::Kind::all) to.add(static_cast<std::uint64_t>(part.kind)).add(part.one_in);
}

void require_window(std::uint64_t window_examples) {
  if (window_examples < 1)
    fail([&] {
      return Diagnostic{
          .number = 709, .sentence = "a window of 0 examples", .where = {}, .fix = {"use some thousands"}};
    });
}

// Its records are read once to be counted and checked, and again whenever they are learned.
void require_read_again(const std::filesystem::path& file) {
  std::error_code ignored;  // a file that is not there has a message of its own
  const std::filesystem::file_type type = std::filesystem::status(file, ignored).type();
  if (type != std::filesystem::file_type::fifo && type != std::filesystem::file_type::character &&
      type != std::filesystem::file_type::socket)
    return;
  fail([&] {
    return Diagnostic{
        .number = 701,
        .sentence = "cannot read " + file.string() + " more than once: it is no file but a pipe or a device",
        .where = {file.string(), 0, ""},
        .rule = "Records are read once to be checked, and again whenever they are learned.",
        .fix = {"name the file itself", "write what comes from the pipe to a file first"}};
  });
}

// Part of a record file.
struct Chunk {
  std::size_t file;
  RecordPosition begin;
  std::uint64_t first = 0;  // its first record, counted over all files
  std::uint64_t records = 0;
  std::uint32_t before = 0, after = 0;  // checksums of the file's records up to it, and with it
};

using TakeRecord = std::function<void(const std::string& record, const RecordReader& reader)>;

// Hands the records of a chunk to `take`, and says whether they are those that were counted and checked.
bool are_as_checked(const std::filesystem::path& file, const Chunk& chunk, const TakeRecord& take) {
  RecordReader reader{file};
  reader.seek(chunk.begin);
  std::string record;
  std::uint32_t checksum = chunk.before;
  std::uint64_t count = 0;
  for (; count < chunk.records && reader.next(record); ++count) {
    checksum = crc32c(record, checksum);
    take(record, reader);
  }
  return count == chunk.records && checksum == chunk.after;
}

bool were_changed(const std::filesystem::path& file, const Chunk& chunk) {
  try {
    return !are_as_checked(file, chunk, [](const std::string&, const RecordReader&) {});
  } catch (const Error&) {
    return std::filesystem::exists(file);  // what is gone has a message of its own
  }
}

// The records of a chunk, whatever became of the file since they were checked.
void read_again(const std::filesystem::path& file, const Chunk& chunk, const TakeRecord& take) {
  try {
    if (are_as_checked(file, chunk, take)) return;
  } catch (const Error&) {
    if (!were_changed(file, chunk)) throw;
  }
  fail([&] {
    return Diagnostic{
        .number = 722,
        .sentence = "records " + std::to_string(chunk.begin.record + 1) + " to " +
                    std::to_string(chunk.begin.record + chunk.records) + " of " + file.string() +
                    " are others now than when they were checked, or fewer: the file was written over since",
        .where = {file.string(), 0, ""},
        .fix = {"put the file back as it was", "begin anew with the file as it is"}};
  });
}

}  // namespace

std::vector<TrainingExample> first_examples(const WindowSource& source, std::uint64_t epoch, std::size_t most) {
  std::vector<TrainingExample> result;
  for (std::uint64_t window = 0; window < source.windows && result.size() < most; ++window)
    std::ranges::move(source.window(epoch, window), std::back_inserter(result));
  if (result.size() > most) result.resize(most);
  return result;
}

WindowSource bert_windows(BertExamples examples, std::uint64_t window_examples) {
  require_window(window_examples);
  const auto source = shared<const BertExamples>(std::move(examples));
  const BertExampleOptions& options = source->options();
  const std::uint64_t seed = options.random_seed;
  const std::uint64_t documents = source->documents().documents();
  const double expected = static_cast<double>(source->documents().tokens()) /
                          static_cast<double>(options.max_seq_length) * static_cast<double>(source->size()) /
                          static_cast<double>(documents);
  const Parts parts{source->size(), expected, window_examples};
  Hasher hasher;
  hasher.add("bert").add(source->documents().checksum()).add(source->documents().positions()).add(seed);
  for (const double number : {options.masked_lm_prob, options.short_seq_prob}) hasher.add(shortest_decimal(number));
  for (const std::int64_t number : {options.max_seq_length, options.max_predictions_per_seq})
    hasher.add(static_cast<std::uint64_t>(number));
  hasher.add(std::uint64_t{options.whole_word_mask} * 2 + options.next_sentence).add(parts.windows);
  add(hasher, options.part);
  return {parts.windows,
          [source, parts, seed](std::uint64_t epoch, std::uint64_t window) {
            std::vector<TrainingExample> result;
            for (std::uint64_t place = parts.begin(window); place < parts.begin(window + 1); ++place) {
              const std::uint64_t document = shuffled(place, parts.parts, seed, epoch);
              std::ranges::move(source->of_document(document, epoch), std::back_inserter(result));
            }
            shuffle(result, window_key(seed, epoch, window));
            return result;
          },
          hasher.value()};
}

WindowSource record_windows(const std::vector<std::filesystem::path>& files, std::uint64_t seed,
                            std::uint64_t window_examples, Part part) {
  require_window(window_examples);
  std::vector<Chunk> chunks;
  std::uint64_t records = 0;
  Hasher hasher;
  hasher.add("records").add(seed);
  for (std::size_t file = 0; file < files.size(); ++file) {
    require_read_again(files[file]);
    RecordReader reader{files[file]};
    RecordPosition begin = reader.position();
    std::string record;
    std::uint32_t checksum = 0;
    while (reader.next(record)) {
      if (begin.record % chunk_records == 0) chunks.push_back({file, begin, records + begin.record, 0, checksum});
      checksum = crc32c(record, checksum);
      ++chunks.back().records;
      chunks.back().after = checksum;
      begin = reader.position();
    }
    records += begin.record;
    hasher.add(begin.record).add(begin.offset).add(checksum);
  }
  const std::uint64_t size = part.size(records);
  if (size == 0)
    fail([&] {
      return Diagnostic{
          .number = 706,
          .sentence = records == 0 ? "the record files hold no example"
                                   : "the record files hold a single example, and one is to be held out to measure on",
          .where = {}};
    });
  const Parts parts{chunks.size(), static_cast<double>(size), window_examples};
  hasher.add(parts.windows);
  add(hasher, part);
  return {parts.windows,
          [files, seed, parts, part, records, chunks = std::move(chunks)](std::uint64_t epoch, std::uint64_t window) {
            std::vector<TrainingExample> result;
            for (std::uint64_t place = parts.begin(window); place < parts.begin(window + 1); ++place) {
              const Chunk& chunk = chunks[static_cast<std::size_t>(shuffled(place, parts.parts, seed, epoch))];
              std::uint64_t index = chunk.first;
              read_again(files[chunk.file], chunk, [&](const std::string& record, const RecordReader& reader) {
                if (!part.holds(index++, records)) return;
                const std::string name = "record " + std::to_string(reader.position().record) + " of " + reader.name();
                result.push_back(bert_example(decode_example(record, name), name));
              });
            }
            shuffle(result, window_key(seed, epoch, window));
            return result;
          },
          hasher.value(), size};
}

WindowSource checked(WindowSource source, const std::string& name, std::size_t vocabulary) {
  source.window = [made = std::move(source.window), name, vocabulary](std::uint64_t epoch, std::uint64_t window) {
    std::vector<TrainingExample> examples = made(epoch, window);
    for (const TrainingExample& example : examples)
      for (const auto* ids : {&example.ids, &example.labels})
        for (const std::int32_t id : *ids)
          if (static_cast<std::size_t>(id) >= vocabulary)
            fail([&] {
              return Diagnostic{.number = 736,
                                .sentence = "The examples of " + name + " hold the id " + std::to_string(id) +
                                            ", and the vocabulary has " + std::to_string(vocabulary) + " pieces.",
                                .where = {name, 0, ""}};
            });
    return examples;
  };
  return source;
}

RecordSizes record_sizes(const std::filesystem::path& file) {
  require_read_again(file);
  RecordReader reader{file};
  std::string record;
  if (!reader.next(record))
    fail([&] {
      return Diagnostic{.number = 740, .sentence = reader.name() + " holds no record", .where = {reader.name(), 0, ""}};
    });
  const std::string name = "record 1 of " + reader.name();
  const Features features = decode_example(record, name);
  const TrainingExample example = bert_example(features, name);  // the two lists are there, and of whole numbers
  const auto size = [&](std::string_view key) {
    return static_cast<std::int64_t>(std::get<Int64List>(features.find(key)->second).size());
  };
  return {size("input_ids"), size("masked_lm_positions"), example.first_segment < std::ssize(example.ids)};
}

CausalBlocks::CausalBlocks(TokenFile tokens, CausalOptions options) : tokens_{std::move(tokens)}, options_{options} {
  if (options_.context_length < 2)
    fail([&] {
      return Diagnostic{.number = 709,
                        .sentence = "a context of " + std::to_string(options_.context_length) +
                                    " tokens: in a block of fewer than 2 nothing follows anything",
                        .where = {},
                        .fix = {"choose 2 or more, such as 1024"}};
    });
  if (tokens_.documents() != 0)
    fail([&] {
      return Diagnostic{
          .number = 726,
          .sentence = tokens_.name() + " holds documents with marks between sentences, as BERT's examples are made of",
          .where = {tokens_.name(), 0, ""},
          .fix = {"write the file with octet data causal"}};
    });
  const auto length = static_cast<std::uint64_t>(options_.context_length);
  const std::uint64_t rest = tokens_.tokens() % length;
  blocks_ = tokens_.tokens() / length + (options_.remainder == Remainder::keep && rest >= 2);
  size_ = options_.part.size(blocks_);
  if (blocks_ == 1 && size_ == 0)
    fail([&] {
      return Diagnostic{.number = 706,
                        .sentence = tokens_.name() + " has a single block of " + std::to_string(length) +
                                    " tokens, and one is to be held out to measure on",
                        .where = {tokens_.name(), 0, ""},
                        .fix = {"make the context shorter", "give more text"}};
    });
  if (size_ == 0)
    fail([&] {
      return Diagnostic{.number = 706,
                        .sentence = tokens_.name() + " has " + std::to_string(tokens_.tokens()) +
                                    " tokens, less than a block of " + std::to_string(length),
                        .where = {tokens_.name(), 0, ""},
                        .fix = {"make the context shorter", "give more text"}};
    });
}

TrainingExample CausalBlocks::operator[](std::uint64_t index) const {
  if (index >= size_)
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = tokens_.name() + " has " + std::to_string(size_) + " blocks, and no block " +
                                    std::to_string(index) + ".",
                        .where = {tokens_.name(), 0, ""},
                        .rule = "Nothing is read beyond what a file holds.",
                        .fix = {"give an index from 0 to " + std::to_string(size_ - 1)}};
    });
  const auto length = static_cast<std::uint64_t>(options_.context_length);
  const std::uint64_t begin = options_.part.at(index, blocks_) * length;
  TrainingExample example{.ids = tokens_.ids(begin, std::min(length, tokens_.tokens() - begin))};
  example.first_segment = static_cast<std::int64_t>(example.ids.size());
  return example;
}

WindowSource causal_windows(CausalBlocks blocks, std::uint64_t window_examples) {
  require_window(window_examples);
  const auto source = shared<const CausalBlocks>(std::move(blocks));
  const Parts parts{source->size(), static_cast<double>(source->size()), window_examples};
  const std::uint64_t seed = source->options().seed;
  Hasher hasher;
  hasher.add("causal").add(source->tokens().checksum()).add(source->tokens().tokens()).add(seed);
  hasher.add(static_cast<std::uint64_t>(source->options().context_length)).add(parts.parts).add(parts.windows);
  add(hasher, source->options().part);
  return {parts.windows,
          [source, parts, seed](std::uint64_t epoch, std::uint64_t window) {
            std::vector<TrainingExample> result;
            for (std::uint64_t place = parts.begin(window); place < parts.begin(window + 1); ++place)
              result.push_back((*source)[shuffled(place, parts.parts, seed, epoch)]);
            return result;
          },
          hasher.value(), parts.parts};
}

}  // namespace octet::data
