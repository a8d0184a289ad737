module octet.train;
import octet.base;
import octet.data;
import octet.graph;
import octet.standard;
import :json_fields;
import :model_directory;
import :training_json;

namespace octet::train {

namespace {

constexpr std::int64_t format_version = 1;

// The words of an enumeration, in the order of its values.
constexpr const char* words_of(Precision, std::size_t value) {
  constexpr const char* words[] = {"bf16", "f32"};
  return value < std::size(words) ? words[value] : nullptr;
}
constexpr const char* words_of(data::Packing, std::size_t value) {
  constexpr const char* words[] = {"none", "lines"};
  return value < std::size(words) ? words[value] : nullptr;
}
constexpr const char* words_of(data::Padding::Kind, std::size_t value) {
  constexpr const char* words[] = {"max_length", "longest", "multiple_of", "lengths", "doubling_then_linear"};
  return value < std::size(words) ? words[value] : nullptr;
}

// Every option with its key: a new option needs a line here.
void for_each_option(auto& options, auto&& visit) {
  visit("steps", options.steps);
  visit("seed", options.seed);
  visit("slice", options.slice);
  visit("precision", options.precision);
  visit("passes", options.passes);
  visit("activations", options.activations);
  visit("parameters", options.parameters);
  visit("layers", options.layers);
  visit("hidden", options.hidden);
  visit("heads", options.heads);
  visit("intermediate", options.intermediate);
  visit("seq", options.seq);
  visit("batch", options.batch);
  visit("accumulate", options.accumulate);
  visit("pad_batch", options.pad_batch);
  visit("vocab_size", options.vocab_size);
  visit("learning_rate", options.learning_rate);
  visit("warmup_steps", options.warmup_steps);
  visit("weight_decay", options.weight_decay);
  visit("epsilon", options.epsilon);
  visit("clip_norm", options.clip_norm);
  visit("lowercase", options.lowercase);
  visit("strip_accents", options.strip_accents);
  visit("mask_probability", options.masking.probability);
  visit("replaced_by_mask", options.masking.replaced_by_mask);
  visit("replaced_by_random", options.masking.replaced_by_random);
  visit("packing", options.packing);
  visit("padding", options.padding.kind);
  visit("padding_multiple", options.padding.multiple);
  visit("padding_lengths", options.padding.lengths);
  visit("fitted_programs", options.fitted_programs);
  visit("held_out_one_in", options.held_out_one_in);
  visit("check_replicas", options.check_replicas);
  visit("max_predictions", options.max_predictions);
  visit("next_sentence", options.next_sentence);
  visit("short_seq_prob", options.short_seq_prob);
  visit("whole_word_mask", options.whole_word_mask);
  visit("window", options.window);
  visit("shard_optimizer", options.shard_optimizer);
  visit("gradient_checkpointing", options.gradient_checkpointing);
  visit("generator_size", options.generator_size);
  visit("discriminator_weight", options.discriminator_weight);
  visit("dropout", options.dropout);
  visit("attention_dropout", options.attention_dropout);
  visit("positions", options.positions);
  visit("embedding", options.embedding);
  visit("embedding_rows", options.embedding_rows);
}

/// Whether runs were saved before there was such an option; they had its default.
bool is_newer(std::string_view key) {
  constexpr std::string_view newer[] = {"accumulate",      "pad_batch",         "passes",
                                        "fitted_programs", "max_predictions",   "next_sentence",
                                        "short_seq_prob",  "whole_word_mask",   "window",
                                        "shard_optimizer", "generator_size",    "discriminator_weight",
                                        "dropout",         "attention_dropout", "positions",
                                        "embedding",       "embedding_rows",    "gradient_checkpointing"};
  return std::find(std::begin(newer), std::end(newer), key) != std::end(newer);
}

/// f32 or bf16; f32 where a run was saved before there was a choice.
void read_storage(const JsonFields& fields, const char* key, DType& value) {
  std::string word{name(DType::f32)};
  fields.read(key, word);
  if (word != name(DType::f32) && word != name(DType::bf16)) fields.wrong(key, "f32 or bf16");
  value = word == name(DType::bf16) ? DType::bf16 : DType::f32;
}

template <class T>
void require_word(const JsonFields& fields, const char* key, T& value) {
  std::string word, known;
  fields.require(key, word);
  for (std::size_t i = 0; const char* each = words_of(T{}, i); ++i) {
    if (word == each) {
      value = static_cast<T>(i);
      return;
    }
    known += (i ? ", " : "") + std::string{each};
  }
  fields.wrong(key, "one of " + known);
}

/// The last key: the hash of all that stands before it.
constexpr const char* own_hash_key = "record_hash";
std::string own_hash(std::string_view text) {
  return hash_of(text.substr(0, text.rfind('"' + std::string{own_hash_key} + '"')));
}

}  // namespace

std::string training_text(const TrainingRecord& record) {
  JsonObject json;
  json.add("octet_training", format_version);
  json.add("step", record.step);
  json.add("text_hash", record.text_hash);
  json.add("model_hash", record.model_hash);
  if (!record.generator_hash.empty()) json.add("generator_hash", record.generator_hash);
  json.add("training_hash", record.training_hash);
  for_each_option(record.options, [&](const char* key, const auto& value) {
    using T = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_same_v<T, DType>)
      json.add(key, std::string{name(value)});
    else if constexpr (std::is_enum_v<T>)
      json.add(key, words_of(value, static_cast<std::size_t>(value)));
    else
      json.add(key, value);
  });
  if (!record.position.empty()) json.add("position", record.position);
  JsonObject without = json;
  without.add(own_hash_key, "");
  json.add(own_hash_key, own_hash(without.text()));
  return json.text();
}

TrainingRecord parse_training(std::string_view text, const std::string& name) {
  const text::JsonDocument json = parse_json(text, name);
  const JsonFields fields{json.root(), name};
  std::int64_t version = 0;
  fields.require("octet_training", version);
  if (version != format_version)
    malformed(name, name + " is of version " + std::to_string(version) + "; this Octet reads version " +
                        std::to_string(format_version) + ".");
  TrainingRecord record;
  fields.require("step", record.step);
  if (record.step < 0) fields.wrong("step", "a number of steps");
  fields.require("text_hash", record.text_hash);
  fields.require("model_hash", record.model_hash);
  fields.read("generator_hash", record.generator_hash);
  fields.require("training_hash", record.training_hash);
  for_each_option(record.options, [&](const char* key, auto& value) {
    using T = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_same_v<T, DType>)
      read_storage(fields, key, value);
    else if constexpr (std::is_enum_v<T>)
      require_word(fields, key, value);
    else if (is_newer(key))
      fields.read(key, value);
    else
      fields.require(key, value);
  });
  fields.read("position", record.position);
  std::string hash;  // of runs that were saved before there was one, none
  fields.read(own_hash_key, hash);
  if (!hash.empty() && hash != own_hash(text))
    fail({.number = 715,
          .sentence = name + " is not as it was written.",
          .where = {name, 0, ""},
          .rule = "A run goes on to the same bits only as the run that it was.",
          .fix = {"copy the whole directory anew", "begin a new run in another directory",
                  "take training.json away, to use the model alone"}});
  return record;
}

}  // namespace octet::train
