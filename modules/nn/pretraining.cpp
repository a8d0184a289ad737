module octet.nn;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import octet.trace;
import :bert;
import :layers;
import :losses;
import :pretraining;
import :transformer;

namespace octet::nn {

namespace {

/// Embeddings and layers. Layers that share weights are one.
struct Encoder {
  std::optional<Linear> projection;  ///< [embedding, hidden]
  std::vector<EncoderLayer> layers;
};

struct Model {
  Embedding word, position;
  std::vector<Embedding> segment;  ///< one, or none
  LayerNorm embedding_norm;
  Encoder encoder;
  std::vector<Encoder> generator;  ///< ELECTRA's
  std::vector<MaskedLanguageModelHead> head;
  std::vector<Linear> judge;  ///< ELECTRA's two layers on each token
};

struct Batch {
  Array ids, segments, attention_mask;   ///< i32 [batch, seq]
  std::vector<Array> positions, labels;  ///< i32 [batch, predictions]; GPT-2 has labels alone
};

class Program {
 public:
  Program(const TransformerConfig& config, std::int64_t layers, const ProgramStyle& style)
      : config_{config}, layers_{layers}, style_{style} {}

  Model model() const {
    const bool shares = config_.kind == TransformerKind::albert, causal = config_.kind == TransformerKind::gpt2;
    const std::int64_t e = config_.embedding, h = config_.hidden, g = config_.generator_hidden;
    Model model{embedding(config_.vocabulary, e),
                embedding(config_.positions, e),
                {},
                layer_norm(causal ? h : e),
                {},
                {},
                {},
                {}};
    if (!causal) model.segment.push_back(embedding(2, e));
    const auto encoder = [&](std::int64_t hidden, std::int64_t heads, std::int64_t intermediate) {
      Encoder made;
      if (hidden != e) made.projection = linear(e, hidden);
      for (std::int64_t l = 0; l < (shares ? 1 : layers_); ++l)
        made.layers.push_back({self_attention(hidden, heads), layer_norm(hidden), linear(hidden, intermediate),
                               linear(intermediate, hidden), layer_norm(hidden)});
      return made;
    };
    model.encoder = encoder(h, config_.heads, config_.intermediate);
    const auto head = [&](std::int64_t hidden) {
      model.head.push_back({linear(hidden, e), layer_norm(e), parameter({DType::f32, Shape{config_.vocabulary}}, {})});
    };
    if (config_.kind == TransformerKind::electra) {
      const std::int64_t heads = generator_heads();
      model.generator.push_back(encoder(g, heads, generator_intermediate(config_)));
      head(g);
      model.judge = {linear(h, h), linear(h, 1)};
    } else if (!causal) {
      head(h);
    }
    return model;
  }

  Array loss(const Model& model, const Batch& batch) {
    if (style_.gradient_checkpointing && style_.keyed_bits)
      key_ = cast<std::uint32_t>(reshape(slice(batch.ids, {0, 0}, {1, 1}), {}));
    if (config_.kind == TransformerKind::gpt2) {
      const Array hidden = flat(model.embedding_norm(encode(model, model.encoder, batch)));
      return mean_loss(tied(hidden, model.word), batch.labels[0]);
    }
    if (config_.kind != TransformerKind::electra) return guess(model, encode(model, model.encoder, batch), batch);
    const Array guessed = guess(model, encode(model, model.generator[0], batch), batch);
    const Array hidden = encode(model, model.encoder, batch);
    const Array judged =
        reshape(model.judge[1](gelu_tanh(model.judge[0](hidden))), {batch.ids.extent(0), batch.ids.extent(1)});
    // The cross-entropy of two classes: log(1 + e^x) - x · replaced.
    return guessed + mean(log1p(exp(judged)) - judged * cast<float>(batch.segments)) * 50.0;
  }

 private:
  std::int64_t generator_heads() const {
    std::int64_t heads = std::max<std::int64_t>(1, config_.heads * config_.generator_hidden / config_.hidden);
    while (config_.generator_hidden % heads != 0) --heads;
    return heads;
  }

