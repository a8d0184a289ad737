/// From lines to training examples: token sequences [CLS] … [SEP] of a bounded length.
export module octet.data:packing;
import octet.standard;
import octet.text;

export namespace octet::data {

enum class Packing {
  /// Each line is an example of its own, padded later; a line longer than fits is split into several.
  none,
  /// Lines are joined, in order, and the stream of tokens is cut into full examples; only the last one is shorter. The
  /// default: no padding, every position of every step learns, and words see the line before theirs. (RoBERTa's "full
  /// sentences".)
  lines,
};

struct PackingOptions {
  std::int64_t max_length = 64;  ///< tokens of an example, [CLS] and [SEP] included
  Packing packing = Packing::lines;
};

/// Token sequences one after another in one buffer.
class Examples {
 public:
  void add(std::span<const std::int32_t> tokens) {
    ids_.insert(ids_.end(), tokens.begin(), tokens.end());
    ends_.push_back(ids_.size());
  }
  std::size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }
  /// The tokens of example `index`, which is below size(), [CLS] and [SEP] included.
  std::span<const std::int32_t> operator[](std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return {ids_.data() + begin, ends_[index] - begin};
  }
  std::int64_t length(std::size_t index) const { return static_cast<std::int64_t>((*this)[index].size()); }
  /// The lengths of all examples.
  std::vector<std::int64_t> lengths() const;
  /// Tokens of all examples together.
  std::size_t tokens() const { return ids_.size(); }

 private:
  std::vector<std::int32_t> ids_;
  std::vector<std::size_t> ends_;
};

/// Encodes the lines and packs them. Names of special tokens in the text are plain text here. An example of unknown
/// tokens alone is left out: it has nothing to guess. Throws X706 where no example results, X709 for a `max_length`
/// below 3.
Examples pack(const text::WordPiece& tokenizer, std::span<const std::string> lines, PackingOptions options = {});

}  // namespace octet::data
