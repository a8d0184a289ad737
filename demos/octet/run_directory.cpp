#include "run_directory.hpp"

namespace program {

namespace fs = std::filesystem;

namespace {

const std::string copy_name = "checkpoint-";  // and the step

}  // namespace

void require_free(const std::string& out, bool overwrite) {
  std::error_code unknown;  // what cannot be looked at cannot be written either, and that has a message of its own
  if (fs::exists(out, unknown) && !fs::is_directory(out, unknown))
    octet::fail({.number = 707,
                 .sentence = out + " is a file, and a run is a directory.",
                 .where = {out, 0, ""},
                 .fix = {"name a directory that is not there yet, or an empty one"}});
  if (overwrite) return;
  for (const char* name :
       {"training.json", "model.safetensors", "config.json", "vocab.txt", "vocab.json", "tokenizer.json"})
    if (fs::exists(fs::path{out} / name, unknown))
      octet::fail({.number = 707,
                   .sentence = out + " holds a model already (" + name + " is there).",
                   .where = {out, 0, ""},
                   .rule = "A new run would take its place, and training is dear.",
                   .fix = {"go on with it: add --resume", "name another directory",
                           "give it up and write over it: add --overwrite"}});
}

fs::path copy_of_run(const std::string& out, std::int64_t step) {
  return fs::path{out} / (copy_name + std::to_string(step));
}

void drop_older_copies(const std::string& out, std::int64_t newest, std::int64_t limit) {
  std::set<std::int64_t> kept;
  std::error_code ignored;
  for (fs::directory_iterator entry{out, ignored}, end; !ignored && entry != end; entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    std::int64_t step = 0;
    const auto [rest, error] =
        std::from_chars(name.data() + std::min(name.size(), copy_name.size()), name.data() + name.size(), step);
    const bool whole = name.starts_with(copy_name) && error == std::errc{} && rest == name.data() + name.size();
    if (whole && step <= newest) kept.insert(step);
  }
  for (; std::ssize(kept) > limit; kept.erase(kept.begin())) fs::remove_all(copy_of_run(out, *kept.begin()), ignored);
}

}  // namespace program
