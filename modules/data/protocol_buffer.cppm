/// Protocol buffers as they are written: fields of numbers and of bytes. Internal to octet.data.
export module octet.data:protocol_buffer;
import octet.standard;
import :byte_order;

namespace octet::data {

enum Wire : std::uint32_t { varint = 0, fixed64 = 1, delimited = 2, fixed32 = 5 };

inline void append_varint(std::string& to, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) to += static_cast<char>(static_cast<unsigned char>(number | 0x80));
  to += static_cast<char>(number);
}

inline void append_number(std::string& to, std::uint32_t field, std::uint64_t number) {
  append_varint(to, field << 3 | Wire::varint);
  append_varint(to, number);
}

inline void append_float(std::string& to, std::uint32_t field, float number) {
  append_varint(to, field << 3 | fixed32);
  append_little_endian(to, std::bit_cast<std::uint32_t>(number));
}

inline void append_double(std::string& to, std::uint32_t field, double number) {
  append_varint(to, field << 3 | fixed64);
  append_little_endian(to, std::bit_cast<std::uint64_t>(number));
}

inline void append_delimited(std::string& to, std::uint32_t field, std::string_view content) {
  append_varint(to, field << 3 | delimited);
  append_varint(to, content.size());
  to += content;
}

}  // namespace octet::data
