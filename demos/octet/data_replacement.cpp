#include "data_replacement.hpp"
import octet.standard;
import octet;

namespace program {

namespace fs = std::filesystem;

namespace {

fs::path set_of(const fs::path& directory) { return octet::data::data_set_file(directory); }
fs::path list_of(const fs::path& directory) { return set_of(directory) += ".next"; }

bool is_ours(const std::string& name) { return is_data_name(name) || name == set_of({}).string(); }

constexpr std::string_view first_line = "octet data: + is to be put in its place, - to be taken away\n";

/// The lines of a list; nothing where the file is none of ours.
std::optional<std::vector<std::string>> lines_of(const fs::path& list) {
  std::error_code unknown;
  if (!fs::is_regular_file(fs::symlink_status(list, unknown))) return std::nullopt;
  const std::string text = octet::text::read_file(list);
  if (!text.starts_with(first_line)) return std::nullopt;
  std::vector<std::string> lines;
  for (std::size_t at = first_line.size(), end; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    if ((text[at] != '+' && text[at] != '-') || !is_ours(lines.back().substr(1))) return std::nullopt;
  }
  return lines;
}

void carry_on(const fs::path& directory, const std::vector<std::string>& lines) {
  std::error_code error, ignored;
  for (const std::string& line : lines) {
    const std::string name = line.substr(1);
    const fs::path place = directory / name, beside = directory / (name + ".writing");
    if (line[0] == '+' && fs::exists(beside, ignored)) fs::rename(beside, place, error);
    if (line[0] == '-' && !fs::is_directory(place, ignored)) fs::remove(place, error);
    if (error)
      octet::fail({.number = 707,
                   .sentence = "cannot replace " + place.string() + ": " + error.message(),
                   .where = {place.string(), 0, ""},
                   .rule = "A command that was ended as it put files in their places is carried on.",
                   .fix = {"take away what hinders that", "name another directory"}});
    fs::remove(directory / (name + ".replaced"), ignored);
  }
  fs::remove(list_of(directory), ignored);
}

}  // namespace

bool is_data_name(const std::string& name) {
  if (name == "documents.tokens" || name == "text.tokens") return true;
  std::string pattern;  // each number of five digits, or of more where five do not suffice, a 0
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find_first_not_of("0123456789", at), name.size());
    if (end - at == 5 || (end - at > 5 && name[at] != '0'))
      pattern += '0';
    else
      pattern += name.substr(at, end - at);
    if (end < name.size()) pattern += name[end];
    at = end + 1;
  }
  return pattern == "shard-0.txt" || pattern == "examples-0-of-0.tfrecord" || pattern == "blocks-0-of-0.tfrecord";
}

void replace_data(const fs::path& directory, std::span<octet::text::FileWriter* const> files,
                  std::span<const fs::path> gone) {
  std::string list{first_line};
  for (octet::text::FileWriter* const file : files) {
    file->close();  // whoever carries on finds all of it
    list += "+" + file->path().filename().string() + "\n";
  }
  for (const fs::path& file : gone) list += "-" + file.filename().string() + "\n";
  octet::text::write_file(list_of(directory), list);
  struct Removed {
    fs::path file;
    ~Removed() {
      std::error_code ignored;
      fs::remove(file, ignored);
    }
  } const removed{list_of(directory)};
  octet::text::put_in_place(files, gone);
}

void finish_replacing(const fs::path& directory) {
  std::error_code unknown, ignored;
  if (fs::exists(fs::symlink_status(list_of(directory), unknown))) {
    const auto lines = lines_of(list_of(directory));
    if (!lines)
      octet::fail({.number = 707,
                   .sentence = list_of(directory).string() + " is there, which octet data did not write.",
                   .where = {directory.string(), 0, ""},
                   .rule = "In a file of that name it tells what it is about to put in its place.",
                   .fix = {"name another directory", "move that file elsewhere"}});
    carry_on(directory, *lines);
  }
  for (fs::directory_iterator entry{directory, unknown}, end; !unknown && entry != end; entry.increment(unknown))
    if (const fs::path& file = entry->path();
        file.extension() == ".writing" && (is_ours(file.stem().string()) || file.stem() == list_of({}).filename()) &&
        fs::is_regular_file(entry->symlink_status(ignored)))
      fs::remove(file, ignored);
}

}  // namespace program
