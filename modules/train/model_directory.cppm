/// The directory of a model: which files it holds by the kind of model, and what is told where one is missing. Internal
/// to octet.train.
module octet.train:model_directory;
import octet.base;
import octet.nn;
import octet.standard;
import octet.text;
import octet.trace;
import :checkpoint;
import :file_set;
import :json_fields;
import :options;
import :safetensors;
import :training_json;

namespace octet::train {

inline constexpr const char* config_file = "config.json";
inline constexpr const char* model_file = "model.safetensors";
inline constexpr const char* vocabulary_file = "vocab.txt";
inline constexpr const char* vocabulary_json_file = "vocab.json";
inline constexpr const char* merges_file = "merges.txt";
inline constexpr const char* tokenizer_json_file = "tokenizer.json";
inline constexpr const char* tokenizer_file = "tokenizer_config.json";
inline constexpr const char* generation_file = "generation_config.json";
inline constexpr const char* state_file = "training.safetensors";
inline constexpr const char* training_file = "training.json";
inline constexpr const char* vocabulary_key =
    "octet.vocabulary";  // in model.safetensors: the hash of the words it was trained with

/// What an ELECTRA's generator lies in: a directory of its own for those tools that only fill blanks.
inline constexpr const char* generator_folder = "generator/";

std::string hash_of(std::string_view bytes);

/// Where a model's files are: a directory, or a folder of one that is replaced with the rest of it.
struct ModelDirectory {
  std::filesystem::path directory;
  std::string folder = {};  ///< ends in a slash

