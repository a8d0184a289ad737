module octet.data;
import octet.standard;

namespace octet::data {

namespace {

using Table = std::array<std::array<std::uint32_t, 256>, 8>;

// Row k says what a byte does to the checksum k bytes later, so eight bytes are taken at once.
constexpr Table make_table() {
  constexpr std::uint32_t reflected_polynomial = 0x82f6'3b78u;
  Table table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) remainder = remainder >> 1 ^ (remainder & 1 ? reflected_polynomial : 0);
    table[0][byte] = remainder;
  }
  for (std::size_t row = 1; row < 8; ++row)
    for (std::size_t byte = 0; byte < 256; ++byte)
      table[row][byte] = table[row - 1][byte] >> 8 ^ table[0][table[row - 1][byte] & 255];
  return table;
}

constexpr Table table = make_table();

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  const auto byte = [&](std::size_t at) { return std::uint32_t{static_cast<unsigned char>(bytes[at])}; };
  while (bytes.size() >= 8) {
    crc ^= byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
    crc = table[7][crc & 255] ^ table[6][crc >> 8 & 255] ^ table[5][crc >> 16 & 255] ^ table[4][crc >> 24] ^
          table[3][byte(4)] ^ table[2][byte(5)] ^ table[1][byte(6)] ^ table[0][byte(7)];
    bytes.remove_prefix(8);
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) crc = crc >> 8 ^ table[0][(crc ^ byte(at)) & 255];
  return ~crc;
}

std::uint32_t masked_crc32c(std::string_view bytes) { return std::rotr(crc32c(bytes), 15) + 0xa282'ead8u; }

}  // namespace octet::data
