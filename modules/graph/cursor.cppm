/// A place in a text that is being read: white space and comments are stepped over, and what cannot be read is named by
/// line and column.
module octet.graph:cursor;
import octet.base;
import octet.standard;

namespace octet::syntax {

class Cursor {
 public:
  /// `file` names the text in messages.
  Cursor(std::string_view text, std::string file);

  /// Steps over `token` if it comes next; a word only where it ends there.
  bool accept(std::string_view token);
  /// Steps over `token`; throws X407 where something else comes.
  void expect(std::string_view token);
  /// Whether `token` comes next.
  bool sees(std::string_view token);
  /// The next character, 0 at the end.
  char peek();

  /// Calls `read` for each of the items between `open` and `close`, which commas part.
  template <class Read>
  void list(std::string_view open, std::string_view close, Read&& read) {
    expect(open);
    for (bool first = true; !accept(close); first = false) {
      if (!first) expect(",");
      read();
    }
  }

  /// Letters, digits, `_`, `$`, `.` and what else stands in `more`; empty where none comes.
  std::string_view word(std::string_view more = {});
  /// The word after `@`, quoted or not.
  std::string symbol();
  std::string string();
  /// An integer that fits the dimensions of a tensor.
  std::int64_t integer();
  /// A number or truth value, as written; empty where none comes.
  std::string_view literal();
  /// Steps over what is in brackets, brackets included, up to the one that closes the first.
  void skip_brackets();
  /// The same from within brackets that `closing` will close, the last one first.
  void skip_to_closing(std::string closing);
  void skip_line();
  /// Skips all to behind `end`, wherever that stands; throws X407 where it does not come.
  void skip_past(std::string_view end);
  bool at_end();

  /// Where the next token stands.
  std::size_t position();
  /// Where the last token ended.
  std::size_t end_of_last() const { return at_; }
  unsigned line_at(std::size_t position) const;
  std::string_view between(std::size_t from, std::size_t to) const { return text_.substr(from, to - from); }
  const std::string& file() const { return file_; }

  /// Throws X407: `expected` was not found at the next token.
  [[noreturn]] void fail(const std::string& expected);
  /// Throws X407 at `position` with a sentence (without a full stop) and, if there is one, its cure.
  [[noreturn]] void refuse(std::size_t position, const std::string& sentence, std::string fix = {}) const;

  /// What they throw, of that number.
  Diagnostic fault(int number, std::size_t position, const std::string& sentence, std::string fix = {}) const;
  /// Throws X410 at `position`: the text may be right, and says something that Octet does not have.
  [[noreturn]] void unknown(std::size_t position, const std::string& sentence, std::string fix = {}) const;

  /// Counts how deep the reading of something recursive is, while it exists; throws X407 beyond `deepest` levels.
  class Level {
   public:
    Level(Cursor& cursor, const char* what) : cursor_{cursor} {
      if (++cursor_.depth_ > deepest)
        cursor_.refuse(cursor_.position(),
                       std::string{what} + " are nested more than " + std::to_string(deepest) + " deep");
    }
    ~Level() { --cursor_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Cursor& cursor_;
  };
  /// Whether a type of ui64 was read, which Octet reads as i64; and to say so. See Statement::unsigned64.
  bool unsigned64 = false;
  /// Element types that Octet does not have and reads as wider ones, and where each is first.
  std::vector<std::pair<std::string, std::size_t>> narrow;
  bool halves = false;           ///< whether f16 is read, as bf16
  std::string_view last_narrow;  ///< the type that was read last, where it is one of `narrow` or f16
  bool any_narrow = false;       ///< whether one was read. See Statement::narrow.

  static constexpr int deepest = 100;
  /// Larger than any extent or attribute of a program that fits a machine, small enough to be multiplied by itself.
  static constexpr std::int64_t largest_integer = std::int64_t{1} << 31;

 private:
  void skip();

  std::string_view text_;
  std::string file_;
  std::vector<std::size_t> lines_;  ///< where each begins
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace octet::syntax