  bool has(const char* name) const;
  std::string read(const char* name) const;
  text::DirectoryReader reader() const;
  std::filesystem::path place() const;
  /// What messages call a file.
  std::string name(const char* file) const { return (place() / file).string(); }
};

/// The content of tokenizer_config.json beside a model that takes so many tokens.
std::string tokenizer_config(const text::WordPiece& tokenizer, std::int64_t positions);
std::string tokenizer_config(const text::Bpe& tokenizer, std::int64_t positions);

/// What a GPT-2's texts begin after and end with, where its vocabulary has it and no file names another.
inline constexpr std::string_view end_of_text = "<|endoftext|>";
/// The id that generation_config.json names, or config.json, or that of `end_of_text`. Throws X715 for one that is no
/// piece.
std::optional<std::int32_t> end_of(const ModelDirectory& from, const text::Bpe& tokenizer);
inline std::optional<std::int32_t> end_of(const ModelDirectory&, const text::WordPiece&) { return std::nullopt; }

/// What the files of a model are, by its kind.
template <class Network>
struct Files;

/// Of models whose words are WordPieces.
struct WordPieceFiles {
  static std::vector<const char*> tokenizer_names(const ModelDirectory& from) {
    return {from.has(tokenizer_json_file) ? tokenizer_json_file : vocabulary_file};  // transformers 5 has that alone
  }
  static std::string hash(const text::WordPiece& tokenizer);
  static std::int64_t size(const text::WordPiece& tokenizer) {
    return static_cast<std::int64_t>(tokenizer.vocabulary().size());
  }
  /// `positions`: tokens that the model takes.
  static std::vector<NamedContent> content(const text::WordPiece& tokenizer, std::int64_t positions) {
    return {{vocabulary_file, tokenizer.vocabulary().to_text()},
            {tokenizer_json_file, text::tokenizer_json_text(tokenizer)},
            {tokenizer_file, tokenizer_config(tokenizer, positions)}};
  }
  /// Where neither tokenizer.json nor tokenizer_config.json tells the options, the run's record does. Throws X710 where
  /// the two files of a run do not tell the same.
  static text::WordPiece tokenizer(const ModelDirectory& from);
};

template <>
struct Files<nn::Bert> : WordPieceFiles {
  static constexpr const char* command = "fill";
  static auto config(const TrainOptions& options, std::int64_t words) { return bert_config(options, words); }
  static auto parse(std::string_view json, const std::string& name) { return parse_config(json, name); }
  static auto read_from(const Safetensors& tensors, const nn::BertConfig& config) {
    return from_hugging_face(tensors, config);
  }
};

template <>
struct Files<nn::ElectraDiscriminator> : WordPieceFiles {
  static auto parse(std::string_view json, const std::string& name) { return parse_config(json, name); }
  static auto read_from(const Safetensors& tensors, const nn::BertConfig& config) {
    return discriminator_from_hugging_face(tensors, config);
  }
};

template <>
struct Files<nn::Electra> : WordPieceFiles {
  static constexpr const char* command = "detect";
  static auto config(const TrainOptions& options, std::int64_t words) { return electra_config(options, words); }
};

template <>
struct Files<nn::Gpt2> {
  static constexpr const char* command = "continue";  ///< of octet, that uses such a model
  static std::vector<const char*> tokenizer_names(const ModelDirectory& from) {
    if (from.has(tokenizer_json_file)) return {tokenizer_json_file};
    return {vocabulary_json_file, merges_file};
  }
  static auto config(const TrainOptions& options, std::int64_t words) { return gpt2_config(options, words); }
  static auto parse(std::string_view json, const std::string& name) { return parse_gpt2_config(json, name); }
  static auto read_from(const Safetensors& tensors, const nn::Gpt2Config& config) {
    return from_hugging_face(tensors, config);
  }
  static std::string hash(const text::Bpe& tokenizer) {
    return hash_of(text::vocab_json_text(tokenizer) + text::merges_text(tokenizer));
  }
  static std::int64_t size(const text::Bpe& tokenizer) { return static_cast<std::int64_t>(tokenizer.size()); }
  static std::vector<NamedContent> content(const text::Bpe& tokenizer, std::int64_t positions) {
    return {{vocabulary_json_file, text::vocab_json_text(tokenizer)},
            {merges_file, text::merges_text(tokenizer)},
            {tokenizer_json_file, text::tokenizer_json_text(tokenizer)},
            {tokenizer_file, tokenizer_config(tokenizer, positions)}};
  }
  static text::Bpe tokenizer(const ModelDirectory& from) { return text::load_bpe(from.place(), from.reader()); }
};

/// Throws X710 where a run has learned its words from a text that was cleaned up in another way than `tokenizer` does.
void require_clean_up(const ModelDirectory& from, const text::WordPiece& tokenizer, const TrainingRecord& record);

[[noreturn]] void no_model(const std::filesystem::path& directory, const std::string& sentence,
                           std::vector<std::string> fix = {});

/// The kinds of models that a config.json may tell of. Throws X715 for one that is broken.
enum class Kind { bert, generator, discriminator, gpt2, other };
Kind kind_of(const ModelDirectory& from);
/// Where the model of `directory` lies that fills blanks: of an ELECTRA's checkpoint its generator, which is read as
/// what it is part of also where its own folder is named.
ModelDirectory filling_directory(const std::filesystem::path& directory);
/// The option of octet train that goes on with a run of this kind.
const char* option_of(Kind kind);
/// Throws X737: a model of another kind is no fault of its files.
[[noreturn]] void refuse_kind(const ModelDirectory& from, Kind kind, const char* fix = nullptr);
/// Throws X714 where there is no directory or an empty one, X701 for one that cannot be looked at.
void require_directory(const ModelDirectory& from);
/// Throws X714 for one without a configuration, weights or these files.
void require_files(const ModelDirectory& from, std::vector<const char*> names);

template <class Network>
bool is_of(Kind kind) {
  if constexpr (std::same_as<Network, nn::Bert>)
    return kind == Kind::bert || kind == Kind::generator;
  else if constexpr (std::same_as<Network, nn::Gpt2>)
    return kind == Kind::gpt2;
  else
    return kind == Kind::discriminator;
}

/// Throws X714 and X737 where a `Network` cannot be read from there; `to_go_on` tells what is asked for.
template <class Network>
void require_model(const ModelDirectory& from, bool to_go_on = false) {
  require_directory(from);
  if (from.has(config_file))
    if (const Kind kind = kind_of(from); kind != Kind::other && !is_of<Network>(kind))
      refuse_kind(from, kind, to_go_on && from.has(training_file) ? option_of(kind) : nullptr);
  require_files(from, Files<Network>::tokenizer_names(from));
}

template <class Network>
auto model_of(const ModelDirectory& from, std::string_view model_bytes) {
  using Own = Files<Network>;
  const auto config = Own::parse(from.read(config_file), from.name(config_file));
  auto tokenizer = Own::tokenizer(from);
  const std::int64_t words = Own::size(tokenizer);
  const std::string vocabulary = from.name(Own::tokenizer_names(from).front());
  if (words > config.vocabulary)
    malformed(vocabulary, vocabulary + " has " + std::to_string(words) +
                              " pieces with all that is added to it, and the model of config.json only " +
                              std::to_string(config.vocabulary) + ".");
  const Safetensors tensors = parse_safetensors(model_bytes, from.name(model_file));
  if (const auto hash = tensors.metadata.find(vocabulary_key);
      hash != tensors.metadata.end() && hash->second != Own::hash(tokenizer))
    malformed(vocabulary, vocabulary + " is not the vocabulary that " + tensors.name + " was trained with.");
  const auto end = end_of(from, tokenizer);
  return BasicModel<Network, std::remove_cvref_t<decltype(config)>>{
      config, Own::read_from(tensors, config), std::move(tokenizer), kind_of(from) == Kind::generator, end};
}

}  // namespace octet::train
