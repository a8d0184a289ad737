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

bool is_there(const fs::path& directory, const char* name) {
  std::error_code ignored;
  return fs::exists(current_file(directory, name), ignored);
}

std::string read(const fs::path& directory, const char* name) { return text::read_file(current_file(directory, name)); }
std::string name_of(const fs::path& directory, const char* name) { return (directory / name).string(); }

/// What the files of a model are, by its kind.
template <class Network>
struct Files;

template <>
struct Files<nn::Bert> {
  static constexpr const char* what = "a BERT, which fills blanks: octet fill";
  static constexpr std::string_view kind = "bert";
  static std::vector<const char*> tokenizer_names(const fs::path&) { return {vocabulary_file}; }
  static auto config(const TrainOptions& options, std::int64_t words) { return bert_config(options, words); }
  static auto parse(std::string_view json, const std::string& name) { return parse_config(json, name); }
  static std::string hash(const text::WordPiece& tokenizer) { return hash_of(tokenizer.vocabulary().to_text()); }
  static std::int64_t size(const text::WordPiece& tokenizer) {
    return static_cast<std::int64_t>(tokenizer.vocabulary().size());
  }
  static std::vector<NamedContent> content(const text::WordPiece& tokenizer) {
    return {{vocabulary_file, tokenizer.vocabulary().to_text()},
            {tokenizer_file, text::tokenizer_config_text(tokenizer)}};
  }
  static text::WordPiece tokenizer(const fs::path& directory) {
    return text::parse_wordpiece(
        read(directory, vocabulary_file),
        is_there(directory, tokenizer_file) ? read(directory, tokenizer_file) : std::string{"{}"}, directory.string());
  }
};

template <>
struct Files<nn::Gpt2> {
  static constexpr const char* what = "a GPT-2, which goes on with a text: octet continue";
  static constexpr std::string_view kind = "gpt2";
  static std::vector<const char*> tokenizer_names(const fs::path& directory) {
    if (is_there(directory, tokenizer_json_file)) return {tokenizer_json_file};
    return {vocabulary_json_file, merges_file};
  }
  static auto config(const TrainOptions& options, std::int64_t words) { return gpt2_config(options, words); }
  static auto parse(std::string_view json, const std::string& name) { return parse_gpt2_config(json, name); }
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
  static text::Bpe tokenizer(const fs::path& directory) {
    if (is_there(directory, tokenizer_json_file))
      return text::parse_bpe_json(read(directory, tokenizer_json_file), name_of(directory, tokenizer_json_file));
    return text::parse_bpe(read(directory, vocabulary_json_file), read(directory, merges_file), directory.string());
  }
};

[[noreturn]] void no_model(const fs::path& directory, const std::string& sentence, std::vector<std::string> fix = {}) {
  fail({.number = 714, .sentence = sentence, .where = {directory.string(), 0, ""}, .fix = std::move(fix)});
}

// A model of the other kind is no fault of its files.
template <class Network>
void require_kind(const fs::path& directory) {
  if (!is_there(directory, config_file)) return;
  const text::JsonDocument config = parse_json(read(directory, config_file), name_of(directory, config_file));
  const auto type = config.root().find("model_type");
  const auto refuse = [&](const char* what) {
    fail({.number = 737,
          .sentence = "The directory '" + directory.string() + "' holds " + what + ".",
          .where = {directory.string(), 0, ""}});
  };
  if (!type || type->text() == Files<Network>::kind) return;
  if (type->text() == Files<nn::Bert>::kind) refuse(Files<nn::Bert>::what);
  if (type->text() == Files<nn::Gpt2>::kind) refuse(Files<nn::Gpt2>::what);
}

template <class Network>
void require_model(const fs::path& directory) {
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
  require_kind<Network>(directory);
  std::string missing;
  std::vector<const char*> names{config_file, model_file};
  for (const char* name : Files<Network>::tokenizer_names(directory)) names.push_back(name);
  for (const char* name : names)
    if (!is_there(directory, name)) missing += (missing.empty() ? "" : " and no ") + std::string{name};
  if (missing.empty()) return;
  std::vector<std::string> fix;
  if (!is_there(directory, model_file)) {
    if (is_there(directory, "model.safetensors.index.json"))
      fix.push_back("save the model in one file: model.save_pretrained(directory, max_shard_size=\"100GB\")");
    else if (is_there(directory, "pytorch_model.bin"))
      fix.push_back("save the model as safetensors: model.save_pretrained(directory, safe_serialization=True)");
  }
  no_model(directory, "The directory '" + place + "' has no " + missing + ".", std::move(fix));
}

