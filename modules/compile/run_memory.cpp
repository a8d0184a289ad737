module octet.compile;
import octet.base;
import octet.standard;
import :run_memory;

namespace octet {

RunMemory& RunMemory::of_process() {
  static RunMemory* const memory = new RunMemory;  // for programs that end after main, too
  return *memory;
}

namespace {

std::size_t bytes_of(const detail::Memory& spare) {
  std::size_t bytes = 0;
  std::memcpy(&bytes, spare.get(), sizeof bytes);
  return bytes;
}

}  // namespace

RunMemory::Piece RunMemory::take(std::size_t bytes) {
  bytes = std::max(bytes, sizeof bytes);
  {
    const std::lock_guard lock{mutex_};
    // The smallest that suffices, else the largest: another takes its place.
    detail::Memory* best = nullptr;
    for (detail::Memory& spare : spare_) {
      const std::size_t its = bytes_of(spare), known = best ? bytes_of(*best) : 0;
      if (!best || (known >= bytes ? its >= bytes && its < known : its > known)) best = &spare;
    }
    if (best) {
      std::swap(*best, spare_.back());
      Piece taken{std::move(spare_.back()), 0};
      spare_.pop_back();
      taken.bytes = bytes_of(taken.memory);
      if (taken.bytes >= bytes) return taken;
    }
  }
  return {detail::Memory{detail::allocate_bytes(bytes)}, bytes};
}

void RunMemory::give_back(Piece piece) noexcept {
  std::memcpy(piece.memory.get(), &piece.bytes, sizeof piece.bytes);
  const std::lock_guard lock{mutex_};
  try {
    spare_.push_back(std::move(piece.memory));
  } catch (const std::bad_alloc&) {
    // The piece is let go of.
  }
}

void RunMemory::trim() noexcept {
  const std::lock_guard lock{mutex_};
  spare_.clear();
}

}  // namespace octet
