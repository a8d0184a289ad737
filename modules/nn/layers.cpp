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
  if (x.rank() != 3)
    fail([&] {
      return Diagnostic{
          .number = 401,
          .sentence = "Attention is over [batch, seq, hidden], and is given " + to_string(x.type()) + ".",
          .where = placed({}),
          .because = because(x),
          .fix = {x.rank() == 2 ? "add a batch of one: expand_dims(x, 0)" : "reshape it to three dimensions"}};
    });
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

/// Throws X401 unless `array`, called `name` in a `layer`, has an element for each feature of `x`, its last dimension.
void require_features(const Array& array, const char* layer, const char* name, const Array& x,
                      const std::source_location& where) {
  if (x.rank() == 0 || (array.rank() == 1 && array.extent(0) == x.extent(-1))) return;  // mean refuses scalars
  fail([&] {
    return Diagnostic{
        .number = 401,
        .sentence = std::string{layer} + ": its " + name + " is " + to_string(array.type()) + ", and " +
                    (layer == std::string{"Linear"} ? "x · weight " : "x ") + to_string(x.type()) + ", with " +
                    std::to_string(x.extent(-1)) + " in the last dimension.",
        .where = placed(Place::of(where)),
        .because = because(x),
        .fix = {std::string{"make the layer for them, "} +
                (layer == std::string{"Linear"} ? "linear(in, " : "layer_norm(") + std::to_string(x.extent(-1)) + ")"}};
  });
}

}  // namespace

void require_initialized(const std::string& name, const TensorType& asked, const TensorType& given,
                         const std::source_location& where) {
  if (given == asked) return;
  fail([&] {
    return Diagnostic{.number = given.shape != asked.shape ? 401 : 402,
                      .sentence = "The initializer was asked for " + to_string(asked) + " for '" + name +
                                  "', and gave " + to_string(given) + ".",
                      .where = placed(Place::of(where)),
                      .fix = {"return a tensor of the type that it is given, such as Tensor{type}"}};
  });
}

void require_attention_mask(const Array& mask, const Array& of, const char* name, const std::source_location& where) {
  const bool unlike = mask.rank() != 2 || mask.extent(0) != of.extent(0) || mask.extent(1) != of.extent(1);
  if (!unlike && !is_floating(mask.dtype())) return;
  fail([&] {
    const std::string batch = to_string(Shape{of.extent(0), of.extent(1)}), called = name;
    const bool of_one = mask.rank() == 1 && mask.extent(0) == of.extent(1);
    return Diagnostic{.number = unlike ? 401 : 402,
                      .sentence = "For " + to_string(of.type()) + ", " + called +
                                  (unlike ? " must be [batch, seq], here " + batch : " must be of integers") +
                                  ", and not " + to_string(mask.type()) + ".",
                      .where = placed(Place::of(where)),
                      .because = because(mask),
                      .fix = {!unlike  ? "cast<int>(" + called + ")"
                              : of_one ? "repeat it for each sequence: broadcast_to(" + called + ", {" +
                                             batch.substr(1, batch.size() - 2) + "})"
                                       : "give one element for each token: " + batch}};
  });
}

void require_ids(const Array& ids, const char* model, const std::source_location& where) {
  if (ids.rank() == 2) return;
  fail([&] {
    return Diagnostic{
        .number = 401,
        .sentence = std::string{model} + " takes ids [batch, seq], and is given " + to_string(ids.type()) + ".",
        .where = placed(Place::of(where)),
        .because = because(ids),
        .fix = {ids.rank() == 1 ? "make it a batch of one sequence: expand_dims(ids, 0)"
                                : "reshape them to [batch, seq]"}};
  });
}

Array Linear::operator()(operand x) const {
  const ComposedAt scope{x.where()};
  const Array product = matmul(x, weight);
  if (weight.rank() == 2) require_features(bias, "Linear", "bias", product, x.where());
  return product + bias;
}

Array LayerNorm::operator()(operand a) const {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  require_features(scale, "LayerNorm", "scale", x, a.where());
  require_features(bias, "LayerNorm", "bias", x, a.where());
  const Array centred = x - mean(x, {-1}, true);
  const Array variance = mean(square(centred), {-1}, true);
  return centred * rsqrt(variance + epsilon) * scale + bias;
}

Array Embedding::operator()(operand ids) const { return take({table, ids.where()}, ids.array()); }

Array SelfAttention::operator()(operand x, const Array& attention_mask, const Dropout& dropout) const {
  const ComposedAt scope{x.where()};
  if (x.array().rank() == 3) require_attention_mask(attention_mask, x.array(), "attention_mask", x.where());
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
