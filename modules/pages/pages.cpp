module octet.pages;
import octet.base;
import octet.standard;

namespace octet {

namespace {

std::vector<Page> all_pages() {
  std::vector<Page> all;
  for (std::vector<Page> (*hundred)() :
       {pages_on_branches, pages_on_shapes_from_data, pages_on_recompiles, pages_on_shapes_and_types,
        pages_on_memory_and_precision, pages_on_placement, pages_on_files}) {
    std::vector<Page> some = hundred();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

/// Within a cell of a table.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string{"\\|"} : std::string{c};
  return escaped;
}

}  // namespace

std::span<const Page> pages() {
  static const std::vector<Page> all = all_pages();
  return all;
}

const Page& page(int number) {
  static const Page none;
  for (const Page& page : pages())
    if (page.number == number) return page;
  return none;
}

std::string to_markdown(const Page& page) {
  const CatalogueEntry& entry = catalogue_entry(page.number);
  if (page.number == 0 || entry.number == 0) return {};
  std::string text =
      "## " + diagnostic_name(page.number) + " " + std::string{entry.title} + "\n\n" + std::string{entry.rule} + "\n\n";
  for (const Cause& cause : page.causes)
    text += "- **" + std::string{cause.scenario} + "** " + std::string{cause.why} + "\n";
  text += "\n| cure | safe to do? | what it gains | how to tell |\n|---|---|---|---|\n";
  for (const CureRow& cure : page.cures)
    text +=
        "| " + cell(cure.cure) + " | " + cell(cure.safe) + " | " + cell(cure.gain) + " | " + cell(cure.tell) + " |\n";
  return text;
}

}  // namespace octet
