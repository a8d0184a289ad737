/// A fixed 64-bit hash: the same number for the same bytes on every machine (FNV-1a over 8-byte words, with a final
/// mix).
export module octet.base:hash;
import octet.standard;

export namespace octet {

/// Collects bytes and numbers into one 64-bit value.
class Hasher {
 public:
  Hasher& add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x0000'0100'0000'01b3u;
    state_ ^= state_ >> 29;
    return *this;
  }
  Hasher& add(std::span<const std::byte> bytes) {
    add(static_cast<std::uint64_t>(bytes.size()));
    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {
      std::uint64_t word;
      std::memcpy(&word, bytes.data() + at, 8);
      add(word);
    }
    std::uint64_t rest = 0;
    for (std::size_t shift = 0; at < bytes.size(); ++at, shift += 8)
      rest |= static_cast<std::uint64_t>(bytes[at]) << shift;
    return add(rest);
  }
  Hasher& add(std::string_view text) { return add(std::as_bytes(std::span{text.data(), text.size()})); }

  std::uint64_t value() const {
    std::uint64_t h = state_;
    h = (h ^ (h >> 33)) * 0xff51'afd7'ed55'8ccdu;
    h = (h ^ (h >> 33)) * 0xc4ce'b9fe'1a85'ec53u;
    return h ^ (h >> 33);
  }
  /// Sixteen hexadecimal digits.
  std::string text() const {
    std::string digits(16, '0');
    std::uint64_t h = value();
    for (int at = 15; at >= 0; --at, h >>= 4) digits[static_cast<std::size_t>(at)] = "0123456789abcdef"[h & 15];
    return digits;
  }

 private:
  std::uint64_t state_ = 0xcbf2'9ce4'8422'2325u;
};

/// What Hasher::add makes of bytes, of which the number is known and which come in parts of any size.
class HasherOfParts {
 public:
  explicit HasherOfParts(std::uint64_t size) { hasher_.add(size); }
  void add(std::span<const std::byte> part) {
    if (held_ > 0) hold(part);
    for (; held_ == 0 && part.size() >= sizeof word_; part = part.subspan(sizeof word_)) {
      std::uint64_t word;
      std::memcpy(&word, part.data(), sizeof word);
      hasher_.add(word);
    }
    hold(part);
  }
  /// After all bytes.
  Hasher finished() {
    next_word();
    return hasher_;
  }

 private:
  // What fills up a word, or is left for the next.
  void hold(std::span<const std::byte>& part) {
    const std::size_t taken = std::min(part.size(), sizeof word_ - held_);
    if (taken > 0) std::memcpy(reinterpret_cast<std::byte*>(&word_) + held_, part.data(), taken);
    part = part.subspan(taken);
    if ((held_ += taken) == sizeof word_) next_word();
  }
  void next_word() {
    hasher_.add(std::exchange(word_, 0));
    held_ = 0;
  }

  Hasher hasher_;
  std::uint64_t word_ = 0;
  std::size_t held_ = 0;
};

}  // namespace octet
