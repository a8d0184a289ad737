/// Scripts as trees: one line, one statement. Internal to octet.script.
module octet.script:syntax;
import octet.base;
import octet.standard;

namespace octet::script {

/// A part of the program's text.
struct Span {
  std::size_t begin = 0, end = 0;
};

struct Expression {
  enum class Kind {
    name,    ///< text
    number,  ///< text
    list,    ///< parts
    call,    ///< text of parts, some with keywords
    index,   ///< parts[0] at parts[1], parts[2], …, one for each dimension
    part,    ///< of an index: from parts[0] up to parts[1], each of which may be left out
    absent,  ///< an end of a part that is left out
    member,  ///< text of parts[0]
    unary,   ///< operator text
    binary,  ///< operator text
    choice,  ///< parts[1] where parts[0] holds, else parts[2]
  };
  Kind kind = Kind::name;
  std::string text = {};
  std::vector<Expression> parts = {};
  std::vector<std::string> keywords = {};  ///< of a call, one for each part; empty for those by position
  Span span = {};
  std::size_t depth = 1;
};

struct Statement {
  enum class Kind {
    assign,  ///< name = parts[0]; with an operator, name op= parts[0]
    change,  ///< parts[0], which is indexed, = parts[1]; with an operator, parts[0] op= parts[1]
    show,    ///< parts[0]
    branch,  ///< if parts[0], bodies[0], else bodies[1]
    loop,    ///< while parts[0], bodies[0]
    each,    ///< for name in parts[0], bodies[0]
    give,    ///< return parts
    claim,   ///< assert parts[0]
  };
  Kind kind = Kind::show;
  std::string name = {}, op = {};
  std::string type = {};  ///< that C++ would declare the name with: float, bool, int, auto, …
  std::vector<Expression> parts = {};
  std::vector<Statement> bodies = {};
  Span span = {};
  unsigned line = 0;
};

/// Of each line that could be read its statement, and X730 or X734 for the others.
struct Program {
  std::vector<Statement> statements;
  std::vector<Diagnostic> faults;
};

Program parse(std::string_view text, std::size_t most_lines, std::size_t most_characters, std::size_t most_depth);

/// Where messages say that line `line` is.
Place place_of(unsigned line);
/// At most `most` bytes of `text`, cut between characters.
std::string shortened(std::string_view text, std::size_t most = 40);

}  // namespace octet::script
