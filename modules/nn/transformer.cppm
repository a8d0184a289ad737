/// Transformers of the published kinds, by name or by sizes: BERT, ELECTRA, ALBERT and GPT-2.
export module octet.nn:transformer;
import octet.base;
import octet.standard;

export namespace octet::nn {

/// What is built around the layers.
enum class TransformerKind : std::uint8_t {
  bert,     ///< masked language modelling (Devlin et al. 2018)
  electra,  ///< a small generator fills masks in, and every token is judged (Clark et al. 2020)
  albert,   ///< one layer's weights for all layers, embeddings of a size of their own (Lan et al. 2019)
  gpt2,     ///< the next token is guessed at every position (Radford et al. 2019)
};

/// Sizes of a transformer.
struct TransformerConfig {
  TransformerKind kind = TransformerKind::bert;
  std::int64_t layers = 12, hidden = 768, heads = 12, intermediate = 3072;
  std::int64_t vocabulary = 30522;
  std::int64_t embedding = 768;       ///< of the words, projected to `hidden` where it differs; GPT-2's is `hidden`
  std::int64_t positions = 512;       ///< the longest sequence
  std::int64_t generator_hidden = 0;  ///< ELECTRA: of the generator, which has as many layers
  friend bool operator==(const TransformerConfig&, const TransformerConfig&) = default;
};

struct PublishedTransformer {
  std::string_view name;  ///< `bert-large`
  TransformerConfig config;
};
/// The models that are known by name, with the sizes of their papers.
std::span<const PublishedTransformer> published_transformers();

/// The sizes of the model called `name`. Throws X717 with the nearest names where there is none.
TransformerConfig published_transformer(std::string_view name);

/// With more layers, or a larger size, it is no model.
inline constexpr std::int64_t most_layers = 4096, largest_size = std::int64_t{1} << 24;

/// Of the numbers of heads that share a hidden size equally, the nearest to `heads`, the larger of two; `heads` itself
/// where no model has such sizes.
std::int64_t shared_by(std::int64_t hidden, std::int64_t heads);

/// Throws X717 where sizes are below 1 or too large to be a model, heads do not divide the hidden size, or the
/// generator does not fit the kind.
void validate(const TransformerConfig& config);

/// Throws X401 where sequences of `length` tokens are longer than `config` has positions for.
void require_positions(const TransformerConfig& config, std::int64_t length);

/// Numbers that are trained.
double parameter_count(const TransformerConfig& config);

}  // namespace octet::nn

namespace octet::nn {

/// Of the parameters, those whose gradients are complete before the backward pass comes to the first layer: of the
/// layers after it, which ALBERT's all are not, and of the head, but for the word embeddings.
double early_parameter_count(const TransformerConfig& config);

/// ELECTRA: the intermediate size of the generator, in the discriminator's ratio to the hidden size.
std::int64_t generator_intermediate(const TransformerConfig& config);

}  // namespace octet::nn
