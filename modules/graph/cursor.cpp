module octet.graph;
import octet.base;
import octet.standard;
import :cursor;
import :literal;

namespace octet::syntax {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '.';
}

}  // namespace

Cursor::Cursor(std::string_view text, std::string file) : text_{text}, file_{std::move(file)}, lines_{0} {
  for (std::size_t end = text_.find('\n'); end != std::string_view::npos; end = text_.find('\n', end + 1))
    lines_.push_back(end + 1);
}

void Cursor::skip() {
  while (at_ < text_.size()) {
    if (text_.substr(at_).starts_with("//"))
      skip_line();
    else if (std::string_view{" \t\r\n"}.find(text_[at_]) != std::string_view::npos)
      ++at_;
    else
      break;
  }
}

void Cursor::skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

void Cursor::skip_past(std::string_view end) {
  const std::size_t found = text_.find(end, at_);
  if (found == text_.npos) refuse(at_, "'" + std::string{end} + "' does not come");
  at_ = found + end.size();
}

std::size_t Cursor::position() {
  skip();
  return at_;
}

char Cursor::peek() {
  skip();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool Cursor::sees(std::string_view token) {
  skip();
  if (!text_.substr(at_).starts_with(token)) return false;
  const std::size_t end = at_ + token.size();
  return !is_word(token.back()) || end == text_.size() || !is_word(text_[end]);
}

bool Cursor::accept(std::string_view token) {
  if (!sees(token)) return false;
  at_ += token.size();
  return true;
}

void Cursor::expect(std::string_view token) {
  if (!accept(token)) fail("'" + std::string{token} + "'");
}

std::string_view Cursor::word(std::string_view more) {
  skip();
  const std::size_t from = at_;
  while (at_ < text_.size() && (is_word(text_[at_]) || more.find(text_[at_]) != std::string_view::npos)) ++at_;
  return between(from, at_);
}

std::string Cursor::symbol() {
  expect("@");
  if (peek() == '"') return string();
  const std::string_view name = word("-");
  if (name.empty()) fail("a name");
  return std::string{name};
}

std::string Cursor::string() {
  const std::size_t start = position();
  if (peek() != '"') fail("a string");
  ++at_;
  std::string value;
  while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
    char c = text_[at_++];
    if (c == '\\') {
      const char escaped = at_ < text_.size() ? text_[at_] : '\0';
      const int high = literal::hexadecimal(escaped);
      const int low = at_ + 1 < text_.size() ? literal::hexadecimal(text_[at_ + 1]) : -1;
      if (high >= 0 && low >= 0) {
        c = static_cast<char>(high * 16 + low);
        ++at_;
      } else if (escaped == 'n') {
        c = '\n';
      } else if (escaped == 't') {
        c = '\t';
      } else if (escaped == '"' || escaped == '\\') {
        c = escaped;
      } else {
        refuse(at_ - 1, "'\\' in a string is not followed by n, t, a quote, another '\\' or two hexadecimal digits");
      }
      ++at_;
    }
    value += c;
  }
  if (at_ == text_.size() || text_[at_] != '"') refuse(start, "the string that begins here does not end on its line");
  ++at_;
  return value;
}

std::int64_t Cursor::integer() {
  const std::size_t from = position();
  std::int64_t value = 0;
  const std::string_view number = literal();
  if (!literal::read_number(number, value)) {
    at_ = from;
    fail("an integer");
  }
  if (value > largest_integer || value < -largest_integer)
    refuse(from, std::string{number} + " is larger than any dimension that Octet knows");
  return value;
}

std::string_view Cursor::literal() {
  skip();
  const std::size_t from = at_;
  if (at_ < text_.size() && text_[at_] == '-') ++at_;
  while (at_ < text_.size() && (is_word(text_[at_]) || ((text_[at_] == '+' || text_[at_] == '-') &&
                                                        (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E') &&
                                                        at_ > from && !text_.substr(from).starts_with("0x"))))
    ++at_;
  return between(from, at_);
}

void Cursor::skip_brackets() { skip_to_closing({}); }

void Cursor::skip_to_closing(std::string closing) {
  constexpr std::string_view brackets = "<([{>)]}";
  const std::size_t start = position();
  do {
    const char c = peek();
    if (at_end()) refuse(start, "the bracket that opens here is not closed");
    if (c == '"') {
      string();
      continue;
    }
    if (accept("->")) continue;
    const std::size_t which = brackets.find(c);
    if (which < 4) {
      closing += brackets[which + 4];
    } else if (which < 8) {
      if (closing.empty() || closing.back() != c)
        fail(closing.empty() ? "an opening bracket" : "'" + closing.substr(closing.size() - 1) + "'");
      closing.pop_back();
    }
    ++at_;
  } while (!closing.empty());
}

bool Cursor::at_end() { return position() == text_.size(); }

unsigned Cursor::line_at(std::size_t position) const {
  return static_cast<unsigned>(std::upper_bound(lines_.begin(), lines_.end(), position) - lines_.begin());
}

void Cursor::fail(const std::string& expected) {
  const std::size_t here = position();
  std::string found = "the end of the text";
  if (here < text_.size()) {
    std::size_t end = here + 1;
    while (end < text_.size() && end < here + 24 && is_word(text_[here]) && is_word(text_[end])) ++end;
    // A character of several bytes is quoted whole.
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0u) == 0x80u) ++end;
    found = "'" + std::string{between(here, end)} + "'";
  }
  refuse(here, "expected " + expected + " and found " + found);
}

void Cursor::refuse(std::size_t position, const std::string& sentence, std::string fix) const {
  octet::fail(fault(407, position, sentence, std::move(fix)));
}

void Cursor::unknown(std::size_t position, const std::string& sentence, std::string fix) const {
  octet::fail(fault(410, position, sentence, std::move(fix)));
}

Diagnostic Cursor::fault(int number, std::size_t position, const std::string& sentence, std::string fix) const {
  const unsigned line = line_at(position);
  Diagnostic diagnostic{.number = number,
                        .sentence = "Line " + std::to_string(line) + ", column " +
                                    std::to_string(position - lines_[line - 1] + 1) + ": " + sentence + ".",
                        .where = {file_, line, {}}};
  if (!fix.empty()) diagnostic.fix.push_back(std::move(fix));
  return diagnostic;
}

}  // namespace octet::syntax
