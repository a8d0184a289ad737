/// Arguments of commands that a message tells to type.
export module octet.text:shell;
import octet.standard;

export namespace octet::text {

/// `argument` as a POSIX shell reads it as one word: in quotes where it holds anything that a shell would not leave as
/// it is.
std::string shell_quoted(std::string_view argument);

}  // namespace octet::text
