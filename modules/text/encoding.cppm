/// What encoding text gives, and how it can be asked to go about it: the same for every kind of tokenizer.
export module octet.text:encoding;
import octet.standard;
import :normalize;

export namespace octet::text {

struct EncodeOptions {
  /// Whether the special tokens' own names in the text ("[MASK]") stand for those tokens. Texts to train on want
  /// `false`.
  bool recognize_special = true;
  /// Whether [CLS] is put first and [SEP] last. BPE has no such tokens and takes no notice.
  bool add_special = false;
};

/// Ids, and for each the bytes of the text it came from ({0, 0} for [CLS] and [SEP] that were added).
struct Encoding {
  std::vector<std::int32_t> ids;
  std::vector<Span> offsets;
};

/// Called with one part of an encoding after the other.
using EncodingFunction = std::function<void(const Encoding& part)>;

}  // namespace octet::text

namespace octet::text {

// Gives out what was encoded so far where it is much and parts are asked for.
inline void give_part(Encoding& encoding, const EncodingFunction& take) {
  constexpr std::size_t much = std::size_t{1} << 15;
  if (encoding.ids.size() < much || !take) return;
  take(encoding);
  encoding.ids.clear();
  encoding.offsets.clear();
}

}  // namespace octet::text
