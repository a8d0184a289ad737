module octet.data;
import octet.standard;

namespace octet::data {

namespace {

unsigned char byte_at(std::string_view bytes, std::size_t i) { return static_cast<unsigned char>(bytes[i]); }

bool within(unsigned char byte, unsigned char low, unsigned char high) { return byte >= low && byte <= high; }

// How many of the bytes above 0x7F fit two-byte characters of a kind, and how many of those are kana.
struct Fit {
  std::size_t fitting = 0, kana = 0;
};

Fit fit_euc(std::string_view bytes) {
  Fit fit;
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
    if (!within(byte_at(bytes, i), 0xA1, 0xFE) || !within(byte_at(bytes, i + 1), 0xA1, 0xFE)) continue;
    fit.fitting += 2;
    if (byte_at(bytes, i) == 0xA4 || byte_at(bytes, i) == 0xA5) fit.kana += 2;
    ++i;
  }
  return fit;
}

Fit fit_shift_jis(std::string_view bytes) {
  Fit fit;
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
    const unsigned char lead = byte_at(bytes, i), trail = byte_at(bytes, i + 1);
    if (!(within(lead, 0x81, 0x9F) || within(lead, 0xE0, 0xEF)) ||
        !(within(trail, 0x40, 0x7E) || within(trail, 0x80, 0xFC)))
      continue;
    fit.fitting += trail >= 0x80 ? 2 : 1;
    if (lead == 0x82 || lead == 0x83) fit.kana += trail >= 0x80 ? 2 : 1;
    ++i;
  }
  return fit;
}

}  // namespace

std::string_view guess_encoding(std::string_view bytes) {
  std::size_t high = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) high += byte_at(bytes, i) >= 0x80;
  const Fit euc = fit_euc(bytes), shift_jis = fit_shift_jis(bytes);
  if (shift_jis.kana * 3 >= high && shift_jis.kana > euc.kana && shift_jis.fitting * 10 >= high * 8) return "SHIFT_JIS";
  if (high >= 2 && euc.fitting * 10 >= high * 9) return euc.kana * 4 >= euc.fitting ? "EUC-JP" : "CP949";
  return "WINDOWS-1252";
}

std::string_view guess_binary_format(std::string_view first_bytes) {
  constexpr struct {
    std::string_view beginning, name;
  } formats[] = {
      {"\x1f\x8b", "a gzip archive"},
      {"BZh", "a bzip2 archive"},
      {"\xfd"
       "7zXZ",
       "an xz archive"},
      {"\x28\xb5\x2f\xfd", "a zstd archive"},
      {"PK\x03\x04", "a zip archive or office document"},
      {"%PDF-", "a PDF document"},
      {"\x89PNG", "a PNG image"},
      {"\xff\xd8\xff", "a JPEG image"},
      {"\x7f"
       "ELF",
       "a program"},
  };
  for (const auto& format : formats)
    if (first_bytes.starts_with(format.beginning)) return format.name;
  return {};
}

}  // namespace octet::data
