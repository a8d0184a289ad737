/// A call of a compiled function, taken apart (octet.compile:host_values does it), and the calls made before.
export module octet.compile:call;
import octet.base;
import octet.standard;
import octet.trace;
import :buckets;
import :cache;
import :executable;
import :seen_shapes;
import :signature;

export namespace octet {

/// A call taken apart: its tensors under dotted names, and the static values.
struct HostArguments {
  std::vector<std::string> names;  ///< `batch.tokens`
  std::vector<Tensor> tensors;
  std::vector<StaticValue> statics;
  std::vector<std::size_t> lengths;  ///< of its lists, 1 or 0 of its optionals, in the order of declaration
  std::string structure;             ///< tells the C++ types apart
};

/// A call as it is given, its tensors still where they are.
struct GivenCall {
  /// Tells calls apart. Calls with equal keys are of the same C++ types, with the same static values, and with tensors
  /// of the same types.
  std::string key;
  std::vector<GivenTensor> tensors;
  bool fits = true;  ///< whether all structures hold as many tensors as they have arrays
};

/// What a run of a call is given: the tensors where they are, but for those that were padded in `call`, which holds none
/// of the others any more.
std::vector<GivenTensor> given_for_run(const GivenCall& given, HostArguments& call);

/// What the tensors' types, names and the static values amount to.
Signature signature_of(const HostArguments& arguments);

/// What a call led to that needed no padding: what calls with its key lead to again.
struct CallOutcome {
  std::weak_ptr<const CachedProgram> program;
  PaddedElements elements;
  SeenShapes::Place seen;
};

/// Calls made before, by their keys. May be used by several threads at once.
class KnownCalls {
 public:
  /// Gives `call` the names and static values of calls with `key`. False where there was none.
  bool recall(const std::string& key, HostArguments& call);
  void remember(const std::string& key, const HostArguments& call);
  /// Null where it is not known.
  std::shared_ptr<const CallOutcome> outcome(const std::string& key);
  /// Does nothing where no names are known for `key`.
  void remember(const std::string& key, CallOutcome outcome);

 private:
  static constexpr std::size_t most_calls = 64;  ///< beyond, all are forgotten
  struct Known {
    HostArguments names;  // without tensors
    std::shared_ptr<const CallOutcome> outcome;
  };
  std::mutex mutex_;
  std::unordered_map<std::string, Known> calls_;
};

}  // namespace octet
