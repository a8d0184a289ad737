/// What a BERT takes of a text or of two: ids with [CLS] and [SEP], cut to a length and padded to one.
export module octet.text:model_input;
import octet.standard;
import :encoding;
import :normalize;
import :wordpiece;

export namespace octet::text {

/// Which of two texts loses tokens, from its end.
enum class Truncation {
  longest_first,  ///< the longer one, until both are of one length; then both. (Words that begin beyond max_length do
                  ///< not count.)
  only_first,
  only_second
};

struct ModelInputOptions {
  std::optional<std::size_t> max_length = {};  ///< tokens at most, the special ones included
  Truncation truncation = Truncation::longest_first;
  std::size_t pad_to = 0;              ///< tokens at least
  std::size_t pad_to_multiple_of = 0;  ///< after that
  bool recognize_special = true;       ///< as in EncodeOptions
};

/// Lists of one length. (The ids and offsets are those of Hugging Face's tokenizers for the same options.)
struct ModelInput {
  std::vector<std::int32_t> ids;
  std::vector<std::int32_t> type_ids;        ///< 1 for the second text and its [SEP]
  std::vector<std::int32_t> attention_mask;  ///< 0 for padding
  std::vector<Span> offsets;                 ///< in bytes of the text that the token is of; {0, 0} for special ones
  friend bool operator==(const ModelInput&, const ModelInput&) = default;
};

/// [CLS] first [SEP], and with a second text: second [SEP]. Throws X709 where max_length has no room for the special
/// tokens or only_second is asked for without a second text, X741 where the one text that may lose tokens has too few,
/// unless max_length leaves room for no token of either.
ModelInput model_input(const WordPiece& tokenizer, std::string_view first, std::optional<std::string_view> second,
                       const ModelInputOptions& options = {});

}  // namespace octet::text
