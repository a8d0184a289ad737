/// One sentence as a model takes it, at the model's full length: whatever the sentence, one program. Internal to
/// octet.train.
module octet.train:encoded_sentence;
import octet.base;
import octet.standard;
import octet.text;

namespace octet::train {

struct EncodedSentence {
  text::Encoding encoding;
  Tensor ids, attention_mask;  ///< i32 [1, positions]

  std::int64_t length() const { return static_cast<std::int64_t>(encoding.ids.size()); }
};

/// With [CLS] and [SEP]; special tokens are recognized in the sentence. Throws X713 where it is longer than
/// `positions`.
EncodedSentence encoded_sentence(const text::WordPiece& tokenizer, std::string_view sentence, std::int64_t positions);

}  // namespace octet::train
