/// What the texts of a table may be taken from, for those who are to choose.
export module octet.data:text_fields;
import octet.standard;
import :text_source;

export namespace octet::data {

/// What `TextSource::field` may be for a table that begins so: the names of a CSV file's columns, the number of one
/// that has no name of its own, unless that is another's name; the keys of texts in the first of JSON lines. In their
/// order, 100 at most; of plain text, and where the table cannot be read so far, none.
std::vector<std::string> text_fields(std::string_view beginning, const TextSource& source);

}  // namespace octet::data
