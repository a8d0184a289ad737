module octet.train;
import octet.base;
import octet.nn;
import octet.standard;
import octet.text;
import octet.trace;
import :checkpoint;
import :file_set;
import :json_fields;
import :training_json;

namespace octet::train {

namespace fs = std::filesystem;

namespace {

constexpr const char* config_file = "config.json";
constexpr const char* model_file = "model.safetensors";
constexpr const char* vocabulary_file = "vocab.txt";
constexpr const char* vocabulary_json_file = "vocab.json";
constexpr const char* merges_file = "merges.txt";
constexpr const char* tokenizer_json_file = "tokenizer.json";
constexpr const char* tokenizer_file = "tokenizer_config.json";
constexpr const char* state_file = "training.safetensors";
constexpr const char* training_file = "training.json";
constexpr const char* vocabulary_key =
    "octet.vocabulary";  // in model.safetensors: the hash of the words it was trained with

std::string hash_of(std::string_view bytes) { return Hasher{}.add(bytes).text(); }

/// Where a model's files are: a directory, or a folder of one that is replaced with the rest of it.
struct Source {
  fs::path directory;
  std::string folder = {};  ///< ends in a slash

  std::string within(const char* name) const { return folder + name; }
  fs::path place() const { return folder.empty() ? directory : directory / folder.substr(0, folder.size() - 1); }
};

bool is_there(const Source& from, const char* name) {
  std::error_code ignored;
  return fs::exists(current_file(from.directory, from.within(name)), ignored);
}
std::string read(const Source& from, const char* name) {
  return text::read_file(current_file(from.directory, from.within(name)));
}
std::string name_of(const Source& from, const char* name) { return (from.place() / name).string(); }

/// What an ELECTRA's generator lies in: a directory of its own for those tools that only fill blanks.
constexpr const char* generator_folder = "generator/";

/// What the files of a model are, by its kind.
template <class Network>
struct Files;

/// Of models whose words are WordPieces.
struct WordPieceFiles {
  static std::vector<const char*> tokenizer_names(const Source&) { return {vocabulary_file}; }
  static std::string hash(const text::WordPiece& tokenizer) { return hash_of(tokenizer.vocabulary().to_text()); }
  static std::int64_t size(const text::WordPiece& tokenizer) {
    return static_cast<std::int64_t>(tokenizer.vocabulary().size());
  }
  static std::vector<NamedContent> content(const text::WordPiece& tokenizer) {
    return {{vocabulary_file, tokenizer.vocabulary().to_text()},
            {tokenizer_file, text::tokenizer_config_text(tokenizer)}};
  }
  static text::WordPiece tokenizer(const Source& from) {
    return text::parse_wordpiece(read(from, vocabulary_file),
                                 is_there(from, tokenizer_file) ? read(from, tokenizer_file) : std::string{"{}"},
                                 from.place().string());
  }
};

template <>
struct Files<nn::Bert> : WordPieceFiles {
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
  static auto config(const TrainOptions& options, std::int64_t words) { return electra_config(options, words); }
};

template <>
struct Files<nn::Gpt2> {
  static std::vector<const char*> tokenizer_names(const Source& from) {
    if (is_there(from, tokenizer_json_file)) return {tokenizer_json_file};
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
  static std::vector<NamedContent> content(const text::Bpe& tokenizer) {
    return {{vocabulary_json_file, text::vocab_json_text(tokenizer)},
            {merges_file, text::merges_text(tokenizer)},
            {tokenizer_json_file, text::tokenizer_json_text(tokenizer)},
            {tokenizer_file, "{\n  \"tokenizer_class\": \"GPT2Tokenizer\",\n  \"add_prefix_space\": false\n}\n"}};
  }
  static text::Bpe tokenizer(const Source& from) {
    if (is_there(from, tokenizer_json_file))
      return text::parse_bpe_json(read(from, tokenizer_json_file), name_of(from, tokenizer_json_file));
    return text::parse_bpe(read(from, vocabulary_json_file), read(from, merges_file), from.place().string());
  }
};

[[noreturn]] void no_model(const fs::path& directory, const std::string& sentence, std::vector<std::string> fix = {}) {
  fail({.number = 714, .sentence = sentence, .where = {directory.string(), 0, ""}, .fix = std::move(fix)});
}

/// The kinds of models that a config.json may tell of, and what they are for.
enum class Kind { bert, generator, discriminator, gpt2, other };
constexpr const char* purposes[] = {"a BERT, which fills blanks: octet fill",
                                    "an ELECTRA's generator, which fills blanks: octet fill",
                                    "an ELECTRA's discriminator, which judges tokens: octet detect",
                                    "a GPT-2, which goes on with a text: octet continue"};

Kind kind_of(const Source& from) {
  const text::JsonDocument config = parse_json(read(from, config_file), name_of(from, config_file));
  const auto type = config.root().find("model_type");
  if (!type) return Kind::other;
  if (type->text() == "bert") return Kind::bert;
  if (type->text() == "gpt2") return Kind::gpt2;
  if (type->text() != "electra") return Kind::other;
  if (const auto architectures = config.root().find("architectures"))
    for (const text::JsonValue& each : architectures->items())
      if (each.text() == "ElectraForMaskedLM") return Kind::generator;
  return Kind::discriminator;
}

template <class Network>
bool is_of(Kind kind) {
  if constexpr (std::same_as<Network, nn::Bert>)
    return kind == Kind::bert || kind == Kind::generator;
  else if constexpr (std::same_as<Network, nn::Gpt2>)
    return kind == Kind::gpt2;
  else
    return kind == Kind::discriminator;
}

// A model of the other kind is no fault of its files.
template <class Network>
void require_kind(const Source& from) {
  if (!is_there(from, config_file)) return;
  const Kind kind = kind_of(from);
  if (kind == Kind::other || is_of<Network>(kind)) return;
  const std::string place = from.place().string();
  fail({.number = 737,
        .sentence = "The directory '" + place + "' holds " + purposes[static_cast<std::size_t>(kind)] + ".",
        .where = {place, 0, ""}});
}

template <class Network>
void require_model(const Source& from) {
  const fs::path directory = from.place();
  const std::string place = directory.string();
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (status.type() == fs::file_type::not_found || place.empty())
    no_model(directory, "There is no directory '" + place + "'.");
  if (error)
    fail({.number = 701, .sentence = "cannot read " + place + ": " + error.message(), .where = {place, 0, ""}});
  if (!fs::is_directory(status))
    no_model(directory, "'" + place + "' is a file, and a model is a directory.",
             {"give the directory that the model's files lie in"});
  if (fs::is_empty(directory, error) && !error) no_model(directory, "The directory '" + place + "' is empty.");
  require_kind<Network>(from);
  std::string missing;
  std::vector<const char*> names{config_file, model_file};
  for (const char* name : Files<Network>::tokenizer_names(from)) names.push_back(name);
  for (const char* name : names)
    if (!is_there(from, name)) missing += (missing.empty() ? "" : " and no ") + std::string{name};
  if (missing.empty()) return;
  std::vector<std::string> fix;
  if (!is_there(from, model_file)) {
    if (is_there(from, "model.safetensors.index.json"))
      fix.push_back("save the model in one file: model.save_pretrained(directory, max_shard_size=\"100GB\")");
    else if (is_there(from, "pytorch_model.bin"))
      fix.push_back("save the model as safetensors: model.save_pretrained(directory, safe_serialization=True)");
  }
  no_model(directory, "The directory '" + place + "' has no " + missing + ".", std::move(fix));
}

template <class Network>
auto model_of(const Source& from, std::string_view model_bytes) {
  using Own = Files<Network>;
  const auto config = Own::parse(read(from, config_file), name_of(from, config_file));
  auto tokenizer = Own::tokenizer(from);
  const std::int64_t words = Own::size(tokenizer);
  const std::string vocabulary = name_of(from, Own::tokenizer_names(from).front());
  if (words > config.vocabulary)
    malformed(vocabulary, vocabulary + " has " + std::to_string(words) + " pieces, and the model of config.json only " +
                              std::to_string(config.vocabulary) + ".");
  const Safetensors tensors = parse_safetensors(model_bytes, name_of(from, model_file));
  if (const auto hash = tensors.metadata.find(vocabulary_key);
      hash != tensors.metadata.end() && hash->second != Own::hash(tokenizer))
    malformed(vocabulary, vocabulary + " is not the vocabulary that " + tensors.name + " was trained with.");
  return BasicModel<Network, std::remove_cvref_t<decltype(config)>>{
      config, Own::read_from(tensors, config), std::move(tokenizer), kind_of(from) == Kind::generator};
}

/// The whole model of a checkpoint, with the bytes of its model files.
struct ModelBytes {
  std::string model, generator = {};
};

template <class Network>
auto whole_model_of(const fs::path& directory, const ModelBytes& bytes) {
  return model_of<Network>(Source{directory}, bytes.model);
}

template <>
auto whole_model_of<nn::Electra>(const fs::path& directory, const ModelBytes& bytes) {
  auto judge = model_of<nn::ElectraDiscriminator>(Source{directory}, bytes.model);
  const Source of_generator{directory, generator_folder};
  require_model<nn::Bert>(of_generator);
  const auto generator = model_of<nn::Bert>(of_generator, bytes.generator);
  const nn::ElectraConfig config{judge.config, generator.config};
  return BasicModel<nn::Electra, nn::ElectraConfig>{
      config, nn::electra_of(config, judge.parameters, generator.parameters), std::move(judge.tokenizer)};
}

template <class Network>
using State = nn::TrainingState<Network>;

template <class Network>
Values<Network> parameters_of(const Values<State<Network>>& state) {
  const auto end = state.tensors().begin() + static_cast<std::ptrdiff_t>(arrays_of(state.structure().model).size());
  return {state.structure().model, {state.tensors().begin(), end}};
}

// All of the state but the model's parameters.
template <class Network>
Safetensors remainder_of(const Values<State<Network>>& state) {
  Safetensors result;
  const std::vector<std::string> names = state.names();
  for (std::size_t i = arrays_of(state.structure().model).size(); i < names.size(); ++i)
    result.tensors.push_back({names[i], state.tensors()[i]});
  return result;
}

template <class Network>
Values<State<Network>> state_of(const Values<Network>& model, const Safetensors& remainder) {
  Values<State<Network>> state = nn::initial_state(model);
  const std::vector<std::string> names = state.names();
  for (std::size_t i = model.tensors().size(); i < names.size(); ++i) {
    const Tensor& tensor = remainder[names[i]];
    if (tensor.type() != state.tensors()[i].type())
      malformed(remainder.name, "The tensor " + names[i] + " of " + remainder.name + " is " + to_string(tensor.type()) +
                                    " and should be " + to_string(state.tensors()[i].type()) + ".");
    state.tensors()[i] = tensor;
  }
  return state;
}

void require_hash(const Source& directory, const char* name, std::string_view bytes, const std::string& hash) {
  if (hash_of(bytes) == hash) return;
  fail({.number = 715,
        .sentence = name_of(directory, name) + " is not the file that " +
                    name_of({directory.directory}, training_file) + " was saved with.",
        .where = {name_of(directory, name), 0, ""},
        .rule = "A run goes on to the same bits only from files of one moment.",
        .fix = {"copy the whole directory anew", "begin a new run in another directory"}});
}

std::string model_bytes(Safetensors model, const text::WordPiece& tokenizer) {
  model.metadata[vocabulary_key] = Files<nn::Bert>::hash(tokenizer);
  return safetensors_bytes(model);
}
std::string model_bytes(Safetensors model, const text::Bpe& tokenizer) {
  model.metadata[vocabulary_key] = Files<nn::Gpt2>::hash(tokenizer);
  return safetensors_bytes(model);
}

// A model's files but for its vocabulary, with its bytes and what tells configurations apart.
template <class Network>
ModelBytes bytes_of(const Values<Network>& model, const TokenizerOf<Network>& tokenizer) {
  return {model_bytes(to_hugging_face(model), tokenizer)};
}
ModelBytes bytes_of(const Values<nn::Electra>& model, const text::WordPiece& tokenizer) {
  return {model_bytes(to_hugging_face(nn::discriminator_of(model)), tokenizer),
          model_bytes(generator_to_hugging_face(nn::generator_of(model)), tokenizer)};
}

std::vector<std::string> config_texts(const auto& config) { return {config_text(config)}; }
std::vector<std::string> config_texts(const nn::ElectraConfig& config) {
  return {discriminator_config_text(config.discriminator), generator_config_text(config.generator)};
}

template <class Network>
void save(const BasicRunState<Network>& run, const TokenizerOf<Network>& tokenizer, const fs::path& directory) {
  using Own = Files<Network>;
  ModelBytes bytes = bytes_of(parameters_of<Network>(run.state), tokenizer);
  std::string state_bytes = safetensors_bytes(remainder_of<Network>(run.state));
  const std::string record =
      training_text({.options = run.options,
                     .step = run.step,
                     .text_hash = run.text_hash,
                     .position = run.position,
                     .model_hash = hash_of(bytes.model),
                     .generator_hash = bytes.generator.empty() ? std::string{} : hash_of(bytes.generator),
                     .training_hash = hash_of(state_bytes)});
  const std::vector<std::string> configs = config_texts(Own::config(run.options, Own::size(tokenizer)));
  std::vector<NamedContent> files;
  const auto add_model = [&](const std::string& folder, const std::string& config, std::string model) {
    files.push_back({folder + config_file, config});
    for (NamedContent& file : Own::content(tokenizer)) files.push_back({folder + file.name, std::move(file.content)});
    files.push_back({folder + model_file, std::move(model)});
  };
  add_model("", configs.front(), std::move(bytes.model));
  if (configs.size() > 1) add_model(generator_folder, configs.back(), std::move(bytes.generator));
  files.push_back({state_file, std::move(state_bytes)});
  files.push_back({training_file, record});
  replace_together(directory, files);
}

template <class Network>
BasicSavedRun<Network> load(const fs::path& directory) {
  const Source from{directory}, of_generator{directory, generator_folder};
  require_model<Network>(from);
  for (const char* name : {training_file, state_file})
    if (!is_there(from, name))
      no_model(
          directory,
          "The directory '" + directory.string() + "' holds a model but no run to go on with: it has no " + name + ".",
          {"give the directory that octet train --out wrote", "use the model as it is with octet fill"});
  const std::string training_name = name_of(from, training_file);
  const TrainingRecord record = parse_training(read(from, training_file), training_name);
  ModelBytes bytes{read(from, model_file)};
  const std::string state_bytes = read(from, state_file);
  require_hash(from, model_file, bytes.model, record.model_hash);
  require_hash(from, state_file, state_bytes, record.training_hash);
  if constexpr (std::same_as<Network, nn::Electra>) {
    require_model<nn::Bert>(of_generator);
    bytes.generator = read(of_generator, model_file);
    require_hash(of_generator, model_file, bytes.generator, record.generator_hash);
  }

  auto model = whole_model_of<Network>(directory, bytes);
  const std::int64_t words = Files<Network>::size(model.tokenizer);
  if (config_texts(model.config) != config_texts(Files<Network>::config(record.options, words)))
    malformed(training_name,
              "The model of " + training_name + " is not the one of " + name_of(from, config_file) + ".");
  BasicRunState<Network> state{
      record.options, state_of<Network>(model.parameters, parse_safetensors(state_bytes, name_of(from, state_file))),
      record.step, record.text_hash, record.position};
  if (static_cast<std::int64_t>(state.state.tensors().back().item()) != record.step)
    malformed(training_name, training_name + " is at step " + std::to_string(record.step) + " and " +
                                 name_of(from, state_file) + " at another.");
  return {std::move(state), std::move(model.tokenizer)};
}

template <class Network>
auto load_as(const Source& from) {
  require_model<Network>(from);
  return model_of<Network>(from, read(from, model_file));
}

}  // namespace

void save_checkpoint(const RunState& run, const text::WordPiece& tokenizer, const fs::path& directory) {
  save<nn::Bert>(run, tokenizer, directory);
}
void save_checkpoint(const CausalRunState& run, const text::Bpe& tokenizer, const fs::path& directory) {
  save<nn::Gpt2>(run, tokenizer, directory);
}
void save_checkpoint(const Trainer& trainer, const fs::path& directory) {
  save<nn::Bert>(trainer.state(), trainer.tokenizer(), directory);
}
void save_checkpoint(const ElectraTrainer& trainer, const fs::path& directory) {
  save<nn::Electra>(trainer.state(), trainer.tokenizer(), directory);
}
void save_checkpoint(const CausalTrainer& trainer, const fs::path& directory) {
  save<nn::Gpt2>(trainer.state(), trainer.tokenizer(), directory);
}

Model load_model(const fs::path& directory) {
  const Source generator{directory, generator_folder};
  return load_as<nn::Bert>(is_there(generator, config_file) ? generator : Source{directory});
}
DiscriminatorModel load_discriminator(const fs::path& directory) {
  return load_as<nn::ElectraDiscriminator>(Source{directory});
}
CausalModel load_causal_model(const fs::path& directory) { return load_as<nn::Gpt2>(Source{directory}); }

SavedRun load_run(const fs::path& directory) { return load<nn::Bert>(directory); }
ElectraSavedRun load_electra_run(const fs::path& directory) { return load<nn::Electra>(directory); }
CausalSavedRun load_causal_run(const fs::path& directory) { return load<nn::Gpt2>(directory); }

}  // namespace octet::train
