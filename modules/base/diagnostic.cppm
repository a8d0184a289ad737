/// Messages: the six-part diagnostic and the one exception that Octet throws.
export module octet.base:diagnostic;
import octet.standard;

export namespace octet {

/// Text that does not change: copies share it. Every node of a graph has a place, and graphs are copied often.
class SharedText {
 public:
  SharedText() = default;
  SharedText(std::string text) : owned_{text.empty() ? nullptr : shared<const std::string>(std::move(text))} {}
  SharedText(const char* text) : SharedText{std::string{text}} {}
  /// Text that lies in the program itself and stays there, such as a literal: it is not copied.
  static SharedText lasting(const char* text) {
    SharedText result;
    result.lasting_ = text;
    return result;
  }

  std::string string() const { return std::string{view()}; }
  operator std::string() const { return string(); }
  bool empty() const { return view().empty(); }

  friend bool operator==(const SharedText& a, const SharedText& b) {
    return (a.owned_ && a.owned_ == b.owned_) || a.view() == b.view();
  }

 private:
  std::string_view view() const { return owned_ ? std::string_view{*owned_} : lasting_; }

  std::string_view lasting_;
  std::shared_ptr<const std::string> owned_;  ///< null where the text lasts by itself
};

/// Where something was written: a line of a program, or of an input file. `line` 0 means the whole file.
struct Place {
  SharedText file;
  unsigned line = 0;
  SharedText function;

  static Place of(const std::source_location& location) {
    return {SharedText::lasting(location.file_name()), location.line(), SharedText::lasting(location.function_name())};
  }
  bool known() const { return !file.empty(); }
  friend bool operator==(const Place&, const Place&) = default;
};

/// `model.cpp:41, in loss`; empty where the place is unknown.
std::string to_string(const Place& place);

/// One step of the chain that led from the arguments to the faulty value.
struct Link {
  std::string what;
  Place where;
};

/// A message to the user in six parts. Parts left empty are filled from the catalogue entry of `number`.
struct Diagnostic {
  int number = 0;                     ///< 401 is written X401; see octet.base:catalogue
  std::string sentence;               ///< what is wrong, in one sentence, with this program's own names and shapes
  Place where = {};                   ///< file, line and function
  std::vector<Link> because = {};     ///< from the arguments to this value, at most five links
  std::string rule = {};              ///< why XLA (or the file format) cannot accept it
  std::vector<std::string> fix = {};  ///< at most three, best first
  std::string see = {};               ///< where the number is explained at length

  /// The six parts as lines of plain text, without a final newline.
  std::string text() const;
};

/// The exception of Octet. Holds every fault that one call found, never none.
class Error : public std::exception {
 public:
  explicit Error(std::vector<Diagnostic> diagnostics);
  const std::vector<Diagnostic>& diagnostics() const noexcept { return *diagnostics_; }
  /// Number of the first diagnostic.
  int number() const noexcept { return diagnostics_->front().number; }
  /// The text of all diagnostics, a blank line between two.
  const char* what() const noexcept override { return what_->c_str(); }

 private:
  std::shared_ptr<const std::vector<Diagnostic>> diagnostics_;
  std::shared_ptr<const std::string> what_;
};

/// Throws Error with this one diagnostic, completed from the catalogue.
[[noreturn]] void fail(Diagnostic diagnostic);

/// Throws Error with what `fault()` returns. For faults within functions that a visit of the page calls: what makes the
/// message is then a function of its own, which the page loads when one fails, not before (cmake/page_split.cmake).
template <class Fault>
  requires std::is_invocable_r_v<Diagnostic, const Fault&>
[[noreturn, gnu::noinline, gnu::cold]] void fail(const Fault& fault) {
  fail(Diagnostic{fault()});
}

}  // namespace octet