  static Array flat(const Array& x) { return reshape(x, {x.extent(0) * x.extent(1), x.extent(2)}); }
  static Array tied(const Array& x, const Embedding& word) {
    DotAttributes over_embedding;
    over_embedding.lhs_contracting_dimensions = over_embedding.rhs_contracting_dimensions = {1};
    return dot_general(x, word.table, over_embedding);
  }
  static Array mean_loss(const Array& logits, const Array& labels) {
    const SummedLoss loss = summed_cross_entropy(logits, reshape(labels, {labels.shape().elements()}));
    return loss.sum / maximum(loss.count, 1.0);
  }

  /// Each element is kept with probability 1 - rate.
  Array dropout(const Array& x) { return dropout(x, x.shape(), style_.dropout); }
  /// Elements that share one of `mask` are kept together.
  Array dropout(const Array& x, const Shape& mask, double rate) {
    if (rate <= 0) return x;
    const double keep = 1 - rate;
    const Array bits = style_.counter_based_dropout ? threefry_bits(mask) : generated_bits(mask);
    if (style_.float_masks) return x * (1 / keep) * floor(cast<float>(bits) * 0x1p-32 + keep);
    return select(bits >= static_cast<std::uint32_t>(rate * 4294967295.0), x * (1 / keep), 0.0);
  }

  /// A number for each use of random bits. Where gradients compute a layer again it follows from what the program is
  /// given, as a key does: of constants alone, the compiler would compute masks once, and keep them.
  Array stream(const Shape& shape) {
    const Array number = constant(Tensor::scalar(++streams_));
    return broadcast_to(key_.empty() ? number : number ^ key_, shape);
  }

  /// Twenty rounds of Threefry make two words, so a word takes ten.
  Array threefry_bits(const Shape& shape) {
    Array high = iota({DType::u32, shape}, 0), low = iota({DType::u32, shape}, shape.rank() - 1) ^ stream(shape);
    for (const int distance : {13, 15, 26, 6, 17, 29, 16, 24, 13, 15}) {
      high = high + low;
      low = ((low << distance) | (low >> (32 - distance))) ^ high;
    }
    return low;
  }

  /// Stands for the core's own generator: a few operations, of which no compiler may ask for the same bits twice.
  Array generated_bits(const Shape& shape) {
    return (iota({DType::u32, shape}, shape.rank() - 1) ^ stream(shape)) % 0xffff'fffbu;
  }

  Array words(const Embedding& table, const Array& ids) const {
    if (!style_.one_hot_embeddings) return table(ids);
    const std::int64_t vocabulary = table.table.extent(0);
    const Array column = iota({DType::i32, Shape{ids.extent(0), ids.extent(1), vocabulary}}, 2);
    return matmul(cast<float>(column == expand_dims(ids, 2)), table.table);
  }

  Array attention(const SelfAttention& layer, const Array& x, const Array& bias) {
    const std::int64_t batch = x.extent(0), seq = x.extent(1), hidden = x.extent(2), width = hidden / layer.heads;
    const auto split_heads = [&](const Array& y) { return reshape(y, {batch, seq, layer.heads, width}); };
    const Array q = split_heads(layer.query(x)), k = split_heads(layer.key(x)), v = split_heads(layer.value(x));
    DotAttributes over_width;
    over_width.lhs_batching_dimensions = over_width.rhs_batching_dimensions = {0, 2};
    over_width.lhs_contracting_dimensions = over_width.rhs_contracting_dimensions = {3};
    Array scores = dot_general(q, k, over_width) * (1.0 / std::sqrt(static_cast<double>(width)));
    if (config_.kind == TransformerKind::gpt2) {
      const TensorType index{DType::i32, scores.shape()};
      scores = select(iota(index, 3) <= iota(index, 2), scores, -1e9);
    } else {
      scores = scores + bias;
    }
    DotAttributes over_keys;
    over_keys.lhs_batching_dimensions = {0, 1};
    over_keys.rhs_batching_dimensions = {0, 2};
    over_keys.lhs_contracting_dimensions = {3};
    over_keys.rhs_contracting_dimensions = {1};
    const Shape mask = style_.shared_attention_masks ? Shape{1, 1, seq, seq} : scores.shape();
    const Array context =
        dot_general(dropout(softmax(scores), mask, style_.attention_dropout.value_or(style_.dropout)), v, over_keys);
    return layer.output(reshape(transpose(context, {0, 2, 1, 3}), {batch, seq, hidden}));
  }

