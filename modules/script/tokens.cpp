module octet.script;
import octet.base;
import octet.standard;
import :syntax;
import :tokens;

namespace octet::script {

namespace {

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || (static_cast<unsigned char>(c) & 0x80);
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Blanks that keyboards and web pages put where one is meant: no-break, ideographic, of no width.
constexpr std::string_view wide_blanks[] = {"\u00a0", "\u2002", "\u2003", "\u2009",
                                            "\u200b", "\u202f", "\u3000", "\ufeff"};

/// The character that begins there, and its bytes; none where it is ASCII, or where no character begins.
struct Wide {
  char32_t character = 0;
  std::size_t size = 0;
};

Wide wide_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(at);
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  char32_t character = size ? first & (0xffu >> (size + 1)) : 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return {};
    character = character << 6 | (byte(at + i) & 0x3f);
  }
  return {character, size};
}

/// Punctuation, arithmetic and the like beyond ASCII. Pictures may be names.
bool is_wide_sign(char32_t c) {
  const auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  if (c == 0xaa || c == 0xb5 || c == 0xba) return false;  // letters among them
  if (within(0x200c, 0x200d)) return false;               // which join letters, and pictures
  return within(0x80, 0xbf) || c == 0xd7 || c == 0xf7 || within(0x2000, 0x20ff) || within(0x2190, 0x25ff) ||
         within(0x27c0, 0x2b0f) || within(0x3000, 0x3003) || within(0x3008, 0x3011) || within(0x3014, 0x301f) ||
         within(0xfe30, 0xfe6f) || within(0xff5f, 0xff65) || within(0xffe0, 0xffff);
}

/// What is meant by signs that programs of this language write otherwise.
constexpr std::pair<std::string_view, std::string_view> written[] = {
    {"*", "\u00d7\u00b7\u22c5\u2217\u2219"},
    {"/", "\u00f7\u2215\u2044"},
    {"-", "\u2212\u2010\u2011\u2013\u2014"},
    {"<=", "\u2264\u2266"},
    {">=", "\u2265\u2267"},
    {"!=", "\u2260"},
    {"==", "\u2261"},
    {"@", "\u2297"},
    {"**2", "\u00b2"},
    {"**3", "\u00b3"},
    {",", "\u3001\uff64"},
    {".", "\u3002\uff61"},
    {"[", "\u3010\u3014\u300c\uff62"},
    {"]", "\u3011\u3015\u300d\uff63"},
    {"~", "\u00ac\uffe2"},
    {"&&", "\u2227"},
    {"||", "\u2228"},
};

constexpr std::string_view signs[] = {"**", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "<<", ">>"};
constexpr std::string_view single_signs = "+-*/%@&|^~!()[]{},:?=<>.;";

}  // namespace

Tokens::Tokens(std::string_view program, Span line, unsigned number) : program_{program}, line_{number} {
  for (std::size_t at = line.begin; at < line.end;) at = read_token(at, line.end);
  tokens_.push_back({Token::Kind::end, {}, line.end});
}

std::string in_ascii(std::string_view program) {
  std::string result;
  bool remark = false;
  for (std::size_t at = 0; at < program.size();) {
    const Wide wide = wide_at(program, at);
    const bool full_width = wide.character >= 0xff01 && wide.character <= 0xff5e;
    if (full_width && !remark)
      result += static_cast<char>(wide.character - 0xff01 + '!');
    else
      result += program.substr(at, std::max<std::size_t>(wide.size, 1));
    at += std::max<std::size_t>(wide.size, 1);
    remark = result.back() != '\n' && (remark || result.back() == '#' || result.ends_with("//"));
  }
  return result;
}

/// The bytes of one that begins there; 0 where none does.
std::size_t Tokens::wide_blank(std::size_t at) const {
  for (const std::string_view blank : wide_blanks)
    if (program_.substr(at).starts_with(blank)) return blank.size();
  return 0;
}

std::size_t Tokens::wide_sign(std::size_t at) const {
  const Wide wide = wide_at(program_, at);
  return is_wide_sign(wide.character) ? wide.size : 0;
}

