module octet.train;
import octet.base;
import octet.nn;
import octet.standard;
import :checkpoint;
import :json_fields;

namespace octet::train {

namespace {

// A model of another kind than Octet has: not a broken file.
[[noreturn]] void other_model(const std::string& name, const std::string& what) {
  fail({.number = 714,
        .sentence = name + " describes a model that Octet does not have: " + what + ".",
        .where = {name, 0, ""},
        .rule = "Octet reads GPT-2: gelu_new, scores scaled by the root of the heads' width, the decoder tied to the "
                "word embeddings.",
        .fix = {"give the directory that octet train --kind causal --out wrote",
                "give a directory with a GPT2LMHeadModel"}});
}

// The sizes of a GPT-2, by their keys; where one is missing, transformers' own default holds.
constexpr std::pair<const char*, std::int64_t nn::Gpt2Config::*> sizes[] = {
    {"vocab_size", &nn::Gpt2Config::vocabulary}, {"n_positions", &nn::Gpt2Config::positions},
    {"n_embd", &nn::Gpt2Config::hidden},         {"n_layer", &nn::Gpt2Config::layers},
    {"n_head", &nn::Gpt2Config::heads},          {"n_inner", &nn::Gpt2Config::intermediate}};

constexpr nn::Gpt2Config gpt2_base{
    .vocabulary = 50257, .hidden = 768, .layers = 12, .heads = 12, .intermediate = 3072, .positions = 1024};

}  // namespace

std::string config_text(const nn::Gpt2Config& config, std::optional<std::int32_t> end) {
  JsonObject json;
  json.written("architectures", "[\"GPT2LMHeadModel\"]");
  json.add("model_type", "gpt2");
  for (const auto& [key, size] : sizes) json.add(key, config.*size);
  // Where a key is missing, transformers takes 50256, which small vocabularies do not have.
  for (const char* key : {"bos_token_id", "eos_token_id"}) json.written(key, end ? std::to_string(*end) : "null");
  json.add("layer_norm_epsilon", config.layer_norm_epsilon);
  json.add("activation_function", "gelu_new");
  json.add("scale_attn_weights", true);
  json.add("attn_pdrop", config.dropout.attention);
  json.add("embd_pdrop", config.dropout.hidden);
  json.add("resid_pdrop", config.dropout.hidden);
  json.add("initializer_range", 0.02);
  json.add("tie_word_embeddings", true);
  json.add("torch_dtype", "float32");
  return json.text();
}

nn::Gpt2Config parse_gpt2_config(std::string_view text, const std::string& name) {
  const text::JsonDocument json = parse_json(text, name);
  const JsonFields fields{json.root(), name};
  std::string kind, activation = "gelu_new";
  if (!fields.read("model_type", kind)) other_model(name, "it names no \"model_type\"");
  if (kind != "gpt2") other_model(name, "its \"model_type\" is " + shown(kind) + ", not \"gpt2\"");
  fields.read("activation_function", activation);
  if (activation != "gelu_new")
    other_model(name, "its \"activation_function\" is " + shown(activation) + ", not \"gelu_new\"");
  bool tied = true, scaled = true, by_layer = false;
  fields.read("tie_word_embeddings", tied);
  fields.read("scale_attn_weights", scaled);
  fields.read("scale_attn_by_inverse_layer_idx", by_layer);
  if (!tied) other_model(name, "its decoder is not tied to the word embeddings");
  if (!scaled || by_layer) other_model(name, "its attention scales scores in another way");

  nn::Gpt2Config config = gpt2_base;
  for (const auto& [key, size] : sizes) {
    if (size == &nn::Gpt2Config::intermediate) config.intermediate = 4 * config.hidden;  // where it is not named
    fields.read(key, config.*size);
    if (config.*size < 1 || config.*size > std::numeric_limits<std::int32_t>::max())
      fields.wrong(key, "a size of at least 1");
  }
  fields.read_rate("attn_pdrop", config.dropout.attention);
  fields.read_rate("resid_pdrop", config.dropout.hidden);
  fields.read("layer_norm_epsilon", config.layer_norm_epsilon);
  if (!(config.layer_norm_epsilon >= 0) || !std::isfinite(config.layer_norm_epsilon))
    fields.wrong("layer_norm_epsilon", "a number of at least 0");
  if (config.hidden % config.heads != 0)
    malformed(name, "The hidden size of " + name + ", " + std::to_string(config.hidden) +
                        ", cannot be shared equally by " + std::to_string(config.heads) + " attention heads.");
  return config;
}

}  // namespace octet::train
