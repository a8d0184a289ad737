/// Numbered messages, as the program shows them. Imports octet: include it after all other headers.
#pragma once
import octet.standard;
import octet;

namespace program {

class JsonObject;

/// A fix or a cure as one types it here: of a member of the library and the options that say the same, `say so:
/// CheckOptions::data; for octet check, --data disk`, the options alone.
std::string as_typed(std::string fix);
/// Prints every fault to standard error (on a terminal with the line it is about, where the file can be read) and, with
/// `json`, as an object a line to standard output; returns the exit status, 1.
int report(const octet::Error& error, bool json);
/// The six parts of a message.
JsonObject json_of_fault(const octet::Diagnostic& diagnostic);
/// A sentence on standard error, in the place of what is drawn of the progress on a terminal.
void note(const std::string& sentence);
/// Throws X709: an option of the command line is out of its range.
[[noreturn]] void refuse_option(const std::string& sentence, const std::string& fix);

/// X735: `option` does nothing `where`: "for tokens". To leave it out is the last way out.
octet::Diagnostic without_effect(const std::string& option, const std::string& where, const std::string& rule,
                                 std::vector<std::string> fix = {});
/// The error with options by their names: `--vocab-size`, where it says vocab_size.
octet::Error by_option(const octet::Error& error, const std::vector<std::string>& options);
/// Throws X704 where a sentence of the command line is not UTF-8.
void require_utf8(const std::string& sentence);
/// A number that was given, also one that is none: `0.5`, `nan`, `inf`.
std::string said_number(double number);
/// Throws X709 where an option is below `least`.
void require_at_least(const std::string& option, long long value, long long least);
/// Makes all of the checks, and throws what all of them threw.
void check_all(std::initializer_list<std::function<void()>> checks);

}  // namespace program
