#include <unistd.h>

#include <cerrno>

#include "run_directory.hpp"

namespace program {

namespace fs = std::filesystem;

namespace {

const std::string copy_name = "checkpoint-";  // and the step

enum class Copies { whole, unfinished, empty, not_ours };

Copies kind_of(const fs::path& copy) {
  std::error_code unknown;
  return octet::train::holds_run(copy)                                    ? Copies::whole
         : octet::train::holds_remainder(copy)                            ? Copies::unfinished
         : fs::is_directory(copy, unknown) && fs::is_empty(copy, unknown) ? Copies::empty
                                                                          : Copies::not_ours;
}

/// The steps of the copies that lie in `out`.
std::set<std::int64_t> copies_in(const std::string& out, Copies which = Copies::whole) {
  std::set<std::int64_t> steps;
  std::error_code ignored;
  for (fs::directory_iterator entry{out, ignored}, end; !ignored && entry != end; entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(copy_name)) continue;
    std::int64_t step = 0;
    std::from_chars(name.data() + copy_name.size(), name.data() + name.size(), step);
    if (entry->path() != copy_of_run(out, step)) continue;
    if (kind_of(*entry) == which) steps.insert(step);
  }
  return steps;
}

void drop(const std::string& out, const std::set<std::int64_t>& steps) {
  for (const std::int64_t step : steps) octet::train::remove_run(copy_of_run(out, step));
}

/// What a run that was killed leaves of a copy: a part of it, or its empty directory.
void drop_unfinished(const std::string& out) {
  drop(out, copies_in(out, Copies::unfinished));
  std::error_code ignored;
  for (const std::int64_t step : copies_in(out, Copies::empty)) fs::remove(copy_of_run(out, step), ignored);
}

}  // namespace

void require_writable(const std::string& directory, const std::string& what) {
  std::error_code unknown;
  fs::path there = fs::absolute(directory, unknown);
  while (there.has_relative_path() && !fs::exists(there, unknown)) there = there.parent_path();
  // As it was named, where it is there itself.
  const std::string name = fs::exists(directory, unknown) ? directory : there.string();
  if (!fs::is_directory(there, unknown))
    octet::fail({.number = 707,
                 .sentence = name + " is a file, and " + what + " is a directory.",
                 .where = {name, 0, ""},
                 .fix = {"name a directory that is not there yet, or an empty one"}});
  if (access(there.c_str(), W_OK | X_OK) != 0)
    octet::fail({.number = 707,
                 .sentence = "cannot write to " + name + ": " + std::generic_category().message(errno),
                 .where = {name, 0, ""},
                 .fix = {"give a directory that you may write to"}});
  if (!fs::is_directory(directory, unknown)) const MadeDirectory tried{directory};
}

OutputLock::OutputLock(const std::string& directory) : directory_{directory} {
  std::error_code unknown;
  if (fs::is_directory(directory, unknown)) lock_.emplace(directory);
}

void OutputLock::make(const std::function<void()>& require_free) {
  if (lock_) return;
  made_.emplace(directory_);
  lock_.emplace(directory_);
  require_free();
}

void OutputLock::keep(const std::function<bool()>& is_own) {
  if (!lock_ || is_kept()) return;
  octet::text::make_directory(directory_);
  octet::text::DirectoryLock other{directory_};
  std::error_code unknown;
  if (!fs::is_empty(directory_, unknown) && !is_own())
    octet::fail({.number = 707,
                 .sentence = directory_ + " is another directory now than the one that the run was saved in.",
                 .where = {directory_, 0, ""},
                 .rule = "What somebody else put there is not written over.",
                 .fix = {"move it somewhere else before the run is saved again", "name another directory"}});
  lock_.emplace(std::move(other));
}

void require_free(const std::string& out, bool overwrite) {
  require_writable(out, "a run");
  if (overwrite) return;
  std::error_code unknown;  // what cannot be looked at cannot be written either, and that has a message of its own
  for (const char* folder : {"", "generator/"})
    for (const std::string_view file : octet::train::model_file_names())
      if (const std::string name = folder + std::string{file}; fs::exists(fs::path{out} / name, unknown)) {
        const bool only_words = name.starts_with("vocab") || name.starts_with("tokenizer"),
                   resumable = fs::exists(fs::path{out} / "training.json", unknown);
        octet::fail({.number = 707,
                     .sentence = out + (only_words ? " holds words already (" : " holds a model already (") + name +
                                 " is there).",
                     .where = {out, 0, ""},
                     .rule = "A new run would take its place, and training is dear.",
                     .fix = {resumable ? "go on with it: add --resume"
                             : only_words
                                 ? "train with these words, into another directory: --tokenizer " +
                                       octet::text::shell_quoted(out)
                                 : "train it further, into another directory: --from " + octet::text::shell_quoted(out),
                             "name another directory", "give it up and write over it: add --overwrite"}});
      }
  if (const std::set<std::int64_t> copies = copies_in(out); !copies.empty())
    octet::fail({.number = 707,
                 .sentence = out + " holds a copy of a run (" + copy_of_run(out, *copies.rbegin()).filename().string() +
                             " is there).",
                 .where = {out, 0, ""},
                 .rule = "The copies of a new run would be mixed with it.",
                 .fix = {"name another directory", "give it up and write over it: add --overwrite"}});
}

void require_no_others_copies(const std::string& out, std::optional<std::int64_t> resumed_at) {
  const std::set<std::int64_t> others = copies_in(out, Copies::not_ours);
  if (others.empty() || (resumed_at && *others.rbegin() <= *resumed_at)) return;
  const std::string name = copy_of_run(out, *others.rbegin()).filename().string();
  std::vector<std::string> fix{"move " + name + " somewhere else", "leave --save-total-limit out"};
  if (!resumed_at) fix.insert(fix.begin(), "name another directory");
  octet::fail({.number = 707,
               .sentence = out + " holds " + name + ", which is no copy of a run of Octet's.",
               .where = {out, 0, ""},
               .rule = "Copies of the run would be written into such directories.",
               .fix = std::move(fix)});
}

fs::path copy_of_run(const std::string& out, std::int64_t step) {
  return fs::path{out} / (copy_name + std::to_string(step));
}

void drop_copies(const std::string& out) {
  drop(out, copies_in(out));
  drop_unfinished(out);
}

void drop_older_copies(const std::string& out, std::int64_t newest, std::int64_t limit) {
  std::set<std::int64_t> dropped = copies_in(out);
  dropped.erase(dropped.upper_bound(newest), dropped.end());
  auto kept = dropped.end();
  for (; limit > 0 && kept != dropped.begin(); --limit) --kept;
  dropped.erase(kept, dropped.end());
  drop(out, dropped);
  drop_unfinished(out);
}

}  // namespace program
