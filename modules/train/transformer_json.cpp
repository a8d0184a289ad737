module octet.train;
import octet.base;
import octet.nn;
import octet.standard;
import :json_fields;
import :transformer_json;

namespace octet::train {

namespace {

[[noreturn]] void not_modelled(const std::string& name, const std::string& what, std::vector<std::string> fix) {
  fail({.number = 717, .sentence = name + " " + what, .where = {name, 0, ""}, .fix = std::move(fix)});
}

/// Throws X717 for what the file says and an estimate knows nothing of.
void require_modelled(const JsonFields& fields, const std::string& name) {
  const std::string sizes = "give --architecture and the sizes instead, for a model that is near it";
  for (const char* key : {"num_hidden_groups", "inner_group_num"})
    if (std::int64_t groups = 1; fields.read(key, groups) && groups != 1)
      not_modelled(name,
                   "has \"" + std::string{key} + "\": " + std::to_string(groups) +
                       ", and layers are estimated that share all weights.",
                   {"set it to 1, or " + sizes});
  if (bool tied = true; fields.read("tie_word_embeddings", tied) && !tied)
    not_modelled(name, "has word embeddings of which the head has a table of its own, and they are estimated as one.",
                 {"set \"tie_word_embeddings\" to true for an estimate without that table"});
  for (const char* key : {"is_decoder", "add_cross_attention"})
    if (bool decodes = false; fields.read(key, decodes) && decodes)
      not_modelled(name, "has \"" + std::string{key} + "\": true, and no decoder of that kind is estimated.",
                   {"for a decoder without an encoder, give the config.json of a gpt2", sizes});
  if (std::string positions = "absolute"; fields.read("position_embedding_type", positions) && positions != "absolute")
    not_modelled(name, "has positions that are " + shown(positions) + ", and absolute ones are estimated.",
                 {"set \"position_embedding_type\" to \"absolute\" for an estimate without them"});
  constexpr std::int64_t most_segments = 64;
  if (std::int64_t segments = 2; fields.read("type_vocab_size", segments) && (segments < 1 || segments > most_segments))
    not_modelled(name,
                 "has \"type_vocab_size\": " + std::to_string(segments) + ", which are no segments of an example.",
                 {"give 1 to " + std::to_string(most_segments) + ", such as 2"});
}

}  // namespace

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
  require_modelled(fields, name);
  known("vocab_size", config.vocabulary);
  nn::validate(config);
  return config;
}

nn::DropoutRates parse_dropout_rates(std::string_view text, const std::string& name) {
  const text::JsonDocument json = parse_json(text, name);
  const JsonFields fields{json.root(), name};
  nn::DropoutRates rates{.hidden = 0.1, .attention = 0.1};
  for (const char* key : {"hidden_dropout_prob", "resid_pdrop"}) fields.read_rate(key, rates.hidden);
  for (const char* key : {"attention_probs_dropout_prob", "attn_pdrop"}) fields.read_rate(key, rates.attention);
  return rates;
}

}  // namespace octet::train
