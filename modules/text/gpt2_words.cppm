/// Splitting text into words as GPT-2 does before it joins bytes. (Radford et al. 2019; its pattern is
/// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`.)
export module octet.text:gpt2_words;
import octet.standard;

export namespace octet::text {

/// A longer word than this many bytes is cut between two characters, so that working on it takes little memory.
inline constexpr std::size_t longest_gpt2_word = std::size_t{1} << 20;

/// Where the word ends that begins at `text[begin]`; `begin` must lie within `text`. Words follow each other without
/// gaps. Bytes that are not UTF-8 count as punctuation does.
std::size_t gpt2_word_end(std::string_view text, std::size_t begin);

/// How many of the first bytes can be taken as a text of its own, whatever follows them, and give the same words: all
/// but some more than a megabyte.
std::size_t gpt2_words_in_full(std::string_view text);

}  // namespace octet::text
