/// octet.pages: what is behind each numbered message, at length. Not part of `import octet;`: a page or a program that
/// only shows messages need not carry these texts. Title and rule of a number are the catalogue's (octet.base).
///
/// To add a page, add it to the file of its hundred; a test compares the pages with the catalogue.
export module octet.pages;
import octet.base;
import octet.standard;

export namespace octet {

/// How one comes to meet the message.
struct Cause {
  std::string_view scenario;  ///< what one was doing
  std::string_view why;       ///< what is wrong about it
};

/// One way out, a row of the table of cures.
struct CureRow {
  std::string_view cure;  ///< what to do
  std::string_view safe;  ///< whether it changes the result, or what it risks
  std::string_view gain;  ///< what it is good for, and what it costs
  std::string_view tell;  ///< how to see that it worked
};

struct Page {
  int number = 0;
  std::vector<Cause> causes;
  std::vector<CureRow> cures;  ///< best first
};

/// All pages, by increasing number.
std::span<const Page> pages();
/// The page of `number`; number 0 where there is none.
const Page& page(int number);
/// The page in Markdown, with the title and the rule of the catalogue; empty where there is none.
std::string to_markdown(const Page& page);

}  // namespace octet

namespace octet {

std::vector<Page> pages_on_branches();
std::vector<Page> pages_on_shapes_from_data();
std::vector<Page> pages_on_recompiles();
std::vector<Page> pages_on_shapes_and_types();
std::vector<Page> pages_on_memory_and_precision();
std::vector<Page> pages_on_placement();
std::vector<Page> pages_on_files();

}  // namespace octet
