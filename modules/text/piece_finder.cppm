/// Finds the id of a piece by its bytes. The hash of a text is made byte by byte, so that those of all beginnings of a
/// word take one pass. Internal to octet.text.
export module octet.text:piece_finder;
import octet.standard;

export namespace octet::text {

class PieceFinder {
 public:
  using Hash = std::uint64_t;
  static constexpr Hash empty = 0xCBF29CE484222325u;  // FNV-1a
  static constexpr Hash hash(std::string_view bytes, Hash before = empty) {
    for (const char byte : bytes) before = (before ^ static_cast<unsigned char>(byte)) * 0x100000001B3u;
    return before;
  }

  explicit PieceFinder(std::size_t pieces = 0) : slots_(std::bit_ceil(2 * pieces + 2)) {}

  /// The id of the piece that has this hash and is `is_it(id)`; none where there is no such piece.
  template <class IsIt>
  std::optional<std::int32_t> find(Hash hash, IsIt is_it) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = place(hash); slots_[at].id >= 0; at = (at + 1) & mask)
      if (slots_[at].tag == tag(hash) && is_it(slots_[at].id)) return slots_[at].id;
    return std::nullopt;
  }
  /// Adds a piece that is not there yet; at most as many as were announced.
  void add(Hash hash, std::int32_t id) {
    std::size_t at = place(hash);
    while (slots_[at].id >= 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {tag(hash), id};
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::int32_t id = -1;
  };
  static inline std::uint32_t tag(Hash hash) { return static_cast<std::uint32_t>(hash); }
  inline std::size_t place(Hash hash) const {
    return static_cast<std::size_t>(hash >> 32 ^ hash >> 15) & (slots_.size() - 1);
  }

  std::vector<Slot> slots_;  // open addressing
};

}  // namespace octet::text
