/// Texts shared among threads.
export module octet.text:shares;
import octet.standard;

export namespace octet::text {

/// Cuts `texts` into at most `shares` runs of about as many bytes: where each begins, and the end of the last. A
/// function of texts and number alone.
std::vector<std::size_t> shares_of(std::span<const std::string_view> texts, std::size_t shares);

}  // namespace octet::text
