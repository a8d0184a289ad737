// Any bytes come back from their ids, and the ranges of the pieces follow each other; an encoder that remembers the
// texts before gives the same. Of short inputs, a tokenizer that has learned from half of them gives their bytes back
// too.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

import octet.base;
import octet.text;

using namespace octet;

namespace {

text::Bpe trained(bool add_prefix_space) {
  text::BpeTrainer trainer{{.vocab_size = 320, .add_prefix_space = add_prefix_space}};
  for (const char* line :
       {"in the beginning God created the heaven and the earth, 1234567890 they're",
        "  the   the \u00e9t\u00e9 \u00c9COLE \uac00\ub098\ub2e4 \uac00\ub098", "\u304b\u3099 \U0001F600\U0001F600"})
    for (int times = 0; times < 2; ++times) trainer.add(line);
  return trainer.train();
}

/// Four bytes and what they are joined to; the other bytes are passed over.
text::Bpe with_missing_bytes() {
  return text::Bpe{{.pieces = {"a", "b", "\u0120", "e", "ab", "\u0120ab"}, .merges = {{"a", "b"}, {"\u0120", "ab"}}}};
}

void require(bool holds) {
  if (!holds) std::abort();
}

void require_within(const text::Encoding& encoding, std::size_t size) {
  require(encoding.ids.size() == encoding.offsets.size());
  for (const auto [begin, end] : encoding.offsets) require(begin <= end && end <= size);
}

void require_side_by_side(const text::Encoding& encoding, std::size_t size) {
  std::size_t at = 0;
  for (const auto [begin, end] : encoding.offsets) {
    require(begin == at && end > begin);
    at = end;
  }
  require(at == size);
}

/// A tokenizer, and an encoder that has seen all inputs before.
struct Kept {
  text::Bpe tokenizer;
  text::BpeEncoder encoder{tokenizer};
  std::vector<std::int32_t> ids = {};

  explicit Kept(text::Bpe bpe) : tokenizer{std::move(bpe)} {}
  Kept(const Kept&) = delete;

  text::Encoding encode(std::string_view bytes) {
    text::Encoding encoding = encoder.encode(bytes, {.recognize_special = false});
    const text::Encoding fresh = tokenizer.encode(bytes, {.recognize_special = false});
    require(fresh.ids == encoding.ids && fresh.offsets == encoding.offsets);
    ids.clear();
    encoder.append_ids(bytes, ids);
    require(ids == encoding.ids);
    require_within(encoding, bytes.size());
    require_within(encoder.encode(bytes), bytes.size());
    return encoding;
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Kept plain{trained(false)}, spaced{trained(true)}, sparse{with_missing_bytes()};
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};

  const text::Encoding encoding = plain.encode(bytes);
  require(plain.tokenizer.decode(encoding.ids, false) == bytes);
  require_side_by_side(encoding, size);

  const bool begins_without = !bytes.empty() && bytes.front() != ' ';
  require(spaced.tokenizer.decode(spaced.encode(bytes).ids, false) == (begins_without ? " " : "") + std::string{bytes});

  sparse.encode(bytes);

  if (size == 0 || size > 48 || size % 16 != 0) return 0;
  text::BpeTrainer trainer{{.vocab_size = 320}};
  trainer.add(bytes.substr(0, size / 2));
  const text::Bpe learned = trainer.train();
  const text::Encoding own = learned.encode(bytes);
  require(learned.decode(own.ids, false) == bytes);
  require_side_by_side(own, size);
  return 0;
}
