module octet.train;
import octet.base;
import octet.nn;
import octet.standard;
import octet.text;
import octet.trace;
import :file_set;
import :json;
import :training_json;

namespace octet::train {

namespace fs = std::filesystem;

namespace {

constexpr const char* config_file = "config.json";
constexpr const char* model_file = "model.safetensors";
constexpr const char* vocabulary_file = "vocab.txt";
constexpr const char* tokenizer_file = "tokenizer_config.json";
constexpr const char* state_file = "training.safetensors";
constexpr const char* training_file = "training.json";
constexpr const char* vocabulary_key = "octet.vocabulary";  // in model.safetensors: the hash of the words it was trained with

std::string hash_of(std::string_view bytes) { return Hasher{}.add(bytes).text(); }
std::string hash_of(const text::WordPiece& tokenizer) { return hash_of(tokenizer.vocabulary().to_text()); }

bool is_there(const fs::path& directory, const char* name) {
  std::error_code ignored;
  return fs::exists(current_file(directory, name), ignored);
}

std::string read(const fs::path& directory, const char* name) { return text::read_file(current_file(directory, name)); }
std::string name_of(const fs::path& directory, const char* name) { return (directory / name).string(); }

[[noreturn]] void no_model(const fs::path& directory, const std::string& sentence, std::vector<std::string> fix = {}) {
  fail({.number = 714, .sentence = sentence, .where = {directory.string(), 0, ""}, .fix = std::move(fix)});
}

void require_model(const fs::path& directory) {
  const std::string place = directory.string();
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (status.type() == fs::file_type::not_found || place.empty()) no_model(directory, "There is no directory '" + place + "'.");
  if (error)
    fail({.number = 701, .sentence = "cannot read " + place + ": " + error.message(), .where = {place, 0, ""}});
  if (!fs::is_directory(status))
    no_model(directory, "'" + place + "' is a file, and a model is a directory.", {"give the directory that the model's files lie in"});
  if (fs::is_empty(directory, error) && !error) no_model(directory, "The directory '" + place + "' is empty.");
  std::string missing;
  for (const char* name : {config_file, model_file, vocabulary_file})
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

Model model_of(const fs::path& directory, std::string_view model_bytes) {
  const nn::BertConfig config = parse_config(read(directory, config_file), name_of(directory, config_file));
  text::WordPiece tokenizer =
      text::parse_wordpiece(read(directory, vocabulary_file),
                            is_there(directory, tokenizer_file) ? read(directory, tokenizer_file) : std::string{"{}"}, directory.string());
  const auto words = static_cast<std::int64_t>(tokenizer.vocabulary().size());
  const std::string vocabulary = name_of(directory, vocabulary_file);
  if (words > config.vocabulary)
    malformed(vocabulary, vocabulary + " has " + std::to_string(words) + " pieces, and the model of config.json only " +
                              std::to_string(config.vocabulary) + ".");
  const Safetensors tensors = parse_safetensors(model_bytes, name_of(directory, model_file));
  if (const auto hash = tensors.metadata.find(vocabulary_key); hash != tensors.metadata.end() && hash->second != hash_of(tokenizer))
    malformed(vocabulary, vocabulary + " is not the vocabulary that " + tensors.name + " was trained with.");
  return {config, from_hugging_face(tensors, config), std::move(tokenizer)};
}

using State = nn::TrainingState<nn::Bert>;

Values<nn::Bert> parameters_of(const Values<State>& state) {
  const auto end = state.tensors().begin() + static_cast<std::ptrdiff_t>(arrays_of(state.structure().model).size());
  return {state.structure().model, {state.tensors().begin(), end}};
}

// All of the state but the model's parameters.
Safetensors remainder_of(const Values<State>& state) {
  Safetensors result;
  const std::vector<std::string> names = state.names();
  for (std::size_t i = arrays_of(state.structure().model).size(); i < names.size(); ++i)
    result.tensors.push_back({names[i], state.tensors()[i]});
  return result;
}

Values<State> state_of(const Values<nn::Bert>& model, const Safetensors& remainder) {
  Values<State> state = nn::initial_state(model);
  const std::vector<std::string> names = state.names();
  for (std::size_t i = model.tensors().size(); i < names.size(); ++i) {
    const Tensor& tensor = remainder[names[i]];
    if (tensor.type() != state.tensors()[i].type())
      malformed(remainder.name, "The tensor " + names[i] + " of " + remainder.name + " is " + to_string(tensor.type()) + " and should be " +
                                    to_string(state.tensors()[i].type()) + ".");
    state.tensors()[i] = tensor;
  }
  return state;
}

void require_hash(const fs::path& directory, const char* name, std::string_view bytes, const std::string& hash) {
  if (hash_of(bytes) == hash) return;
  fail({.number = 715,
        .sentence = name_of(directory, name) + " is not the file that " + name_of(directory, training_file) + " was saved with.",
        .where = {name_of(directory, name), 0, ""},
        .rule = "A run goes on to the same bits only from files of one moment.",
        .fix = {"copy the whole directory anew", "begin a new run in another directory"}});
}

}  // namespace

void save_checkpoint(const RunState& run, const text::WordPiece& tokenizer, const fs::path& directory) {
  const auto words = static_cast<std::int64_t>(tokenizer.vocabulary().size());
  Safetensors model = to_hugging_face(parameters_of(run.state));
  model.metadata[vocabulary_key] = hash_of(tokenizer);
  std::string model_bytes = safetensors_bytes(model), state_bytes = safetensors_bytes(remainder_of(run.state));
  const std::string record = training_text({.options = run.options,
                                            .step = run.step,
                                            .text_hash = run.text_hash,
                                            .model_hash = hash_of(model_bytes),
                                            .training_hash = hash_of(state_bytes)});
  replace_together(directory, {{config_file, config_text(bert_config(run.options, words))},
                               {vocabulary_file, tokenizer.vocabulary().to_text()},
                               {tokenizer_file, text::tokenizer_config_text(tokenizer)},
                               {model_file, std::move(model_bytes)},
                               {state_file, std::move(state_bytes)},
                               {training_file, record}});
}

void save_checkpoint(const Trainer& trainer, const fs::path& directory) {
  save_checkpoint(trainer.state(), trainer.tokenizer(), directory);
}

Model load_model(const fs::path& directory) {
  require_model(directory);
  return model_of(directory, read(directory, model_file));
}

SavedRun load_run(const fs::path& directory) {
  require_model(directory);
  for (const char* name : {training_file, state_file})
    if (!is_there(directory, name))
      no_model(directory, "The directory '" + directory.string() + "' holds a model but no run to go on with: it has no " + name + ".",
               {"give the directory that octet train --out wrote", "use the model as it is with octet fill"});
  const std::string training_name = name_of(directory, training_file);
  const TrainingRecord record = parse_training(read(directory, training_file), training_name);
  const std::string model_bytes = read(directory, model_file), state_bytes = read(directory, state_file);
  require_hash(directory, model_file, model_bytes, record.model_hash);
  require_hash(directory, state_file, state_bytes, record.training_hash);

  Model model = model_of(directory, model_bytes);
  if (config_text(model.config) != config_text(bert_config(record.options, model.config.vocabulary)))
    malformed(training_name, "The model of " + training_name + " is not the one of " + name_of(directory, config_file) + ".");
  RunState state{record.options, state_of(model.parameters, parse_safetensors(state_bytes, name_of(directory, state_file))),
                 record.step, record.text_hash};
  if (static_cast<std::int64_t>(state.state.tensors().back().item()) != record.step)
    malformed(training_name, training_name + " is at step " + std::to_string(record.step) + " and " +
                                 name_of(directory, state_file) + " at another.");
  return {std::move(state), std::move(model.tokenizer)};
}

}  // namespace octet::train
