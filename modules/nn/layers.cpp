module octet.nn;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;

namespace octet::nn {

namespace {

Array typed(Shape shape) { return parameter({DType::f32, std::move(shape)}, {}); }

bool ends_with(const std::string& text, const char* end) { return text.ends_with(end); }

/// `masked` takes the scores [batch, heads, seq, seq] of what may not be seen away.
Array attended(const SelfAttention& layer, const Array& x, const Dropout& dropout,
               const std::function<Array(const Array& scores)>& masked) {
  const std::int64_t batch = x.extent(0), seq = x.extent(1), hidden = x.extent(2), width = hidden / layer.heads;
  const auto split_heads = [&](const Array& y) { return reshape(y, {batch, seq, layer.heads, width}); };
  const Array q = split_heads(layer.query(x)), k = split_heads(layer.key(x)), v = split_heads(layer.value(x));

  DotAttributes over_width;  // [batch, heads, seq, seq]
  over_width.lhs_batching_dimensions = over_width.rhs_batching_dimensions = {0, 2};
  over_width.lhs_contracting_dimensions = over_width.rhs_contracting_dimensions = {3};
  const Array scores = masked(dot_general(q, k, over_width) * (1.0 / std::sqrt(static_cast<double>(width))));

  DotAttributes over_keys;  // [batch, heads, seq, width]
  over_keys.lhs_batching_dimensions = {0, 1};
  over_keys.rhs_batching_dimensions = {0, 2};
  over_keys.lhs_contracting_dimensions = {3};
  over_keys.rhs_contracting_dimensions = {1};
  const Array context = dot_general(dropout.attention(softmax(scores)), v, over_keys);
  return layer.output(reshape(transpose(context, {0, 2, 1, 3}), {batch, seq, hidden}));
}

}  // namespace

Array Linear::operator()(operand x) const {
  const ComposedAt scope{x.where()};
  return matmul(x, weight) + bias;
}

Array LayerNorm::operator()(operand a) const {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  const Array centred = x - mean(x, {-1}, true);
  const Array variance = mean(square(centred), {-1}, true);
  return centred * rsqrt(variance + epsilon) * scale + bias;
}

Array Embedding::operator()(operand ids) const { return take({table, ids.where()}, ids.array()); }

Array SelfAttention::operator()(operand x, const Array& attention_mask, const Dropout& dropout) const {
  const ComposedAt scope{x.where()};
  return attended(*this, x.array(), dropout, [&](const Array& scores) {
    const Array keep = reshape(cast(attention_mask, scores.dtype()), {scores.extent(0), 1, 1, scores.extent(3)});
    return scores + (1.0 - keep) * -1e9;
  });
}

Array SelfAttention::causal(operand x, const Dropout& dropout) const {
  const ComposedAt scope{x.where()};
  return attended(*this, x.array(), dropout, [](const Array& scores) {
    const TensorType index{DType::i32, scores.shape()};
    return select(iota(index, 3) <= iota(index, 2), scores, -1e9);
  });
}

Linear linear(std::int64_t in, std::int64_t out) { return {typed({in, out}), typed({out})}; }

LayerNorm layer_norm(std::int64_t features, double epsilon) { return {typed({features}), typed({features}), epsilon}; }

Embedding embedding(std::int64_t vocabulary, std::int64_t features) { return {typed({vocabulary, features})}; }

SelfAttention self_attention(std::int64_t hidden, std::int64_t heads) {
  if (heads < 1 || hidden % heads != 0)
    fail({.number = 403,
          .sentence = "Self-attention over " + std::to_string(hidden) + " features cannot have " +
                      std::to_string(heads) + " heads of equal width.",
          .fix = {"choose a number of heads that divides the hidden size"}});
  return {linear(hidden, hidden), linear(hidden, hidden), linear(hidden, hidden), linear(hidden, hidden), heads};
}

Initializer normal_initializer(double deviation) {
  return [deviation](const std::string& name, const TensorType& type, Key key) {
    if (ends_with(name, "scale")) return Tensor::full<float>(type.shape, 1.0f);
    Tensor tensor{type};
    if (ends_with(name, "bias")) return tensor;
    const auto elements = tensor.mutable_span<float>();
    normal(key, 0, elements);
    for (float& element : elements) element *= static_cast<float>(deviation);
    return tensor;
  };
}

bool is_bias_or_norm(const std::string& name) { return ends_with(name, "bias") || ends_with(name, "scale"); }

}  // namespace octet::nn
