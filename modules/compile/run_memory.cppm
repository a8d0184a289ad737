/// Memory in which programs run. Internal to octet.compile.
///
/// What a program writes between its operations nobody asks for when it has run. So programs that run one after
/// another, as those of one function for several shapes do, or a training step and its evaluation, run in the same
/// memory, which has the size of the largest one. Each of those that run side by side has a piece of its own.
module octet.compile:run_memory;
import octet.base;
import octet.standard;

namespace octet {

class RunMemory {
 public:
  struct Piece {
    detail::Memory memory;
    std::size_t bytes = 0;
  };

  /// That of all programs of this process.
  static RunMemory& of_process();

  /// A piece of so many bytes at least, and 8, which may hold anything. Throws std::bad_alloc.
  Piece take(std::size_t bytes);
  /// For the next one who takes a piece.
  void give_back(Piece piece) noexcept;
  /// Lets go of the pieces that nobody has taken: a program that ends may have been the largest one.
  void trim() noexcept;

 private:
  // Those that nobody has taken: each says in its first bytes how many it has.
  std::mutex mutex_;
  std::vector<detail::Memory> spare_;
};

}  // namespace octet