std::size_t Tokens::read_token(std::size_t at, std::size_t end) {
  const char c = program_[at];
  if (c == ' ' || c == '\t' || c == '\r') return at + 1;
  if (const std::size_t blank = wide_blank(at)) return at + blank;
  if (c == '#') return end;
  if (program_.substr(at, 2) == "//") {
    require_remark(at + 2, end);
    return end;
  }
  if (const std::size_t sign = wide_sign(at)) cannot_read(program_.substr(at, sign));
  std::size_t stop = at + 1;
  Token::Kind kind = Token::Kind::sign;
  if (is_letter(c)) {
    kind = Token::Kind::name;
    while (stop < end && (is_letter(program_[stop]) || is_digit(program_[stop])) && !wide_blank(stop) &&
           !wide_sign(stop))
      ++stop;
  } else if (is_digit(c) || (c == '.' && stop < end && is_digit(program_[stop]))) {
    kind = Token::Kind::number;
    const auto exponent = [&] {
      return (program_[stop - 1] == 'e' || program_[stop - 1] == 'E') &&
             (program_[stop] == '-' || program_[stop] == '+');
    };
    while (stop < end &&
           (std::isalnum(static_cast<unsigned char>(program_[stop])) || program_[stop] == '.' || exponent()))
      ++stop;
  } else {
    for (const std::string_view sign : signs)
      if (program_.substr(at, end - at).starts_with(sign)) stop = at + sign.size();
    if (stop == at + 1 && single_signs.find(c) == single_signs.npos) cannot_read(program_.substr(at, 1));
  }
  tokens_.push_back({kind, program_.substr(at, stop - at), at});
  return stop;
}

/// Whether a line of `lines` names something so: `word = …`, `Array word = …` or `for word in …`.
static bool is_named(std::string_view lines, std::string_view word) {
  for (std::size_t at = lines.find(word); at != lines.npos; at = lines.find(word, at + 1)) {
    const std::string_view before = lines.substr(0, at), after = lines.substr(at + word.size());
    const std::string_view line = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
    if ((!line.empty() && (is_letter(line.back()) || is_digit(line.back()))) || line.find('#') != line.npos ||
        line.find("//") != line.npos)
      continue;
    const std::size_t next = std::min(after.find_first_not_of(" \t"), after.size());
    const std::string_view rest = after.substr(next);
    if ((rest.starts_with('=') && !rest.starts_with("==")) ||
        (line.find("for") != line.npos && next > 0 && (rest.starts_with("in") || rest.starts_with(':'))))
      return true;
  }
  return false;
}

/// Behind a value `//` begins a remark in C++, and divides in Python. What is wholly made of numbers, signs and names
/// that earlier lines gave is no remark.
void Tokens::require_remark(std::size_t at, std::size_t end) const {
  if (tokens_.empty()) return;
  const Token& last = tokens_.back();
  if (last.kind == Token::Kind::sign && last.text != ")" && last.text != "]") return;
  std::string_view rest = program_.substr(at, end - at);
  while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) rest.remove_prefix(1);
  while (!rest.empty() && (rest.back() == ' ' || rest.back() == '\r' || rest.back() == ';')) rest.remove_suffix(1);
  const std::string_view lines = program_.substr(0, program_.rfind('\n', at) + 1);
  bool divides = false;
  for (std::size_t i = 0; i < rest.size();) {
    std::size_t stop = i;
    while (stop < rest.size() && (is_letter(rest[stop]) || is_digit(rest[stop]) || rest[stop] == '.')) ++stop;
    if (stop == i) {
      if (std::string_view{" +-*/%()[],="}.find(rest[i++]) == std::string_view::npos) return;
      continue;
    }
    const std::string_view word = rest.substr(i, stop - i);
    // Words behind each other are a sentence.
    if (divides && i > 0 && rest[i - 1] == ' ' && i > 1 && (is_letter(rest[i - 2]) || is_digit(rest[i - 2]))) return;
    if (!is_digit(word.front()) && word.front() != '.' && !is_named(lines, word)) return;
    divides = true;
    i = stop;
  }
  if (divides)
    fail({.number = 730,
          .sentence = "'// " + shortened(rest) + "' is a remark in C++, and divides in Python.",
          .where = place_of(line_),
          .fix = {"write # before a remark",
                  "divide numbers by int(a / b), and arrays of integers by /, which rounds towards 0"}});
}

void Tokens::cannot_read(std::string_view text) const {
  std::vector<std::string> fix;
  for (const auto& [plain, others] : written)
    if (others.find(text) != others.npos) fix = {"write " + std::string{plain} + " instead"};
  for (const std::string_view quote : {"\"", "'", "\u2018", "\u2019", "\u201c", "\u201d"})
    if (text == quote) fix = {"leave the quotation marks out: a program has no text in it"};
  fail({.number = 730,
        .sentence = "'" + shortened(text) + "' is no part of this language.",
        .where = place_of(line_),
        .fix = std::move(fix)});
}

void Tokens::unexpected(const std::string& wanted) const {
  const std::string there = at_end() ? "the line ends" : "'" + shortened(next().text) + "' stands";
  fail({.number = 730,
        .sentence = "Line " + std::to_string(line_) + " could be read if " + wanted + "; there " + there + ".",
        .where = place_of(line_)});
}

}  // namespace octet::script
