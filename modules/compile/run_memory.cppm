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

  /// That of all programs of this process. It goes with the last of them.
  static std::shared_ptr<RunMemory> of_process();

  /// A piece of so many bytes at least, which may hold anything. Throws std::bad_alloc.
  Piece take(std::size_t bytes);
  /// For the next one who takes a piece.
  void give_back(Piece piece) noexcept;
  /// Lets go of the pieces that nobody has taken.
  void trim() noexcept;

 private:
  std::mutex mutex_;
  std::vector<Piece> spare_;  // from small to large
};

}  // namespace octet
