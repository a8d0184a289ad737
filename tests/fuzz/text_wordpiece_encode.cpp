// Any bytes are a text that WordPiece encodes, with every clean-up, to ids of its vocabulary and ranges of the text; an
// encoder that remembers the texts before gives the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

import octet.base;
import octet.text;

using namespace octet;

namespace {

text::WordPiece trained(bool clean) {
  text::WordPieceTrainer trainer{
      {.vocab_size = 300,
       .min_frequency = 1,
       .clean_up = {.clean_text = clean, .handle_chinese_chars = clean, .lowercase = clean, .strip_accents = clean}}};
  trainer.add("in the beginning God created the heaven and the earth, 1234567890");
  trainer.add("\u00e9t\u00e9 \u00c9COLE \uac00\ub098\ub2e4 \u4e00\u4e8c\u4e09 \u304b\u3099 \U0001F600");
  return trainer.train();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const text::WordPiece tokenizers[] = {trained(true), trained(false)};
  const std::string_view input{reinterpret_cast<const char*>(bytes), size};
  static text::WordPieceEncoder encoders[] = {text::WordPieceEncoder{tokenizers[0]},
                                              text::WordPieceEncoder{tokenizers[1]}};
  for (const bool clean : {true, false}) {
    const text::WordPiece& tokenizer = tokenizers[clean ? 0 : 1];
    const text::EncodeOptions options{.add_special = size % 2 == 0};
    const text::Encoding encoding = tokenizer.encode(input, options);
    const text::Encoding again = encoders[clean ? 0 : 1].encode(input, options);
    if (again.ids != encoding.ids || again.offsets != encoding.offsets) std::abort();
    if (encoding.ids.size() != encoding.offsets.size()) std::abort();
    for (const std::int32_t id : encoding.ids) static_cast<void>(tokenizer.vocabulary().piece(id));
    for (const auto [begin, end] : encoding.offsets)
      if (begin > end || end > size) std::abort();
    for (const auto [begin, end] : text::in_characters(input, encoding.offsets))
      if (begin > end || end > size) std::abort();
    if (text::find_invalid_utf8(tokenizer.decode(encoding.ids))) std::abort();
  }
  return 0;
}
