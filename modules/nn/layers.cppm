/// Layers: structures of arrays that can be applied. What an array is for is its name; its shape is in brackets.
export module octet.nn:layers;
import octet.base;
import octet.standard;
import octet.trace;
import :dropout;

export namespace octet::nn {

/// x · weight + bias, over the last dimension.
struct Linear {
  Array weight;  ///< [in, out]
  Array bias;    ///< [out]
  /// [..., in] → [..., out]. Throws X401 where the shapes do not fit.
  Array operator()(operand x) const;
};

/// Normalizes the last dimension to mean 0 and variance 1, then scales and shifts (Ba et al. 2016).
struct LayerNorm {
  Array scale;  ///< [features]
  Array bias;   ///< [features]
  double epsilon = 1e-12;
  /// [..., features] → the same shape. Throws X401 where `scale` or `bias` has other features.
  Array operator()(operand x) const;
};

/// A vector for each of a vocabulary's ids.
struct Embedding {
  Array table;  ///< [vocabulary, features]
  /// Integers [...] → [..., features]. Ids outside the vocabulary are clamped into it, as XLA's gather does.
  Array operator()(operand ids) const;
};

/// A key-value cache of one layer: what attention made of so many positions, so that those which follow attend to them
/// without computing them again.
struct KeyValues {
  Array keys, values;  ///< each [batch, capacity, heads, width of a head]
};

/// Multi-head self-attention (Vaswani et al. 2017).
struct SelfAttention {
  Linear query, key, value, output;  ///< each [hidden, hidden]
  std::int64_t heads = 1;
  /// x [batch, seq, hidden], attention_mask [batch, seq] of integers or pred: keys where it is 0 get no attention, the
  /// others are 1 or true. Throws X401 for other shapes, X402 for a mask of floating-point numbers.
  Array operator()(operand x, const Array& attention_mask, const Dropout& dropout = {}) const;
  /// x [batch, seq, hidden]: each position sees itself and those before it. Throws X401 for another shape.
  Array causal(operand x, const Dropout& dropout = {}) const;
  /// The same for x [batch, new, hidden] at positions `first` (i32, a scalar) and on, of which `cache` holds those
  /// before: the result, and the cache with the new ones. To the same bits as `causal` of a whole sequence as long as
  /// the cache's capacity. Nothing may go beyond that: as XLA's dynamic_update_slice does, it would be written further
  /// in front. Throws X401 for other shapes, X402 where `first` is not of integers.
  std::pair<Array, KeyValues> causal(operand x, const Array& first, const KeyValues& cache) const;
};

/// A structure whose arrays have types but no data yet, to be traced or given values.
Linear linear(std::int64_t in, std::int64_t out);
LayerNorm layer_norm(std::int64_t features, double epsilon = 1e-12);
Embedding embedding(std::int64_t vocabulary, std::int64_t features);
SelfAttention self_attention(std::int64_t hidden, std::int64_t heads);

/// How a parameter of this name and type starts.
using Initializer = std::function<Tensor(const std::string& name, const TensorType& type, Key key)>;

/// Values of `structure`, whose arrays have types: each from `initializer`, with a key of its own made from `key` and
/// its position. Throws X401 or X402 where the initializer gives a tensor of another shape or element type.
template <class T>
Values<T> initialize(const T& structure, Key key, const Initializer& initializer,
                     std::source_location where = std::source_location::current());

/// BERT's: weights and tables from a normal distribution of standard deviation `deviation`, biases 0, scales 1. Throws
/// X402 for what is not of f32.
Initializer normal_initializer(double deviation = 0.02);

/// Whether `name` is the dotted name of a bias or of a layer norm's scale: what weight decay leaves alone.
bool is_bias_or_norm(const std::string& name);

}  // namespace octet::nn

namespace octet::nn {

/// Throws X401 or X402 where `given`, which an initializer gave for `name`, is not the type that was asked for.
void require_initialized(const std::string& name, const TensorType& asked, const TensorType& given,
                         const std::source_location& where);
/// Throws X401 where `mask`, which has an element for each key, is not [batch, seq], and X402 where it is of
/// floating-point numbers. `of` is what it belongs to: x f32[2, 3, 8].
void require_attention_mask(const Array& mask, const Array& of, const char* name, const std::source_location& where);
/// Throws X401 where ids are not [batch, seq], for `model`.
void require_ids(const Array& ids, const char* model, const std::source_location& where);

template <class T>
Values<T> initialize(const T& structure, Key key, const Initializer& initializer, std::source_location where) {
  std::vector<Tensor> tensors;
  octet::for_each_array(structure, "", [&](const std::string& name, const Array& array) {
    tensors.push_back(initializer(name, array.type(), split(key, tensors.size())));
    require_initialized(name, array.type(), tensors.back().type(), where);
  });
  return {structure, std::move(tensors)};
}

}  // namespace octet::nn
