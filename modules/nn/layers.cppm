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
  /// [..., in] → [..., out]
  Array operator()(operand x) const;
};

/// Normalizes the last dimension to mean 0 and variance 1, then scales and shifts (Ba et al. 2016).
struct LayerNorm {
  Array scale;  ///< [features]
  Array bias;   ///< [features]
  double epsilon = 1e-12;
  /// [..., features] → the same shape
  Array operator()(operand x) const;
};

/// A vector for each of a vocabulary's ids.
struct Embedding {
  Array table;  ///< [vocabulary, features]
  /// Integers [...] → [..., features]. Ids outside the vocabulary are clamped into it, as XLA's gather does.
  Array operator()(operand ids) const;
};

/// Multi-head self-attention (Vaswani et al. 2017).
struct SelfAttention {
  Linear query, key, value, output;  ///< each [hidden, hidden]
  std::int64_t heads = 1;
  /// x [batch, seq, hidden], attention_mask [batch, seq] of i32 or pred: keys where it is 0 get no attention.
  Array operator()(operand x, const Array& attention_mask, const Dropout& dropout = {}) const;
  /// x [batch, seq, hidden]: each position sees itself and those before it.
  Array causal(operand x, const Dropout& dropout = {}) const;
};

/// A structure whose arrays have types but no data yet, to be traced or given values.
Linear linear(std::int64_t in, std::int64_t out);
LayerNorm layer_norm(std::int64_t features, double epsilon = 1e-12);
Embedding embedding(std::int64_t vocabulary, std::int64_t features);
SelfAttention self_attention(std::int64_t hidden, std::int64_t heads);

/// How a parameter of this name and shape starts.
using Initializer = std::function<Tensor(const std::string& name, const TensorType& type, Key key)>;

/// Values of `structure`, whose arrays have types: each from `initializer`, with a key of its own made from `key` and
/// its position.
template <class T>
Values<T> initialize(const T& structure, Key key, const Initializer& initializer) {
  std::vector<Tensor> tensors;
  for_each_array(structure, "", [&](const std::string& name, const Array& array) {
    tensors.push_back(initializer(name, array.type(), split(key, tensors.size())));
  });
  return {structure, std::move(tensors)};
}

/// BERT's: weights and tables from a normal distribution of standard deviation `deviation`, biases 0, scales 1.
Initializer normal_initializer(double deviation = 0.02);

/// Whether `name` is the dotted name of a bias or of a layer norm's scale: what weight decay leaves alone.
bool is_bias_or_norm(const std::string& name);

}  // namespace octet::nn
