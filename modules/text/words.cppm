/// Splitting clean text into words, as BERT's basic tokenizer does: at white space, and around each punctuation
/// character.
export module octet.text:words;
import octet.standard;
import :normalize;

export namespace octet::text {

/// Where the first segment of a text ends: at the end of an ordinary line, after some 64 KB of a long one, so that
/// working on it takes little memory. Cut at white space; after 1 MB without any, behind punctuation; without that,
/// between two characters. What follows the first `longest_segment` bytes and one makes no difference.
std::size_t segment_end(std::string_view text);
inline constexpr std::size_t surely_one_segment = std::size_t{1} << 16, longest_segment = std::size_t{1} << 20;
/// Calls `function` with the segments of `text`, in order, and where each begins; once where the text is empty.
void for_each_segment(std::string_view text,
                      const std::function<void(std::string_view segment, std::size_t begin)>& function);

/// The words of `characters` as half-open ranges of character positions.
std::vector<Span> split_words(std::u32string_view characters);

}  // namespace octet::text
