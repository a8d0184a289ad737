module octet.nn;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;

namespace octet::nn {

Array DecoderLayer::operator()(operand a, const Dropout& dropout) const {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  const Array attended = x + dropout.of(1)(attention.causal(attention_norm(x), dropout.of(0)));
  return attended + dropout.of(2)(output(gelu_tanh(intermediate(intermediate_norm(attended)))));
}

std::pair<Array, KeyValues> DecoderLayer::operator()(operand a, const Array& first, const KeyValues& cache) const {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  auto [seen, all] = attention.causal(attention_norm(x), first, cache);
  const Array attended = x + seen;
  return {attended + output(gelu_tanh(intermediate(intermediate_norm(attended)))), std::move(all)};
}

Array Gpt2::decode(operand ids, const Dropout& dropped) const {
  const ComposedAt scope{ids.where()};
  require_ids(ids.array(), "GPT-2", ids.where());
  const std::int64_t seq = ids.array().extent(1);
  if (seq > position.table.extent(0))
    fail({.number = 401,
          .sentence = "A sequence of " + std::to_string(seq) + " tokens was given to a GPT-2 with " +
                      std::to_string(position.table.extent(0)) + " position embeddings.",
          .where = placed(Place::of(ids.where())),
          .fix = {"shorten the sequences to " + std::to_string(position.table.extent(0)),
                  "make the model with more positions"}});
  Array x = dropped.of(0)(word(ids) + slice_in_dim(position.table, 0, seq, 0));
  std::uint32_t part = 0;
  for (const DecoderLayer& layer : layers) {
    const Dropout own = dropped.of(++part);
    x = gradient_checkpointing ? checkpoint(layer)(x, own) : layer(x, own);
  }
  return norm(x);
}

std::pair<Array, KeyValueCache> Gpt2::decode(operand ids, const Array& first, const KeyValueCache& cache) const {
  const ComposedAt scope{ids.where()};
  require_ids(ids.array(), "GPT-2", ids.where());
  if (cache.layers.size() != layers.size())
    fail({.number = 401,
          .sentence = "A key-value cache of " + std::to_string(cache.layers.size()) +
                      " layers was given to a GPT-2 of " + std::to_string(layers.size()) + ".",
          .where = placed(Place::of(ids.where())),
          .fix = {"make it by key_value_cache(model, batch, capacity)"}});
  const Array places = iota({first.dtype(), Shape{ids.array().extent(1)}}, 0) + first;
  Array x = word(ids) + position(places);
  KeyValueCache all;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    auto [next, seen] = layers[i](x, first, cache.layers[i]);
    x = next;
    all.layers.push_back(std::move(seen));
  }
  return {norm(x), std::move(all)};
}

Array Gpt2::logits(operand a) const {
  const ComposedAt scope{a.where()};
  const Array hidden = a.array();
  DotAttributes tied;
  tied.lhs_contracting_dimensions = {hidden.rank() - 1};
  tied.rhs_contracting_dimensions = {1};
  return dot_general(hidden, word.table, tied);
}

Gpt2 gpt2(const Gpt2Config& config) {
  for (const auto& [what, size] : {std::pair{"vocabulary", config.vocabulary},
                                   {"hidden", config.hidden},
                                   {"layers", config.layers},
                                   {"heads", config.heads},
                                   {"intermediate", config.intermediate},
                                   {"positions", config.positions}})
    if (size < 1)
      fail({.number = 403,
            .sentence = std::string{"Gpt2Config."} + what + " is " + std::to_string(size) + ".",
            .fix = {"give it a size of at least 1"}});
  const double epsilon = config.layer_norm_epsilon;
  Gpt2 model{embedding(config.vocabulary, config.hidden),
             embedding(config.positions, config.hidden),
             {},
             layer_norm(config.hidden, epsilon),
             config.dropout,
             config.gradient_checkpointing};
  for (std::int64_t l = 0; l < config.layers; ++l)
    model.layers.push_back({layer_norm(config.hidden, epsilon), self_attention(config.hidden, config.heads),
                            layer_norm(config.hidden, epsilon), linear(config.hidden, config.intermediate),
                            linear(config.intermediate, config.hidden)});
  return model;
}

Values<KeyValueCache> key_value_cache(const Values<Gpt2>& model, std::int64_t batch, std::int64_t capacity) {
  const Tensor& words = model["word.table"];
  const std::int64_t positions = model["position.table"].shape()[0];
  if (batch < 1 || capacity < 1 || capacity > positions)
    fail({.number = 401,
          .sentence = "A key-value cache for " + std::to_string(batch) + " x " + std::to_string(capacity) +
                      " positions was asked for, of a GPT-2 with " + std::to_string(positions) + ".",
          .fix = {"choose a batch of 1 or more, and a capacity from 1 to " + std::to_string(positions)}});
  KeyValueCache cache;
  std::vector<Tensor> tensors;
  for (const DecoderLayer& layer : model.structure().layers) {
    const std::int64_t heads = layer.attention.heads;
    cache.layers.emplace_back();
    for (int i = 0; i < 2; ++i)
      tensors.emplace_back(TensorType{words.dtype(), Shape{batch, capacity, heads, words.shape()[1] / heads}});
  }
  return {std::move(cache), std::move(tensors)};
}

Initializer gpt2_initializer(std::int64_t layers) {
  const Initializer usual = normal_initializer(0.02),
                    added = normal_initializer(0.02 / std::sqrt(2.0 * static_cast<double>(layers)));
  return [usual, added](const std::string& name, const TensorType& type, Key key) {
    return (name.ends_with("output.weight") ? added : usual)(name, type, key);
  };
}

SummedLoss causal_language_loss(const Gpt2& model, const CausalBatch& batch, std::source_location where) {
  const ComposedAt scope{where};
  require_ids(batch.ids, "GPT-2", where);
  require_attention_mask(batch.attention_mask, batch.ids, "attention_mask", where);
  const Array hidden = model.decode(batch.ids, {model.dropout, batch.dropout_keys});
  const std::int64_t rows = hidden.extent(0), seq = hidden.extent(1);
  // The label of a position is the token after it, and that of the last one none. Logits are computed for all: a length
  // that the sequence has is one the matrix unit likes, one less is not.
  const auto next = [&](const Array& x, std::int64_t last) {
    return concatenate({slice_in_dim(x, 1, seq, 1), full({DType::i32, Shape{rows, 1}}, last)}, 1);
  };
  const Array labels = seq == 1
                           ? full({DType::i32, Shape{rows, 1}}, -1)
                           : select(next(batch.attention_mask, 0) > 0, next(batch.ids, -1), full(batch.ids.type(), -1));
  return summed_cross_entropy(model.logits(reshape(hidden, {rows * seq, hidden.extent(2)})),
                              reshape(labels, {rows * seq}));
}

}  // namespace octet::nn
