module octet.train;
import octet.base;
import octet.nn;
import octet.standard;
import :json_fields;

namespace octet::train {

namespace {

constexpr const char *bert = "bert", *electra = "electra";

// A model of another kind than Octet has: not a broken file.
[[noreturn]] void other_model(const std::string& name, const std::string& what) {
  fail({.number = 714,
        .sentence = name + " describes a model that Octet does not have: " + what + ".",
        .where = {name, 0, ""},
        .rule =
            "Octet reads BERT and ELECTRA: absolute positions, an encoder, exact gelu, the decoder tied to the word "
            "embeddings.",
        .fix = {"give the directory that octet train --out wrote",
                "give a directory with a BertForMaskedLM, or with an ElectraForMaskedLM or ElectraForPreTraining"}});
}

// The sizes of a BERT, by their keys; where one is missing, transformers' own default holds.
constexpr std::pair<const char*, std::int64_t nn::BertConfig::*> sizes[] = {
    {"vocab_size", &nn::BertConfig::vocabulary},          {"hidden_size", &nn::BertConfig::hidden},
    {"num_hidden_layers", &nn::BertConfig::layers},       {"num_attention_heads", &nn::BertConfig::heads},
    {"intermediate_size", &nn::BertConfig::intermediate}, {"max_position_embeddings", &nn::BertConfig::positions},
    {"type_vocab_size", &nn::BertConfig::segments}};

constexpr std::pair<const char*, double nn::DropoutRates::*> dropout_keys[] = {
    {"hidden_dropout_prob", &nn::DropoutRates::hidden}, {"attention_probs_dropout_prob", &nn::DropoutRates::attention}};

constexpr nn::BertConfig bert_base{
    .vocabulary = 30522, .hidden = 768, .layers = 12, .heads = 12, .intermediate = 3072, .positions = 512};
constexpr nn::BertConfig electra_small{.vocabulary = 30522,
                                       .hidden = 256,
                                       .layers = 12,
                                       .heads = 4,
                                       .intermediate = 1024,
                                       .positions = 512,
                                       .embedding = 128};
constexpr const char* embedding_size = "embedding_size";  // an ELECTRA has one more

std::string text_of(const nn::BertConfig& config, const std::string& architecture, const char* kind) {
  JsonObject json;
  json.written("architectures", "[\"" + architecture + "\"]");
  json.add("model_type", kind);
  if (kind == electra) json.add(embedding_size, config.embedding_width());
  for (const auto& [key, size] : sizes) json.add(key, config.*size);
  json.add("layer_norm_eps", config.layer_norm_epsilon);
  json.add("hidden_act", "gelu");
  json.add("position_embedding_type", "absolute");
  for (const auto& [key, rate] : dropout_keys) json.add(key, config.dropout.*rate);
  json.add("initializer_range", 0.02);
  json.add("pad_token_id", std::int64_t{0});
  json.add("tie_word_embeddings", true);
  json.add("torch_dtype", "float32");
  return json.text();
}

}  // namespace

std::string config_text(const nn::BertConfig& config) {
  if (config.embedding_width() != config.hidden)
    fail([&] {
      return Diagnostic{
          .number = 714,
          .sentence = "A BERT's embeddings are as wide as its hidden size, " + std::to_string(config.hidden) +
                      ", and not " + std::to_string(config.embedding_width()) + ".",
          .fix = {"train an ELECTRA's generator with its discriminator, as an nn::Electra"}};
    });
  return text_of(config, config.next_sentence ? "BertForPreTraining" : "BertForMaskedLM", bert);
}
std::string generator_config_text(const nn::BertConfig& config) {
  return text_of(config, "ElectraForMaskedLM", electra);
}
std::string discriminator_config_text(const nn::BertConfig& config) {
  return text_of(config, "ElectraForPreTraining", electra);
}

nn::BertConfig parse_config(std::string_view text, const std::string& name) {
  const text::JsonDocument json = parse_json(text, name);
  const JsonFields fields{json.root(), name};

  std::string kind;
  if (!fields.read("model_type", kind)) other_model(name, "it names no \"model_type\"");
  if (kind != bert && kind != electra)
    other_model(name, "its \"model_type\" is " + shown(kind) + ", not \"bert\" or \"electra\"");
  for (const auto& [key, only] : {std::pair{"hidden_act", "gelu"}, {"position_embedding_type", "absolute"}}) {
    std::string value = only;
    fields.read(key, value);
    if (value != only)
      other_model(name, "its \"" + std::string{key} + "\" is " + shown(value) + ", not \"" + only + "\"");
  }
  bool tied = true, decoder = false;
  fields.read("tie_word_embeddings", tied);
  fields.read("is_decoder", decoder);
  if (!tied) other_model(name, "its decoder is not tied to the word embeddings");
  if (decoder) other_model(name, "it is a decoder");

  nn::BertConfig config = kind == bert ? bert_base : electra_small;
  const auto read = [&](const char* key, std::int64_t& size) {
    fields.read(key, size);
    if (size < 1 || size > std::numeric_limits<std::int32_t>::max()) fields.wrong(key, "a size of at least 1");
  };
  for (const auto& [key, size] : sizes) read(key, config.*size);
  if (kind == electra) read(embedding_size, config.embedding);
  if (const auto architectures = json.root().find("architectures"))
    for (const text::JsonValue& each : architectures->items())
      config.next_sentence |= each.text() == "BertForPreTraining";
  for (const auto& [key, rate] : dropout_keys) fields.read_rate(key, config.dropout.*rate);
  fields.read("layer_norm_eps", config.layer_norm_epsilon);
  if (!(config.layer_norm_epsilon >= 0) || !std::isfinite(config.layer_norm_epsilon))
    fields.wrong("layer_norm_eps", "a number of at least 0");
  if (config.hidden % config.heads != 0)
    malformed(name, "The hidden size of " + name + ", " + std::to_string(config.hidden) +
                        ", cannot be shared equally by " + std::to_string(config.heads) + " attention heads.");
  return config;
}

}  // namespace octet::train