  Array encode(const Model& model, const Encoder& encoder, const Batch& batch) {
    const std::int64_t rows = batch.ids.extent(0), seq = batch.ids.extent(1);
    const bool before = config_.kind == TransformerKind::gpt2;  // norms before each half instead of after
    Array x = words(model.word, batch.ids) + slice_in_dim(model.position.table, 0, seq, 0);
    for (const Embedding& segment : model.segment) {
      const Array is_second = expand_dims(cast<float>(batch.segments), 2);
      const Array first = slice_in_dim(segment.table, 0, 1, 0), second = slice_in_dim(segment.table, 1, 2, 0);
      x = x + first + is_second * (second - first);
    }
    if (!before) x = model.embedding_norm(x);
    x = dropout(x);
    if (encoder.projection) x = (*encoder.projection)(x);
    const Array keep = reshape(cast<float>(batch.attention_mask), {rows, 1, 1, seq});
    const Array bias = (1.0 - keep) * -1e9;
    for (std::int64_t l = 0; l < layers_; ++l) {
      const EncoderLayer& layer = encoder.layers[encoder.layers.size() == 1 ? 0 : static_cast<std::size_t>(l)];
      const auto run = [&](const Array& y) {
        if (before) {
          const Array attended = y + dropout(attention(layer.attention, layer.attention_norm(y), bias));
          return attended + dropout(layer.output(gelu_tanh(layer.intermediate(layer.output_norm(attended)))));
        }
        const Array attended = layer.attention_norm(y + dropout(attention(layer.attention, y, bias)));
        return layer.output_norm(attended + dropout(layer.output(gelu_tanh(layer.intermediate(attended)))));
      };
      x = style_.gradient_checkpointing ? checkpoint(run)(x) : run(x);
    }
    return x;
  }

  /// The masked-language loss over the masked positions.
  static Array guess(const Model& model, const Array& hidden, const Batch& batch) {
    const std::int64_t rows = hidden.extent(0), seq = hidden.extent(1), predictions = batch.positions[0].extent(1);
    const Array row = iota({DType::i32, Shape{rows, predictions}}, 0) * static_cast<std::int32_t>(seq);
    const Array guessed = take(flat(hidden), reshape(batch.positions[0] + row, {rows * predictions}));
    const MaskedLanguageModelHead& head = model.head[0];
    const Array transformed = head.norm(gelu_tanh(head.transform(guessed)));
    return mean_loss(tied(transformed, model.word) + head.bias, batch.labels[0]);
  }

  const TransformerConfig& config_;
  std::int64_t layers_;
  const ProgramStyle& style_;
  std::uint32_t streams_ = 0;
  Array key_ = {};
};

}  // namespace

Graph pretraining_program(TransformerConfig config, std::int64_t layers, const PretrainingBatch& batch,
                          const ProgramStyle& style) {
  validate(config);
  if (config.kind == TransformerKind::gpt2) config.embedding = config.hidden;
  require_positions(config, batch.length);
  Program program{config, layers, style};
  const auto ints = [](Shape shape) { return parameter({DType::i32, std::move(shape)}, {}); };
  const Array tokens = ints({batch.sequences, batch.length});
  Batch arrays{tokens, tokens, tokens, {}, {}};
  if (config.kind == TransformerKind::gpt2) {
    arrays.labels.push_back(tokens);
  } else {
    arrays.positions.push_back(ints({batch.sequences, batch.predictions}));
    arrays.labels.push_back(arrays.positions[0]);
  }
  const auto step = [&](const Model& model, const Batch& given) {
    return value_and_grad(
        [&](const Model& variables, const Batch& examples) { return program.loss(variables, examples); })(model, given);
  };
  Graph graph = optimize(trace(step, {"model", "batch"}, program.model(), arrays).graph);
  graph.rename("pretraining");
  return graph;
}

}  // namespace octet::nn
