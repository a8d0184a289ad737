/// Memory for the results of a program. Internal to octet.compile.
///
/// What nobody holds any more comes back, and is written to by the next run. Large memory that is new has to be cleared
/// by the system, page by page as it is first touched: for a product of 512 x 512 that takes half as long as the
/// product.
module octet.compile:result_memory;

import octet.base;
import octet.standard;

namespace octet {

class ResultMemory {
 public:
  /// For a program with so many results.
  explicit ResultMemory(std::size_t results) : spares_{shared<Spares>()} { spares_->of_result.resize(results); }

  /// A tensor for result number `result` of one of `replicas` replicas, which may all be held at once. Its elements are
  /// anything. Throws X408 where memory does not suffice. Many threads may call it at once.
  Tensor make(std::size_t result, const TensorType& type, std::size_t replicas) const;
  /// What a tensor of that type has of memory that comes back: all or nothing.
  static std::size_t kept_bytes(const TensorType& type);

 private:
  /// What came back, of each result.
  struct Spares {
    std::mutex mutex;
    std::vector<std::vector<detail::Memory>> of_result;
  };
  /// Where memory goes that nobody holds.
  struct Return {
    std::weak_ptr<Spares> spares;  ///< not there any more: the program is gone
    std::size_t result, most;
    void operator()(std::byte* memory) const noexcept;
  };
  std::shared_ptr<Spares> spares_;
};

}  // namespace octet
