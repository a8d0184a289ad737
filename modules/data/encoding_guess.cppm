/// Guessing what an undecodable text was written in, so that a message can name the command that mends it.
export module octet.data:encoding_guess;
import octet.standard;

export namespace octet::data {

/// The likeliest of the encodings that Korean, Japanese and western European texts were written in before UTF-8, by the
/// name that iconv knows: CP949, EUC-JP, SHIFT_JIS or WINDOWS-1252. `bytes` is a sample that is not UTF-8.
std::string_view guess_encoding(std::string_view bytes);

/// What kind of file begins like this ("a gzip archive"), where its first bytes are those of a well-known binary
/// format; else empty.
std::string_view guess_binary_format(std::string_view first_bytes);

}  // namespace octet::data
