/// Dropout (Srivastava et al. 2014): while a model is trained, each activation is 0 with a given probability.
export module octet.nn:dropout;
import octet.base;
import octet.standard;
import octet.trace;

export namespace octet::nn {

/// Each element of `x` is 0 with probability `rate`, and otherwise divided by 1 - rate. `key` is u32[2], or u32[rows,
/// 2] with a key for each row of the leading axis. Throws X403 for a rate below 0 or from 1 up, X401 for another key.
Array dropout(operand x, double rate, operand key);

/// The rates of a transformer.
struct DropoutRates {
  double hidden = 0;     ///< of embeddings and of what each half of a layer adds
  double attention = 0;  ///< of the shares that attention gives
  friend bool operator==(const DropoutRates&, const DropoutRates&) = default;
};

/// What is dropped in one run of a transformer over a batch. Whether an element is follows from its sequence's key and
/// its place in the model and in the sequence alone: padding, the other sequences of a batch, its parts and the number
/// of replicas have no part in it. By default nothing is dropped, as when a model is used.
class Dropout {
 public:
  Dropout() = default;
  /// `keys`: u32 [batch, 2], one for each sequence.
  Dropout(const DropoutRates& rates, const Array& keys) : rates_{rates}, keys_{keys} {}
  /// That of training, where a batch has keys.
  Dropout(const DropoutRates& rates, const std::optional<Array>& keys);

  /// That of a part of the model: parts of different numbers drop independently.
  Dropout of(std::uint32_t part, std::source_location where = std::source_location::current()) const;
  /// Activations [batch, seq, features].
  Array operator()(operand x) const;
  /// Shares [batch, heads, queries, keys].
  Array attention(operand shares) const;

 private:
  DropoutRates rates_;
  std::optional<Array> keys_;
};

}  // namespace octet::nn
