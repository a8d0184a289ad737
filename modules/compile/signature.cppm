/// Signatures: what a program was compiled for, and how two of them differ.
export module octet.compile:signature;
import octet.base;
import octet.standard;

export namespace octet {

/// A number, text or choice that is part of a program, not of its data.
struct StaticValue {
  std::string name;   ///< `model.heads`
  std::string value;  ///< a text that different values do not share: `12`, `"mean"`
  friend bool operator==(const StaticValue&, const StaticValue&) = default;
};

/// Calls with equal signatures share a program.
struct Signature {
  std::vector<std::string> names;  ///< of the arrays, in the order of the parameters: `batch.tokens`
  std::vector<TensorType> types;   ///< theirs, after padding to buckets
  std::vector<StaticValue> statics = {};
  std::vector<std::size_t> lengths = {};     ///< of lists, and 1 or 0 of optionals: names do not tell of empty ones
  std::string structure = {};                ///< tells the C++ types of the arguments apart
  std::vector<std::string> replicated = {};  ///< arguments that are one and the same value for all replicas
  friend bool operator==(const Signature&, const Signature&) = default;
};

/// A number that is equal for equal signatures.
std::uint64_t hash(const Signature& signature);
/// `batch.tokens i32[8, 64], heads = 12`.
std::string to_string(const Signature& signature);

/// One thing in which two signatures differ.
struct SignatureDifference {
  enum class Kind : std::uint8_t {
    extent,  ///< of one dimension
    rank,
    dtype,
    presence,  ///< one of them has no such array or static value
    static_value,
    structure,   ///< the C++ types of the arguments
    lengths,     ///< those of lists and optionals, where nothing else differs
    replicated,  ///< whether an argument is one value for all replicas
  };
  Kind kind = Kind::extent;
  std::string argument = {};    ///< the dotted name; empty for `structure` and `lengths`
  std::int64_t dimension = -1;  ///< of `extent`
  std::string now = {};         ///< `128`, `f32`, `f32[8, 128]`; empty where absent
  std::string before = {};
  friend bool operator==(const SignatureDifference&, const SignatureDifference&) = default;
};

/// In the order of the arrays, then of the static values.
std::vector<SignatureDifference> differences(const Signature& now, const Signature& before);
/// `dimension 1 of batch.tokens is 128, before 64`.
std::string to_string(const SignatureDifference& difference);

}  // namespace octet