template <class Network>
auto model_of(const fs::path& directory, std::string_view model_bytes) {
  using Own = Files<Network>;
  const auto config = Own::parse(read(directory, config_file), name_of(directory, config_file));
  auto tokenizer = Own::tokenizer(directory);
  const std::int64_t words = Own::size(tokenizer);
  const std::string vocabulary = name_of(directory, Own::tokenizer_names(directory).front());
  if (words > config.vocabulary)
    malformed(vocabulary, vocabulary + " has " + std::to_string(words) + " pieces, and the model of config.json only " +
                              std::to_string(config.vocabulary) + ".");
  const Safetensors tensors = parse_safetensors(model_bytes, name_of(directory, model_file));
  if (const auto hash = tensors.metadata.find(vocabulary_key);
      hash != tensors.metadata.end() && hash->second != Own::hash(tokenizer))
    malformed(vocabulary, vocabulary + " is not the vocabulary that " + tensors.name + " was trained with.");
  return BasicModel<Network, std::remove_cvref_t<decltype(config)>>{config, from_hugging_face(tensors, config),
                                                                    std::move(tokenizer)};
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

void require_hash(const fs::path& directory, const char* name, std::string_view bytes, const std::string& hash) {
  if (hash_of(bytes) == hash) return;
  fail({.number = 715,
        .sentence = name_of(directory, name) + " is not the file that " + name_of(directory, training_file) +
                    " was saved with.",
        .where = {name_of(directory, name), 0, ""},
        .rule = "A run goes on to the same bits only from files of one moment.",
        .fix = {"copy the whole directory anew", "begin a new run in another directory"}});
}

template <class Network>
void save(const BasicRunState<Network>& run, const TokenizerOf<Network>& tokenizer, const fs::path& directory) {
  using Own = Files<Network>;
  Safetensors model = to_hugging_face(parameters_of<Network>(run.state));
  model.metadata[vocabulary_key] = Own::hash(tokenizer);
  std::string model_bytes = safetensors_bytes(model), state_bytes = safetensors_bytes(remainder_of<Network>(run.state));
  const std::string record = training_text({.options = run.options,
                                            .step = run.step,
                                            .text_hash = run.text_hash,
                                            .position = run.position,
                                            .model_hash = hash_of(model_bytes),
                                            .training_hash = hash_of(state_bytes)});
  std::vector<NamedContent> files{{config_file, config_text(Own::config(run.options, Own::size(tokenizer)))}};
  for (NamedContent& file : Own::content(tokenizer)) files.push_back(std::move(file));
  files.push_back({model_file, std::move(model_bytes)});
  files.push_back({state_file, std::move(state_bytes)});
  files.push_back({training_file, record});
  replace_together(directory, files);
}

template <class Network>
BasicSavedRun<Network> load(const fs::path& directory) {
  require_model<Network>(directory);
  for (const char* name : {training_file, state_file})
    if (!is_there(directory, name))
      no_model(
          directory,
          "The directory '" + directory.string() + "' holds a model but no run to go on with: it has no " + name + ".",
          {"give the directory that octet train --out wrote", "use the model as it is with octet fill"});
  const std::string training_name = name_of(directory, training_file);
  const TrainingRecord record = parse_training(read(directory, training_file), training_name);
  const std::string model_bytes = read(directory, model_file), state_bytes = read(directory, state_file);
  require_hash(directory, model_file, model_bytes, record.model_hash);
  require_hash(directory, state_file, state_bytes, record.training_hash);

  auto model = model_of<Network>(directory, model_bytes);
  if (config_text(model.config) != config_text(Files<Network>::config(record.options, model.config.vocabulary)))
    malformed(training_name,
              "The model of " + training_name + " is not the one of " + name_of(directory, config_file) + ".");
  BasicRunState<Network> state{
      record.options,
      state_of<Network>(model.parameters, parse_safetensors(state_bytes, name_of(directory, state_file))), record.step,
      record.text_hash, record.position};
  if (static_cast<std::int64_t>(state.state.tensors().back().item()) != record.step)
    malformed(training_name, training_name + " is at step " + std::to_string(record.step) + " and " +
                                 name_of(directory, state_file) + " at another.");
  return {std::move(state), std::move(model.tokenizer)};
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
void save_checkpoint(const CausalTrainer& trainer, const fs::path& directory) {
  save<nn::Gpt2>(trainer.state(), trainer.tokenizer(), directory);
}

Model load_model(const fs::path& directory) {
  require_model<nn::Bert>(directory);
  return model_of<nn::Bert>(directory, read(directory, model_file));
}
CausalModel load_causal_model(const fs::path& directory) {
  require_model<nn::Gpt2>(directory);
  return model_of<nn::Gpt2>(directory, read(directory, model_file));
}

SavedRun load_run(const fs::path& directory) { return load<nn::Bert>(directory); }
CausalSavedRun load_causal_run(const fs::path& directory) { return load<nn::Gpt2>(directory); }

}  // namespace octet::train
