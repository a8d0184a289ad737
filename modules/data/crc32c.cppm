/// CRC-32C, the checksum of record files.
export module octet.data:crc32c;
import octet.standard;

export namespace octet::data {

/// The CRC-32C (Castagnoli's polynomial; RFC 3720, appendix B.4) of `bytes`, or of them after others that have the
/// checksum `before`.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);

/// As record files hold it: rotated and moved, so that a checksum over bytes that contain checksums stays a good one.
std::uint32_t masked_crc32c(std::string_view bytes);

}  // namespace octet::data
