/// The alphabet of byte-level BPE: a printable character for each byte, so that pieces that hold blanks, control
/// characters or parts of a character can be written in text files. (Radford et al. 2019, the files of GPT-2.)
export module octet.text:byte_alphabet;
import octet.standard;

export namespace octet::text {

/// The character that stands for `byte`: itself where it is printable in Latin-1, else U+0100 and up, in order.
char32_t character_of_byte(unsigned char byte);
/// The byte that `character` stands for, or nothing.
std::optional<unsigned char> byte_of_character(char32_t character);

/// A character of the alphabet for each byte, as UTF-8: ` the` is `Ġthe`.
std::string to_byte_alphabet(std::string_view bytes);
/// The bytes that such a text stands for; nothing where it has a character outside the alphabet.
std::optional<std::string> from_byte_alphabet(std::string_view text);

}  // namespace octet::text
