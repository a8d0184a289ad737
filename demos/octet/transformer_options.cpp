#include "transformer_options.hpp"
#include "messages.hpp"
#include "output.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace nn = octet::nn;

bool TransformerOptions::given() const {
  return !model.empty() || !config.empty() || (sizes_given[0]->count() && sizes_given[1]->count());
}

std::string TransformerOptions::name() const {
  std::string name = !model.empty() ? model : config;
  if (name.empty()) return architecture;
  const long long sizes[] = {layers, hidden, heads, intermediate, embedding, vocabulary};
  const char* link = " with ";
  for (std::size_t i = 0; i < std::size(sizes); ++i)
    if (sizes_given[i]->count())
      name += std::exchange(link, " ") + sizes_given[i]->get_name() + " " + std::to_string(sizes[i]);
  return name;
}

std::string TransformerOptions::directory() const {
  std::error_code unknown;
  return std::filesystem::is_directory(model, unknown) ? model : "";
}

std::optional<nn::DropoutRates> dropout_of(const TransformerOptions& options) {
  const std::string file = options.config_file();
  if (file.empty()) return std::nullopt;
  return octet::train::parse_dropout_rates(octet::text::read_file(file), file);
}

std::string dropout_text(double hidden, double attention) {
  if (hidden == attention) return hidden == 0 ? "no dropout" : "dropout " + said_number(hidden);
  return "dropout " + said_number(hidden) + ", in attention " + said_number(attention);
}

nn::TransformerConfig sizes_of(const TransformerOptions& options, std::int64_t length) {
  nn::TransformerConfig config;
  const std::string directory = options.directory();
  const std::string file = options.config_file();
  if (!file.empty()) {
    const std::string text = octet::text::read_file(file);
    config = octet::train::parse_transformer_config(text, file);
    const octet::text::JsonDocument json{text, file, {.number = 715}};
    const auto architectures = json.root().find("architectures");
    const auto items = architectures ? architectures->items() : std::vector<octet::text::JsonValue>{};
    if (config.kind == nn::TransformerKind::bert &&
        std::ranges::any_of(items, [](const auto& each) { return each.text() == "BertForPreTraining"; }))
      note("note: the head that judges next-sentence pairs is not counted: " +
           counted(config.hidden * (config.hidden + 3) + 2, "parameter") + " more, and their products of one row.");
    // An ELECTRA that octet train saved has its generator beside it.
    const std::string generator = directory + "/generator/config.json";
    std::error_code unknown;
    if (config.kind == nn::TransformerKind::electra && !directory.empty() &&
        std::filesystem::exists(generator, unknown))
      config.generator_hidden =
          octet::train::parse_transformer_config(octet::text::read_file(generator), generator).hidden;
  } else if (!options.model.empty())
    config = nn::published_transformer(options.model);
  else {
    // Sizes alone: the papers' ratios, and the vocabulary of the architecture.
    using enum nn::TransformerKind;
    config.kind = options.architecture == "gpt2"      ? gpt2
                  : options.architecture == "albert"  ? albert
                  : options.architecture == "electra" ? electra
                                                      : bert;
    config.vocabulary = config.kind == gpt2 ? 50257 : config.kind == albert ? 30000 : 30522;
    config.hidden = options.hidden;
    config.heads = nn::shared_by(options.hidden, std::max<std::int64_t>(1, options.hidden / 64));
    config.intermediate = options.hidden <= (1 << 24) ? 4 * options.hidden : options.hidden;
    config.generator_hidden = std::max<std::int64_t>(1, options.hidden / 4);
    constexpr std::int64_t longest = 1 << 20;
    config.positions = std::max(config.positions, std::min(length, longest));
  }
  const bool keeps_embedding = config.embedding != config.hidden && (!options.model.empty() || !options.config.empty());
  std::int64_t* const members[] = {&config.layers,       &config.hidden,    &config.heads,
                                   &config.intermediate, &config.embedding, &config.vocabulary};
  const long long values[] = {options.layers,       options.hidden,    options.heads,
                              options.intermediate, options.embedding, options.vocabulary};
  const std::int64_t hidden = config.hidden;
  for (int i = 0; i < 6; ++i)
    if (options.sizes_given[i]->count()) *members[i] = values[i];
  // The generator keeps its share of the width.
  if (options.sizes_given[1]->count() && config.kind == nn::TransformerKind::electra && hidden > 0) {
    const double share = static_cast<double>(config.generator_hidden) / static_cast<double>(hidden);
    config.generator_hidden = std::max<std::int64_t>(1, std::llround(share * static_cast<double>(config.hidden)));
  }
  if (options.sizes_given[4]->count() && config.kind == nn::TransformerKind::gpt2)
    octet::fail(
        without_effect("--embedding", "for this model", "A GPT-2's word embeddings are as wide as its layers."));
  if (!options.sizes_given[4]->count() && !keeps_embedding) config.embedding = config.hidden;
  if (options.generator_given->count()) {
    if (config.kind != nn::TransformerKind::electra)
      octet::fail(without_effect("--generator-size", "for this model", "Only an ELECTRA has a generator."));
    if (!(options.generator_size > 0 && options.generator_size <= 1))
      refuse_option("--generator-size must be above 0 and at most 1.", "choose a share such as 0.25");
    nn::validate(config);
    config.generator_hidden =
        nn::electra_config({.hidden = config.hidden, .heads = config.heads, .intermediate = config.intermediate},
                           options.generator_size)
            .generator.hidden;
  }
  nn::validate(config);
  return config;
}

void add_transformer_options(CLI::App* sub, TransformerOptions& options) {
  std::string models;
  for (const auto& each : nn::published_transformers()) models += (models.empty() ? "" : ", ") + std::string{each.name};
  sub->add_option("--model", options.model, "a public model: " + models + "; or the directory of a saved one")
      ->take_last()
      ->type_name("NAME")
      ->group("Model");
  sub->add_option("--config", options.config, "sizes from a Hugging Face config.json")
      ->take_last()
      ->type_name("FILE")
      ->group("Model")
      ->excludes("--model");
  sub->add_option("--architecture", options.architecture, "the architecture, where only sizes are given")
      ->check(CLI::IsMember({"bert", "electra", "albert", "gpt2"}).description(""))
      ->capture_default_str()
      ->take_last()
      ->type_name("bert|electra|albert|gpt2")
      ->group("Model")
      ->excludes("--model")
      ->excludes("--config");
  const char* const sizes[] = {"--layers", "--hidden", "--heads", "--intermediate", "--embedding", "--vocab-size"};
  const char* const meanings[] = {"layers",
                                  "hidden size",
                                  "attention heads (nearest to hidden size / 64)",
                                  "size of the feed-forward networks (4 x hidden size)",
                                  "size of the word embeddings (hidden size)",
                                  "words of the vocabulary (the architecture's own)"};
  long long* const values[] = {&options.layers,       &options.hidden,    &options.heads,
                               &options.intermediate, &options.embedding, &options.vocabulary};
  for (int i = 0; i < 6; ++i)
    options.sizes_given[i] = sub->add_option(sizes[i], *values[i], meanings[i])->take_last()->group("Model");
  options.generator_given = sub->add_option("--generator-size", options.generator_size,
                                            "of an ELECTRA: the generator's width, as a share of the discriminator's")
                                ->take_last()
                                ->group("Model");
}

}  // namespace program
