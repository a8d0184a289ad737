/// Texts gathered until there are enough of them for threads to share.
export module octet.data:text_block;
import octet.standard;

export namespace octet::data {

class TextBlock {
 public:
  /// A copy: what is given may go.
  void add(std::string_view text) {
    bytes_ += text;
    ends_.push_back(bytes_.size());
  }
  bool full() const { return bytes_.size() >= (std::size_t{1} << 20) || ends_.size() >= (std::size_t{1} << 16); }
  bool empty() const { return ends_.empty(); }
  std::size_t size() const { return ends_.size(); }
  /// Valid until something is added.
  std::vector<std::string_view> texts() const {
    std::vector<std::string_view> texts;
    texts.reserve(ends_.size());
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      texts.push_back(std::string_view{bytes_}.substr(begin, end - begin));
      begin = end;
    }
    return texts;
  }
  void clear() {
    bytes_.clear();
    ends_.clear();
  }

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;
};

}  // namespace octet::data
