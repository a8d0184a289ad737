/// The files of a data set, put in the places of another one's: all of them, also where the command is ended meanwhile.
/// A list beside them, octet-data.json.next, tells for that time what is to be put there and what is to go: the next
/// command that writes there carries on, and until then the data is not read. Imports octet: include it after all other
/// headers.
#pragma once
import octet.standard;
import octet;

namespace program {

/// Whether octet data gives such names: `shard-00012.txt`, `blocks-00000-of-00010.tfrecord`, `text.tokens`.
bool is_data_name(const std::string& name);

/// Puts `files` in their places in `directory`, and takes `gone` away: all of it, or nothing. Throws X707.
void replace_data(const std::filesystem::path& directory, std::span<octet::text::FileWriter* const> files,
                  std::span<const std::filesystem::path> gone);

/// Carries on where a command was ended in the midst of that, and takes away what one left unfinished. Throws X707.
void finish_replacing(const std::filesystem::path& directory);

}  // namespace program
