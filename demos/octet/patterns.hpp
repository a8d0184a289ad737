/// Options that name files. Imports octet: include it after all other headers.
#pragma once
import cli11;
import octet.standard;

namespace program {

/// `names` with the files that patterns match in their places, in the order of their names: what the shell has not
/// done, such as a pattern in quotation marks. What matches nothing is a name, and said to be missing.
std::vector<std::string> matching_files(const std::vector<std::string>& names);

/// The one file that `name` is or matches. Throws X709 where it matches several.
std::string matching_file(const std::string& name);

/// An option, or an argument, for one or more files or patterns.
CLI::Option* add_files(CLI::App* app, const std::string& name, std::vector<std::string>& files,
                       const std::string& description);

}  // namespace program
