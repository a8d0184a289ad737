module octet.compile;
import octet.base;
import octet.standard;
import :run_memory;

namespace octet {

std::shared_ptr<RunMemory> RunMemory::of_process() {
  static std::mutex mutex;
  static std::weak_ptr<RunMemory> known;
  const std::lock_guard lock{mutex};
  std::shared_ptr<RunMemory> memory = known.lock();
  if (!memory) known = memory = shared<RunMemory>();
  return memory;
}

RunMemory::Piece RunMemory::take(std::size_t bytes) {
  Piece dropped;  // before another is allocated, and without the lock
  {
    const std::lock_guard lock{mutex_};
    const auto fitting = std::ranges::lower_bound(spare_, bytes, {}, &Piece::bytes);
    const bool fits = fitting != spare_.end();
    if (fits || !spare_.empty()) {
      const auto taken = fits ? fitting : std::prev(fitting);
      dropped = std::move(*taken);
      spare_.erase(taken);
    }
    if (fits) return dropped;
  }
  dropped = {};
  return {detail::Memory{detail::allocate_bytes(bytes)}, bytes};
}

void RunMemory::give_back(Piece piece) noexcept {
  const std::lock_guard lock{mutex_};
  try {
    spare_.insert(std::ranges::lower_bound(spare_, piece.bytes, {}, &Piece::bytes), std::move(piece));
  } catch (const std::bad_alloc&) {
    // The piece is let go of.
  }
}

void RunMemory::trim() noexcept {
  std::vector<Piece> dropped;
  const std::lock_guard lock{mutex_};
  dropped.swap(spare_);
}

}  // namespace octet
