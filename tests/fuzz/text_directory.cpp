// Any bytes are the files of a directory, each after a line "%" and its name: a tokenizer of either kind that is read,
// or refused with a number. What was read as WordPiece is the same when it is written as its files and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>

import octet.base;
import octet.text;

using namespace octet;

namespace {

std::map<std::string, std::string, std::less<>> files_of(std::string_view all) {
  std::map<std::string, std::string, std::less<>> files;
  while (!all.empty()) {
    const std::size_t end = all.find("\n%");
    const std::string_view one = all.substr(0, end);
    all.remove_prefix(end == all.npos ? all.size() : end + 1);
    const std::size_t line = one.find('\n');
    if (one.starts_with('%') && line != one.npos)
      files.insert_or_assign(std::string{one.substr(1, line - 1)}, std::string{one.substr(line + 1)});
  }
  return files;
}

text::DirectoryReader reader_of(const std::map<std::string, std::string, std::less<>>& files) {
  return [&files](const char* name) -> std::optional<std::string> {
    const auto found = files.find(name);
    return found == files.end() ? std::nullopt : std::optional{found->second};
  };
}

template <class Load>
void read(const Load& load) {
  try {
    load();
  } catch (const Error& error) {
    const auto number = error.number();
    if (number != 701 && number != 708 && number != 710 && number != 720 && number != 721) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto files = files_of({reinterpret_cast<const char*>(bytes), size});
  read([&] { static_cast<void>(text::load_bpe("nowhere", reader_of(files)).encode("a \xED\x95\x9C\xFF<s>")); });
  read([&] {
    const text::WordPiece tokenizer = text::load_wordpiece("nowhere", reader_of(files));
    static_cast<void>(tokenizer.encode("a \xED\x95\x9C\xFF[MASK]"));
    std::map<std::string, std::string, std::less<>> written;
    written["vocab.txt"] = tokenizer.vocabulary().to_text();
    written["tokenizer.json"] = text::tokenizer_json_text(tokenizer);
    written["tokenizer_config.json"] = text::tokenizer_config_text(tokenizer);
    if (!(text::load_wordpiece("nowhere", reader_of(written)) == tokenizer)) std::abort();
  });
  return 0;
}
