module octet.train;
import octet.base;
import octet.standard;
import octet.text;
import :encoded_sentence;

namespace octet::train {

EncodedSentence encoded_sentence(const text::WordPiece& tokenizer, std::string_view sentence, std::int64_t positions) {
  EncodedSentence result{tokenizer.encode(sentence, {.recognize_special = true, .add_special = true}),
                         Tensor::full<std::int32_t>({1, positions}, tokenizer.special_ids().padding),
                         Tensor{DType::i32, {1, positions}}};
  if (result.length() > positions)
    fail([&] {
      return Diagnostic{.number = 713,
                        .sentence = "The sentence has " + std::to_string(result.length()) +
                                    " tokens with [CLS] and [SEP], and the model takes " + std::to_string(positions) +
                                    "."};
    });
  std::ranges::copy(result.encoding.ids, result.ids.mutable_span<std::int32_t>().begin());
  std::fill_n(result.attention_mask.mutable_span<std::int32_t>().begin(), result.length(), 1);
  return result;
}

}  // namespace octet::train
