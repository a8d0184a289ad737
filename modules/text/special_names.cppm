/// Names of special tokens in a text. Internal to octet.text.
export module octet.text:special_names;
import octet.standard;

export namespace octet::text {

/// The first of `names` at or after `from`, the longest where several begin there, and where it begins; at the end of
/// the text where there is none.
std::pair<std::size_t, std::string_view> find_special(std::string_view text, std::size_t from,
                                                      const std::vector<std::string>& names);

}  // namespace octet::text
