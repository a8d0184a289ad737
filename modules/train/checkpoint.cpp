module octet.train;
import octet.base;
import octet.nn;
import octet.standard;
import octet.text;
import octet.trace;
import :checkpoint;
import :file_set;
import :finite;
import :json_fields;
import :model_directory;
import :replica_state;
import :training_json;
import :training_step;

namespace octet::train {

namespace fs = std::filesystem;

namespace {

/// The whole model of a checkpoint, with the bytes of its model files.
struct ModelBytes {
  std::string model, generator = {};
};

template <class Network>
auto whole_model_of(const fs::path& directory, const ModelBytes& bytes) {
  return model_of<Network>(ModelDirectory{directory}, bytes.model);
}

template <>
auto whole_model_of<nn::Electra>(const fs::path& directory, const ModelBytes& bytes) {
  auto judge = model_of<nn::ElectraDiscriminator>(ModelDirectory{directory}, bytes.model);
  const ModelDirectory of_generator{directory, generator_folder};
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

void require_hash(const ModelDirectory& directory, const char* name, std::string_view bytes, const std::string& hash) {
  if (hash_of(bytes) == hash) return;
  fail({.number = 715,
        .sentence = directory.name(name) + " is not the file that " +
                    ModelDirectory{directory.directory}.name(training_file) + " was saved with.",
        .where = {directory.name(name), 0, ""},
        .rule = "A run goes on to the same bits only from files of one moment.",
        .fix = {"copy the whole directory anew", "begin a new run in another directory"}});
}

text::FileParts model_parts(Safetensors model, const text::WordPiece& tokenizer) {
  model.metadata[vocabulary_key] = Files<nn::Bert>::hash(tokenizer);
  return safetensors_parts(model);
}
text::FileParts model_parts(Safetensors model, const text::Bpe& tokenizer) {
  model.metadata[vocabulary_key] = Files<nn::Gpt2>::hash(tokenizer);
  return safetensors_parts(model);
}

// hash_of all the bytes together.
std::string hash_of_parts(const text::FileParts& bytes) {
  HasherOfParts hasher{bytes.size()};
  bytes.each([&](std::string_view part) { hasher.add(std::as_bytes(std::span{part.data(), part.size()})); });
  return hasher.finished().text();
}

// A model's weights; of an ELECTRA those of both models, the generator's last.
template <class Network>
std::vector<text::FileParts> weights_of(const Values<Network>& model, const TokenizerOf<Network>& tokenizer) {
  return {model_parts(to_hugging_face(model), tokenizer)};
}
std::vector<text::FileParts> weights_of(const Values<nn::Electra>& model, const text::WordPiece& tokenizer) {
  return {model_parts(to_hugging_face(nn::discriminator_of(model)), tokenizer),
          model_parts(generator_to_hugging_face(nn::generator_of(model)), tokenizer)};
}

std::vector<std::string> config_texts(const auto& config) { return {config_text(config)}; }
std::vector<std::string> config_texts(const nn::ElectraConfig& config) {
  return {discriminator_config_text(config.discriminator), generator_config_text(config.generator)};
}

template <class Config>
std::vector<std::string> config_texts_of(const Config& config, const auto& tokenizer) {
  if constexpr (std::same_as<Config, nn::Gpt2Config>)
    return {config_text(config, tokenizer.id(end_of_text))};
  else
    return config_texts(config);
}

// Whether a model of another kind lies in the directory.
template <class Network>
bool holds_another(const fs::path& directory) {
  try {
    const ModelDirectory before{directory};
    return before.has(config_file) && !is_of<Network>(kind_of(before));
  } catch (const Error&) {
    return false;  // what cannot be read is of no kind
  }
}

// What a model of another kind has and this one does not: tools would take it for a part of this one. By now all files
// of this one are there, and one that cannot be removed does no harm to them.
void remove_others(const fs::path& directory, const std::vector<NamedContent>& files) {
  const std::string folder = generator_folder;
  std::vector<std::string> others{vocabulary_file, vocabulary_json_file, merges_file, tokenizer_json_file};
  for (const char* name : {config_file, model_file, vocabulary_file, tokenizer_json_file, tokenizer_file})
    others.push_back(folder + name);
  std::error_code ignored;
  for (const std::string& name : others)
    if (std::ranges::none_of(files, [&](const NamedContent& file) { return file.name == name; }))
      if (!fs::is_symlink((directory / name).parent_path(), ignored)) fs::remove(directory / name, ignored);
  fs::remove(directory / folder.substr(0, folder.size() - 1), ignored);  // where it is empty
}

template <class Network>
void save(const BasicRunState<Network>& run, const TokenizerOf<Network>& tokenizer, const fs::path& directory) {
  using Own = Files<Network>;
  // Before anything takes the place of what is there.
  require_finite(run.state.names(), run.state.tensors(), "");
  require_state(arrays_of(Task<Network>::model(run.options, Own::size(tokenizer))), run.state.names(),
                run.state.tensors(), run.step);
  const std::vector<text::FileParts> weights = weights_of(parameters_of<Network>(run.state), tokenizer);
  const text::FileParts remainder = safetensors_parts(remainder_of<Network>(run.state));
  const std::string record = training_text({.options = run.options,
                                            .step = run.step,
                                            .text_hash = run.text_hash,
                                            .position = run.position,
                                            .model_hash = hash_of_parts(weights.front()),
                                            .generator_hash = weights.size() > 1 ? hash_of_parts(weights.back()) : "",
                                            .training_hash = hash_of_parts(remainder)});
  const std::vector<std::string> configs = config_texts_of(Own::config(run.options, Own::size(tokenizer)), tokenizer);
  const std::int64_t positions = std::max(run.options.seq, run.options.positions);
  std::vector<NamedContent> files;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::string folder = i == 0 ? "" : generator_folder;
    files.push_back({folder + config_file, configs[i]});
    for (NamedContent& file : Own::content(tokenizer, positions))
      files.push_back({folder + file.name, std::move(file.content)});
    files.push_back({folder + model_file, weights[i]});
  }
  files.push_back({state_file, remainder});
  files.push_back({training_file, record});
  const bool takes_anothers_place = holds_another<Network>(directory);
  replace_together(directory, files);
  if (takes_anothers_place) remove_others(directory, files);
}

template <class Network>
BasicSavedRun<Network> load(const fs::path& directory) {
  const ModelDirectory from{directory}, of_generator{directory, generator_folder};
  require_model<Network>(from, true);
  for (const char* name : {training_file, state_file})
    if (!from.has(name))
      no_model(
          directory,
          "The directory '" + directory.string() + "' holds a model but no run to go on with: it has no " + name + ".",
          {"give the directory that octet train --out wrote",
           std::string{"use the model as it is with octet "} + Files<Network>::command});
  const std::string training_name = from.name(training_file);
  const TrainingRecord record = parse_training(from.read(training_file), training_name);
  ModelBytes bytes{from.read(model_file)};
  const std::string state_bytes = from.read(state_file);
  require_hash(from, model_file, bytes.model, record.model_hash);
  require_hash(from, state_file, state_bytes, record.training_hash);
  if constexpr (std::same_as<Network, nn::Electra>) {
    require_model<nn::Bert>(of_generator);
    bytes.generator = of_generator.read(model_file);
    require_hash(of_generator, model_file, bytes.generator, record.generator_hash);
  }

  auto model = whole_model_of<Network>(directory, bytes);
  if constexpr (std::same_as<TokenizerOf<Network>, text::WordPiece>) require_clean_up(from, model.tokenizer, record);
  const std::int64_t words = Files<Network>::size(model.tokenizer);
  if (config_texts(model.config) != config_texts(Files<Network>::config(record.options, words)))
    malformed(training_name, "The model of " + training_name + " is not the one of " + from.name(config_file) + ".");
  // How its gradients are computed, config.json does not tell.
  const Values<Network> parameters{Task<Network>::model(record.options, words), std::move(model.parameters).tensors()};
  BasicRunState<Network> state{record.options,
                               state_of<Network>(parameters, parse_safetensors(state_bytes, from.name(state_file))),
                               record.step, record.text_hash, record.position};
  if (static_cast<std::int64_t>(state.state.tensors().back().item()) != record.step)
    malformed(training_name, training_name + " is at step " + std::to_string(record.step) + " and " +
                                 from.name(state_file) + " at another.");
  return {std::move(state), std::move(model.tokenizer)};
}

template <class Network>
auto load_as(const ModelDirectory& from) {
  require_model<Network>(from);
  return model_of<Network>(from, from.read(model_file));
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

Model load_model(const fs::path& directory) { return load_as<nn::Bert>(filling_directory(directory)); }
DiscriminatorModel load_discriminator(const fs::path& directory) {
  return load_as<nn::ElectraDiscriminator>(ModelDirectory{directory});
}
ElectraModel load_electra(const fs::path& directory) {
  const ModelDirectory from{directory}, of_generator{directory, generator_folder};
  require_model<nn::ElectraDiscriminator>(from);
  if (!of_generator.has(config_file))
    no_model(directory,
             "The directory '" + directory.string() + "' holds an ELECTRA's discriminator without its generator.",
             {"put the generator beside it, in a folder generator", "use it as it is with octet detect"});
  require_model<nn::Bert>(of_generator);
  return whole_model_of<nn::Electra>(directory, {from.read(model_file), of_generator.read(model_file)});
}
CausalModel load_causal_model(const fs::path& directory) { return load_as<nn::Gpt2>(ModelDirectory{directory}); }

bool holds_run(const fs::path& directory) { return will_have(directory, "training.json"); }
bool holds_remainder(const fs::path& directory) { return is_remainder(directory); }
void remove_run(const fs::path& directory) {
  std::error_code ignored;
  if (fs::is_symlink(directory, ignored)) {  // what it leads to is another's
    fs::remove(directory, ignored);
    return;
  }
  const fs::path folder = directory / fs::path{generator_folder}.parent_path();
  const auto remove_from = [&](const fs::path& place) {
    if (fs::is_symlink(place, ignored)) return;
    for (const std::string_view name : model_file_names())
      for (const char* ending : {"", ".next", ".next.writing"})
        if (const std::string file = std::string{name} + ending; file != training_file)
          fs::remove(place / file, ignored);
  };
  remove_from(folder);
  remove_from(directory);
  fs::remove(folder, ignored);  // where it is empty
  for (const char* list : {"files.next", "files.next.writing"}) fs::remove(directory / list, ignored);
  fs::remove(directory / training_file, ignored);  // the last one: until then it is known to be a run
  fs::remove(directory, ignored);
}
SavedRun load_run(const fs::path& directory) { return load<nn::Bert>(directory); }
ElectraSavedRun load_electra_run(const fs::path& directory) { return load<nn::Electra>(directory); }
CausalSavedRun load_causal_run(const fs::path& directory) { return load<nn::Gpt2>(directory); }

}  // namespace octet::train
