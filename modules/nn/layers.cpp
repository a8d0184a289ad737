module octet.nn;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;

namespace octet::nn {

namespace {

Array typed(Shape shape) { return parameter({DType::f32, std::move(shape)}, {}); }

/// Whether a parameter of the dotted `name` is called so in its own structure: `norm.scale`, and not `upscale`.
bool is_called(std::string_view name, std::string_view own) {
  return name.ends_with(own) && (name.size() == own.size() || name[name.size() - own.size() - 1] == '.');
}

void require_states(const Array& x) {
  if (x.rank() == 3) return;
  fail([&] {
    return Diagnostic{
        .number = 401,
        .sentence = "Attention is over [batch, seq, hidden], and is given " + to_string(x.type()) + ".",
        .where = placed({}),
        .because = because(x),
        .fix = {x.rank() == 2 ? "add a batch of one: expand_dims(x, 0)" : "reshape it to three dimensions"}};
  });
}

/// [batch, seq, hidden] → [batch, seq, heads, width]
Array split_heads(const Array& x, std::int64_t heads) {
  return reshape(x, {x.extent(0), x.extent(1), heads, x.extent(2) / heads});
}

/// Of queries [batch, seq, heads, width] to so many keys. `masked` takes the scores [batch, heads, seq, keys] of what
/// may not be seen away.
Array attended(const SelfAttention& layer, const Array& queries, const KeyValues& to, const Dropout& dropout,
               const std::function<Array(const Array& scores)>& masked) {
  const std::int64_t batch = queries.extent(0), seq = queries.extent(1), width = queries.extent(3);
  DotAttributes over_width;  // [batch, heads, seq, keys]
  over_width.lhs_batching_dimensions = over_width.rhs_batching_dimensions = {0, 2};
  over_width.lhs_contracting_dimensions = over_width.rhs_contracting_dimensions = {3};
  const Array scores =
      masked(dot_general(queries, to.keys, over_width) * (1.0 / std::sqrt(static_cast<double>(width))));

  DotAttributes over_keys;  // [batch, heads, seq, width]
  over_keys.lhs_batching_dimensions = {0, 1};
  over_keys.rhs_batching_dimensions = {0, 2};
  over_keys.lhs_contracting_dimensions = {3};
  over_keys.rhs_contracting_dimensions = {1};
  const Array context = dot_general(dropout.attention(softmax(scores)), to.values, over_keys);
  return layer.output(reshape(transpose(context, {0, 2, 1, 3}), {batch, seq, layer.heads * width}));
}

/// Of each position of `x` to all of them.
Array attended(const SelfAttention& layer, const Array& x, const Dropout& dropout,
               const std::function<Array(const Array& scores)>& masked) {
  require_states(x);
  const Array queries = split_heads(layer.query(x), layer.heads), keys = split_heads(layer.key(x), layer.heads);
  return attended(layer, queries, {keys, split_heads(layer.value(x), layer.heads)}, dropout, masked);
}

/// Throws X401 where `cache` is none that `x` can be added to, X402 where `first` is not of integers.
void require_cache(const SelfAttention& layer, const Array& x, const Array& first, const KeyValues& cache,
                   const std::source_location& where) {
  if (!is_integer(first.dtype()) || first.rank() != 0)
    fail([&] {
      return Diagnostic{.number = first.rank() != 0 ? 401 : 402,
                        .sentence = "The first position is an integer, one for all sequences, and not " +
                                    to_string(first.type()) + ".",
                        .where = placed(Place::of(where)),
                        .because = because(first),
                        .fix = {first.rank() != 0 ? "give it as a scalar: i32[]" : "cast<int>(first)"}};
    });
  const std::int64_t width = x.extent(2) / layer.heads;
  for (const Array* const each : {&cache.keys, &cache.values}) {
    const Shape& shape = each->shape();
    if (each->rank() == 4 && each->dtype() == x.dtype() && shape[0] == x.extent(0) && shape[1] >= x.extent(1) &&
        shape[2] == layer.heads && shape[3] == width)
      continue;
    fail([&] {
      return Diagnostic{
          .number = 401,
          .sentence = "A key-value cache for " + to_string(x.type()) + " holds " +
                      to_string(TensorType{x.dtype(), Shape{x.extent(0), x.extent(1), layer.heads, width}}) +
                      " or more positions, and this one is " + to_string(each->type()) + ".",
          .where = placed(Place::of(where)),
          .because = because(*each),
          .fix = {"make it by key_value_cache(model, batch, capacity)"}};
    });
  }
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

/// Throws X401 where the last dimension of `x` is not of the features that `layer` takes.
void require_inputs(const Linear& layer, const Array& x, const std::source_location& where) {
  if (x.rank() == 0 || layer.weight.rank() != 2) return;  // matmul refuses these
  if (x.extent(-1) == layer.weight.extent(0)) return;
  fail([&] {
    const std::string in = std::to_string(layer.weight.extent(0)), out = std::to_string(layer.weight.extent(1)),
                      given = std::to_string(x.extent(-1));
    return Diagnostic{.number = 401,
                      .sentence = "Linear: it takes " + in + " features to " + out + ", and x is " +
                                  to_string(x.type()) + ", with " + given + " in the last dimension.",
                      .where = placed(Place::of(where)),
                      .because = because(x),
                      .fix = {"make the layer for them: linear(" + given + ", " + out + ")",
                              "give it an array whose last dimension is " + in}};
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
  require_inputs(*this, x.array(), x.where());
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

std::pair<Array, KeyValues> SelfAttention::causal(operand a, const Array& first, const KeyValues& cache) const {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  require_states(x);
  require_cache(*this, x, first, cache, a.where());
  const auto added = [&](const Array& held, const Array& fresh) {
    const Array zero = full({first.dtype(), Shape{}}, 0);
    return dynamic_update_slice(held, split_heads(fresh, heads), {zero, first, zero, zero});
  };
  const KeyValues all{added(cache.keys, key(x)), added(cache.values, value(x))};
  const Array result = attended(*this, split_heads(query(x), heads), all, {}, [&](const Array& scores) {
    const TensorType index{first.dtype(), scores.shape()};
    return select(iota(index, 3) <= iota(index, 2) + first, scores, -1e9);
  });
  return {result, all};
}

Linear linear(std::int64_t in, std::int64_t out) { return {typed({in, out}), typed({out})}; }

LayerNorm layer_norm(std::int64_t features, double epsilon) { return {typed({features}), typed({features}), epsilon}; }

Embedding embedding(std::int64_t vocabulary, std::int64_t features) { return {typed({vocabulary, features})}; }

SelfAttention self_attention(std::int64_t hidden, std::int64_t heads) {
  if (heads < 1 || hidden % heads != 0)
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = "Self-attention over " + std::to_string(hidden) + " features cannot have " +
                                    std::to_string(heads) + " heads of equal width.",
                        .fix = {"choose a number of heads that divides the hidden size"}};
    });
  return {linear(hidden, hidden), linear(hidden, hidden), linear(hidden, hidden), linear(hidden, hidden), heads};
}

Initializer normal_initializer(double deviation) {
  return [deviation](const std::string& name, const TensorType& type, Key key) {
    if (type.dtype != DType::f32)
      fail([&] {
        return Diagnostic{
            .number = 402,
            .sentence = "normal_initializer makes numbers of f32, and '" + name + "' is " + to_string(type) + ".",
            .fix = {"declare it as f32, which an optimizer needs, and cast it where it is used"}};
      });
    if (is_called(name, "scale")) return Tensor::full<float>(type.shape, 1.0f);
    Tensor tensor{type};
    if (is_called(name, "bias")) return tensor;
    const auto elements = tensor.mutable_span<float>();
    normal(key, 0, elements);
    for (float& element : elements) element *= static_cast<float>(deviation);
    return tensor;
  };
}

bool is_bias_or_norm(const std::string& name) { return is_called(name, "bias") || is_called(name, "scale"); }

}  // namespace octet::nn
