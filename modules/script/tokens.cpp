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

constexpr std::string_view signs[] = {"**", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "<<", ">>"};
constexpr std::string_view single_signs = "+-*/%@&|^~!()[]{},:?=<>.;";

}  // namespace

Tokens::Tokens(std::string_view program, Span line, unsigned number) : program_{program}, line_{number} {
  for (std::size_t at = line.begin; at < line.end;) at = read_token(at, line.end);
  tokens_.push_back({Token::Kind::end, {}, line.end});
}

/// The bytes of one that begins there; 0 where none does.
std::size_t Tokens::wide_blank(std::size_t at) const {
  for (const std::string_view blank : wide_blanks)
    if (program_.substr(at).starts_with(blank)) return blank.size();
  return 0;
}

std::size_t Tokens::read_token(std::size_t at, std::size_t end) {
  const char c = program_[at];
  if (c == ' ' || c == '\t' || c == '\r') return at + 1;
  if (const std::size_t blank = wide_blank(at)) return at + blank;
  if (c == '#' || program_.substr(at, 2) == "//") return end;
  std::size_t stop = at + 1;
  Token::Kind kind = Token::Kind::sign;
  if (is_letter(c)) {
    kind = Token::Kind::name;
    while (stop < end && (is_letter(program_[stop]) || is_digit(program_[stop])) && !wide_blank(stop)) ++stop;
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

void Tokens::cannot_read(std::string_view text) const {
  fail({.number = 730, .sentence = "'" + shortened(text) + "' is no part of this language.", .where = place_of(line_)});
}

void Tokens::unexpected(const std::string& wanted) const {
  const std::string there = at_end() ? "the line ends" : "'" + shortened(next().text) + "' stands";
  fail({.number = 730,
        .sentence = "Line " + std::to_string(line_) + " could be read if " + wanted + "; there " + there + ".",
        .where = place_of(line_)});
}

}  // namespace octet::script
