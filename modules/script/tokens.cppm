/// The tokens of a script's line, and a place among them. Internal to octet.script.
module octet.script:tokens;
import octet.base;
import octet.standard;
import :syntax;

namespace octet::script {

struct Token {
  enum class Kind { name, number, sign, end };
  Kind kind = Kind::end;
  std::string_view text;
  std::size_t begin = 0;  ///< in the program's text
  std::size_t end() const { return begin + text.size(); }
};

/// With full-width forms, which keyboards of East Asia give, as what they stand for; remarks stay as they are.
std::string in_ascii(std::string_view program);

/// Throws X730 where there is something that is no token.
class Tokens {
 public:
  Tokens(std::string_view program, Span line, unsigned number);

  bool empty() const { return tokens_.size() == 1; }
  unsigned line() const { return line_; }
  const Token& next(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  bool at_end() const { return next().kind == Token::Kind::end; }
  bool is(std::string_view text, std::size_t ahead = 0) const {
    return next(ahead).text == text && next(ahead).kind != Token::Kind::end;
  }
  bool take(std::string_view text) {
    if (!is(text)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view text, const std::string& after) {
    if (!take(text)) unexpected("'" + std::string{text} + "' stood " + after);
  }
  /// The one here, which is passed over.
  std::string_view pass() { return tokens_[at_++].text; }
  /// Where the last one that was passed over ends, in the program's text.
  std::size_t passed() const { return tokens_[at_ - 1].end(); }
  std::string text_of(Span span) const { return std::string{program_.substr(span.begin, span.end - span.begin)}; }
  bool is_name(std::size_t ahead = 0) const { return next(ahead).kind == Token::Kind::name; }
  /// Throws X730: `wanted` would have been a line.
  [[noreturn]] void unexpected(const std::string& wanted) const;

 private:
  std::size_t wide_blank(std::size_t at) const;
  std::size_t wide_sign(std::size_t at) const;
  std::size_t read_token(std::size_t at, std::size_t end);
  void require_remark(std::size_t at, std::size_t end) const;
  [[noreturn]] void cannot_read(std::string_view text) const;

  std::string_view program_;
  unsigned line_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace octet::script
