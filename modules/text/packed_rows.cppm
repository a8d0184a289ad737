/// Large tables of constants, kept as the differences from one row to the next: one byte, mostly, where a number has
/// four, and much alike, so that a program that is sent to a browser carries a third of them. They are packed when
/// Octet is compiled and unpacked when a program first asks for them.
module octet.text:packed_rows;
import octet.standard;

namespace octet::text {

/// A table's columns, each sorted or not: what is kept of a number is how much it differs from the one above it. Seven
/// bits a byte, the lowest first, the sign in the lowest of all.
template <std::size_t columns, std::size_t rows>
using Columns = std::array<std::array<std::uint32_t, rows>, columns>;

template <class Visit>
constexpr void for_each_byte(std::span<const std::uint32_t> column, Visit visit) {
  std::uint32_t above = 0;
  for (const std::uint32_t number : column) {
    std::uint32_t left = number >= above ? (number - above) << 1 : (above - number) << 1 | 1;
    for (; left >= 128; left >>= 7) visit(static_cast<std::uint8_t>(left | 128));
    visit(static_cast<std::uint8_t>(left));
    above = number;
  }
}

/// `make()` gives the Columns.
template <class Make>
consteval auto packed(Make make) {
  constexpr auto table = make();
  constexpr std::size_t size = [&] {
    std::size_t bytes = 0;
    for (const auto& column : table) for_each_byte(column, [&](std::uint8_t) { ++bytes; });
    return bytes;
  }();
  std::array<std::uint8_t, size> result{};
  std::size_t at = 0;
  for (const auto& column : table) for_each_byte(column, [&](std::uint8_t byte) { result[at++] = byte; });
  return result;
}

/// The numbers of all columns, one column after the other.
[[gnu::noinline]] inline std::vector<std::uint32_t> unpacked(std::span<const std::uint8_t> bytes, std::size_t rows) {
  std::vector<std::uint32_t> numbers;
  std::uint32_t above = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    if (numbers.size() % rows == 0) above = 0;
    std::uint32_t left = 0;
    int shift = 0;
    do left |= static_cast<std::uint32_t>(bytes[at] & 127) << shift, shift += 7;
    while (bytes[at++] & 128);
    numbers.push_back(above = left & 1 ? above - (left >> 1) : above + (left >> 1));
  }
  return numbers;
}

}  // namespace octet::text
