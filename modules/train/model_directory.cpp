module octet.train;
import octet.base;
import octet.nn;
import octet.standard;
import octet.text;
import :file_set;
import :json_fields;
import :model_directory;
import :training_json;

namespace octet::train {

namespace fs = std::filesystem;

namespace {

constexpr const char* purposes[] = {"a BERT, which fills blanks: octet fill",
                                    "an ELECTRA's generator, which fills blanks: octet fill",
                                    "an ELECTRA's discriminator, which judges tokens: octet detect",
                                    "a GPT-2, which goes on with a text: octet continue"};

/// An option of a tokenizer, and its key in each of the files that tell it; null where one does not.
struct ToldOption {
  const char *config, *whole, *record;
  std::string value;
};

std::vector<ToldOption> told(const text::WordPieceOptions& options) {
  const auto flag = [](bool value) { return std::string{value ? "true" : "false"}; };
  const text::CleanUp& clean = options.clean_up;
  return {{"do_lower_case", "lowercase", "lowercase", flag(clean.lowercase)},
          {"strip_accents", "strip_accents", "strip_accents", flag(clean.strips_accents())},
          {"clean_text", "clean_text", nullptr, flag(clean.clean_text)},
          {"tokenize_chinese_chars", "handle_chinese_chars", nullptr, flag(clean.handle_chinese_chars)},
          {"wordpieces_prefix", "continuing_subword_prefix", nullptr, json_string(options.wordpieces_prefix)},
          {"max_input_chars_per_word", "max_input_chars_per_word", nullptr,
           std::to_string(options.max_characters_per_word)}};
}

/// Where an option is told, and as what.
struct Telling {
  std::string file;
  const char* ToldOption::* key;
  text::WordPieceOptions options;
};

/// Throws X710 where the two do not tell the same. `fix` gets what the first is to say.
void require_alike(const Telling& one, const Telling& other, auto&& fix) {
  const std::vector<ToldOption> ones = told(one.options), others = told(other.options);
  for (std::size_t i = 0; i < ones.size(); ++i) {
    if (ones[i].value == others[i].value) continue;
    const auto said = [](const char* key, const std::string& value) { return json_string(key) + ": " + value; };
    const char* const key = ones[i].*one.key;
    fail({.number = 710,
          .sentence = one.file + " means " + said(key, ones[i].value) + ", and " + other.file + " " +
                      said(others[i].*other.key, others[i].value) + ".",
          .where = {one.file, 0, ""},
          .rule = "The words of a model mean something only in a text that is cleaned up as theirs was.",
          .fix = fix(said(key, others[i].value))});
  }
}

/// How the lines of a run were cleaned up before words were learned from them.
text::WordPieceOptions as_recorded(text::WordPieceOptions options, const TrainOptions& record) {
  options.clean_up.lowercase = record.lowercase;
  options.clean_up.strip_accents = record.strip_accents;
  return options;
}

/// Whether the words were learned from the run's own lines: those of data were there before.
bool has_own_words(const TrainingRecord& record) { return record.position.empty(); }

}  // namespace

std::string WordPieceFiles::hash(const text::WordPiece& tokenizer) {
  std::string all;
  for (const std::string& piece : tokenizer.vocabulary().pieces()) all += piece + "\n";
  return hash_of(all);
}

text::WordPiece WordPieceFiles::tokenizer(const ModelDirectory& from) {
  const fs::path place = from.place();
  text::WordPiece tokenizer = text::load_wordpiece(place, from.reader());
  const ModelDirectory run{from.directory};
  if (!run.has(training_file)) return tokenizer;
  const bool has_config = from.has(tokenizer_file), has_whole = from.has(tokenizer_json_file);
  if (has_config && has_whole) {
    const std::string whole = from.name(tokenizer_json_file);
    const text::WordPieceOptions by_config =
        text::parse_wordpiece(tokenizer.vocabulary().to_text(), from.read(tokenizer_file), place.string()).options();
    require_alike({from.name(tokenizer_file), &ToldOption::config, by_config},
                  {whole, &ToldOption::whole, text::parse_wordpiece_options(from.read(tokenizer_json_file), whole)},
                  [](const std::string&) {
                    return std::vector<std::string>{"correct the one that was changed", "copy both files anew"};
                  });
  }
  if (has_config || has_whole) return tokenizer;
  const TrainingRecord record = parse_training(run.read(training_file), run.name(training_file));
  if (!has_own_words(record)) return tokenizer;
  return text::WordPiece{tokenizer.vocabulary(), as_recorded(tokenizer.options(), record.options)};
}

void require_clean_up(const ModelDirectory& from, const text::WordPiece& tokenizer, const TrainingRecord& record) {
  if (!has_own_words(record)) return;
  const bool by_config = from.has(tokenizer_file);
  require_alike({from.name(by_config ? tokenizer_file : tokenizer_json_file),
                 by_config ? &ToldOption::config : &ToldOption::whole, tokenizer.options()},
                {ModelDirectory{from.directory}.name(training_file), &ToldOption::record,
                 as_recorded(tokenizer.options(), record.options)},
                [](const std::string& right) {
                  return std::vector<std::string>{"make it " + right + ", as when the run was begun",
                                                  "begin a new run in another directory"};
                });
}

std::span<const std::string_view> model_file_names() {
  static constexpr std::string_view names[] = {config_file,          model_file,  vocabulary_file,
                                               vocabulary_json_file, merges_file, tokenizer_json_file,
                                               tokenizer_file,       state_file,  training_file};
  return names;
}

std::string hash_of(std::string_view bytes) { return Hasher{}.add(bytes).text(); }

fs::path ModelDirectory::place() const {
  return folder.empty() ? directory : directory / folder.substr(0, folder.size() - 1);
}
bool ModelDirectory::has(const char* name) const { return has_current(directory, folder + name); }
std::string ModelDirectory::read(const char* name) const { return read_current(directory, folder + name); }
text::DirectoryReader ModelDirectory::reader() const {
  return [here = *this](const char* name) { return here.has(name) ? std::optional{here.read(name)} : std::nullopt; };
}

std::string tokenizer_config(const text::WordPiece& tokenizer, std::int64_t positions) {
  std::string text = text::tokenizer_config_text(tokenizer);
  return text.insert(text.rfind("\n}"), ",\n  \"model_max_length\": " + std::to_string(positions));
}

std::string tokenizer_config(const text::Bpe& tokenizer, std::int64_t positions) {
  JsonObject json;
  json.add("tokenizer_class", "GPT2Tokenizer");
  json.add("add_prefix_space", tokenizer.options().add_prefix_space);
  json.add("model_max_length", positions);
  // Without a value transformers would add <|endoftext|> to the vocabulary.
  for (const char* token : {"bos_token", "eos_token", "unk_token"})
    json.written(token, tokenizer.id(end_of_text) ? text::json_string(end_of_text) : "null");
  return json.text();
}

std::optional<std::int32_t> end_of(const ModelDirectory& from, const text::Bpe& tokenizer) {
  constexpr const char* key = "eos_token_id";
  for (const char* name : {generation_file, config_file}) {
    if (!from.has(name)) continue;
    const text::JsonDocument json = parse_json(from.read(name), from.name(name));
    if (!json.root().find(key)) continue;  // nor is null an id
    const JsonFields fields{json.root(), from.name(name)};
    std::int64_t id = 0;
    fields.read(key, id);
    if (id < 0 || static_cast<std::size_t>(id) >= tokenizer.size()) fields.wrong(key, "the id of a piece");
    return static_cast<std::int32_t>(id);
  }
  return tokenizer.id(end_of_text);
}

void no_model(const fs::path& directory, const std::string& sentence, std::vector<std::string> fix) {
  fail({.number = 714, .sentence = sentence, .where = {directory.string(), 0, ""}, .fix = std::move(fix)});
}

Kind kind_of(const ModelDirectory& from) {
  const text::JsonDocument config = parse_json(from.read(config_file), from.name(config_file));
  const auto type = config.root().find("model_type");
  if (!type) return Kind::other;
  if (type->text() == "bert") return Kind::bert;
  if (type->text() == "gpt2") return Kind::gpt2;
  if (type->text() != "electra") return Kind::other;
  if (const auto architectures = config.root().find("architectures"); architectures) {
    for (const text::JsonValue& each : architectures->items())
      if (each.text() == "ElectraForMaskedLM") return Kind::generator;
    return Kind::discriminator;
  }
  // A configuration that does not tell: the heads do.
  if (!from.has(model_file)) return Kind::discriminator;
  const Safetensors tensors = parse_safetensors(from.read(model_file), from.name(model_file));
  const bool guesses = std::ranges::any_of(
      tensors.tensors, [](const NamedTensor& each) { return each.name.starts_with("generator_predictions."); });
  return guesses ? Kind::generator : Kind::discriminator;
}

ModelDirectory filling_directory(const fs::path& directory) {
  const ModelDirectory here{directory}, generator{directory, generator_folder};
  const fs::path plain = (directory / "").lexically_normal().parent_path();  // without a slash at its end
  const ModelDirectory whole{plain.parent_path(), generator_folder};
  if (plain.filename() / "" == fs::path{generator_folder} && is_replaced_with(whole.directory, generator_folder))
    return whole;
  if (here.has(config_file) && generator.has(config_file) && kind_of(here) == Kind::discriminator) return generator;
  return here;
}

const char* option_of(Kind kind) {
  switch (kind) {
    case Kind::discriminator:
      return "add --kind electra";
    case Kind::gpt2:
      return "add --kind causal";
    default:
      return "leave --kind out";
  }
}

void refuse_kind(const ModelDirectory& from, Kind kind, const char* fix) {
  const std::string place = from.place().string();
  fail({.number = 737,
        .sentence = "The directory '" + place + "' holds " + purposes[static_cast<std::size_t>(kind)] + ".",
        .where = {place, 0, ""},
        .fix = fix ? std::vector<std::string>{fix} : std::vector<std::string>{}});
}

void require_directory(const ModelDirectory& from) {
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
}

void require_files(const ModelDirectory& from, std::vector<const char*> names) {
  names.insert(names.begin(), {config_file, model_file});
  std::string missing;
  for (const char* name : names)
    if (!from.has(name)) missing += (missing.empty() ? "" : " and no ") + std::string{name};
  if (missing.empty()) return;
  std::vector<std::string> fix;
  if (!from.has(model_file)) {
    if (from.has("model.safetensors.index.json"))
      fix.push_back("save the model in one file: model.save_pretrained(directory, max_shard_size=\"100GB\")");
    else if (from.has("pytorch_model.bin"))
      fix.push_back("save the model as safetensors: model.save_pretrained(directory, safe_serialization=True)");
  }
  no_model(from.place(), "The directory '" + from.place().string() + "' has no " + missing + ".", std::move(fix));
}

}  // namespace octet::train
