/// The numbered catalogue of messages: one table, from which rules, cures and explanations are taken.
export module octet.base:catalogue;
import octet.standard;

export namespace octet {

/// What is always true of one number; a diagnostic adds what is true of one program.
struct CatalogueEntry {
  int number;              ///< 1xx branches, 2xx shapes from data, 3xx recompiles, 4xx shapes and types,
                           ///< 5xx memory, matrix unit and precision, 6xx host and data placement, 7xx files and input
  std::string_view title;  ///< a noun phrase
  std::string_view rule;   ///< why it is refused
  std::string_view cure;   ///< what to do about it in general; used where a diagnostic has no fix of its own
};

/// All entries, by increasing number.
std::span<const CatalogueEntry> catalogue();
/// The entry of `number`. A number that is not listed gives an entry with empty texts.
const CatalogueEntry& catalogue_entry(int number);
/// `X401`.
std::string diagnostic_name(int number);

}  // namespace octet
