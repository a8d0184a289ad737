module octet.train;
import octet.base;
import octet.standard;
import octet.text;
import :file_set;

namespace octet::train {

namespace fs = std::filesystem;

namespace {

fs::path next_of(const fs::path& directory, std::string_view name) { return directory / (std::string{name} + ".next"); }
fs::path list_of(const fs::path& directory) { return directory / "files.next"; }

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// A list made by others must not lead out of the directory.
bool stays_within(const fs::path& directory, const fs::path& name) {
  std::error_code unknown;
  return name.has_filename() && name.is_relative() && std::find(name.begin(), name.end(), "..") == name.end() &&
         (!name.has_parent_path() || !fs::is_symlink(directory / name.parent_path(), unknown));
}

// The names of a replacement that was decided and may not be finished.
std::vector<std::string> listed(const fs::path& directory) {
  std::vector<std::string> names;
  if (!is_there(list_of(directory))) return names;
  std::string text;
  try {
    text = text::read_file(list_of(directory));
  } catch (const Error&) {
    if (is_there(list_of(directory))) throw;
    return names;  // finished meanwhile, by who writes there
  }
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string name = text.substr(at, end - at);
    if (stays_within(directory, name)) names.push_back(name);
    at = end + 1;
  }
  return names;
}

// Where `name` lies.
fs::path current_file(const fs::path& directory, std::string_view name) {
  const fs::path next = next_of(directory, name);
  if (is_there(next)) {
    const std::vector<std::string> names = listed(directory);
    if (std::find(names.begin(), names.end(), name) != names.end()) return next;
  }
  return directory / name;
}

void finish_replacing(const fs::path& directory) {
  std::error_code error;
  for (const std::string& name : listed(directory)) {
    if (!is_there(next_of(directory, name))) continue;
    fs::rename(next_of(directory, name), directory / name, error);
    if (error)
      fail({.number = 707,
            .sentence = "cannot replace " + (directory / name).string() + ": " + error.message(),
            .where = {(directory / name).string(), 0, ""}});
  }
  fs::remove(list_of(directory), error);
}

void make(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error)
    fail({.number = 707,
          .sentence = "cannot create the directory " + directory.string() + ": " + error.message(),
          .where = {directory.string(), 0, ""},
          .fix = {"give a directory that you may write to"}});
}

}  // namespace

void replace_together(const fs::path& directory, const std::vector<NamedContent>& files) {
  make(directory);
  finish_replacing(directory);
  std::error_code error;
  try {
    std::string list;
    for (const NamedContent& file : files) {
      if (!stays_within(directory, file.name))
        fail({.number = 707,
              .sentence = (directory / file.name).parent_path().string() + " is a link, and leads out of the run.",
              .where = {directory.string(), 0, ""},
              .fix = {"remove the link", "give another directory"}});
      make((directory / file.name).parent_path());
      text::write_parts(next_of(directory, file.name), file.content);
      list += file.name + "\n";
    }
    text::write_file(list_of(directory), list);
  } catch (...) {
    for (const NamedContent& file : files) fs::remove(next_of(directory, file.name), error);
    for (const NamedContent& file : files)  // folders that were made for them
      if (const fs::path folder = (directory / file.name).parent_path();
          folder != directory && !fs::is_symlink(folder, error))
        fs::remove(folder, error);
    throw;
  }
  finish_replacing(directory);
}

bool is_replaced_with(const fs::path& directory, std::string_view folder) {
  const std::vector<std::string> names = listed(directory);
  return std::ranges::any_of(names, [&](const std::string& name) { return name.starts_with(folder); });
}

bool will_have(const fs::path& directory, std::string_view name) {
  return is_there(directory / name) || is_there(list_of(directory));
}

bool is_remainder(const fs::path& directory) {
  if (is_there(list_of(directory))) return false;
  std::error_code error;
  bool begun = false;
  fs::recursive_directory_iterator entry{directory, error}, end;
  for (; !error && entry != end; entry.increment(error)) {
    if (entry->is_directory(error)) continue;
    const std::string name = entry->path().filename().string();
    if (!name.ends_with(".next") && !name.ends_with(".next.writing")) return false;
    begun = true;
  }
  return begun && !error;
}

bool has_current(const fs::path& directory, std::string_view name) {
  std::error_code ignored;  // a link that leads nowhere is a file that cannot be read
  return is_there(current_file(directory, name)) || fs::exists(fs::symlink_status(directory / name, ignored));
}

std::string read_current(const fs::path& directory, std::string_view name) {
  const fs::path current = current_file(directory, name);
  try {
    return text::read_file(current);
  } catch (const Error&) {
    if (current == directory / name || is_there(current)) throw;
    return text::read_file(directory / name);  // renamed meanwhile, by who writes there
  }
}

}  // namespace octet::train
