module octet.train;
import octet.base;
import octet.nn;
import octet.standard;
import :json_fields;
import :transformer_json;

namespace octet::train {

nn::TransformerConfig parse_transformer_config(std::string_view text, const std::string& name) {
  using enum nn::TransformerKind;
  const text::JsonDocument json = parse_json(text, name);
  const JsonFields fields{json.root(), name};
  std::string kind;
  fields.read("model_type", kind);
  nn::TransformerConfig config;
  const auto known = [&](const char* key, std::int64_t& size) { fields.read(key, size); };
  if (kind == "gpt2") {
    config = nn::published_transformer("gpt2");
    known("n_layer", config.layers);
    known("n_embd", config.hidden);
    known("n_head", config.heads);
    known("n_positions", config.positions);
    config.intermediate = 4 * std::min<std::int64_t>(config.hidden, std::int64_t{1} << 40);
    known("n_inner", config.intermediate);
    config.embedding = config.hidden;
  } else if (kind == "bert" || kind == "roberta" || kind == "electra" || kind == "albert") {
    config = kind == "electra"  ? nn::published_transformer("electra-small")
             : kind == "albert" ? nn::published_transformer("albert-xxlarge")
                                : nn::published_transformer("bert-base");
    known("num_hidden_layers", config.layers);
    known("hidden_size", config.hidden);
    known("num_attention_heads", config.heads);
    known("intermediate_size", config.intermediate);
    known("max_position_embeddings", config.positions);
    if (kind == "electra" || kind == "albert")
      known("embedding_size", config.embedding);
    else
      config.embedding = config.hidden;
    // RoBERTa counts positions from two on: the first two stand for padding, and hold no token.
    if (kind == "roberta") config.positions = std::max<std::int64_t>(1, config.positions - 2);
    // The file describes the discriminator; the papers' generators are a quarter of a small one and a third of a base
    // one.
    if (kind == "electra")
      config.generator_hidden = std::max<std::int64_t>(1, config.hidden / (config.hidden == 768 ? 3 : 4));
  } else {
    fail({.number = 717,
          .sentence = kind.empty() ? name + " names no \"model_type\"."
                                   : "The \"model_type\" of " + name + " is " + shown(kind) + ".",
          .where = {name, 0, ""},
          .fix = {"give the config.json of a bert, roberta, electra, albert or gpt2"}});
  }
  known("vocab_size", config.vocabulary);
  nn::validate(config);
  return config;
}

}  // namespace octet::train
