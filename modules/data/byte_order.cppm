/// Whole numbers as little-endian bytes, as record files and token files hold them. Internal to octet.data.
export module octet.data:byte_order;
import octet.standard;

export namespace octet::data {

template <std::unsigned_integral T>
void append_little_endian(std::string& to, T number) {
  for (std::size_t i = 0; i < sizeof(T); ++i) to += static_cast<char>(static_cast<unsigned char>(number >> 8 * i));
}

/// The number that `bytes` begins with; it has as many bytes at least.
template <std::unsigned_integral T>
T little_endian(std::string_view bytes) {
  T number = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    number = static_cast<T>(number | static_cast<T>(static_cast<T>(static_cast<unsigned char>(bytes[i])) << 8 * i));
  return number;
}

}  // namespace octet::data
