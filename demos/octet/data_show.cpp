/// octet data show, octet data verify: what files of data hold, and whether it is what was written.
#include "json.hpp"
#include "output.hpp"

#include "command.hpp"
#include "data.hpp"
#include "messages.hpp"
#include "patterns.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace {

namespace data = octet::data;

/// By its name, or by how it ends.
bool is_token_file(const std::string& file) {
  return std::filesystem::path{file}.extension() == ".tokens" || data::ends_as_token_file(file);
}

/// What `NAME-00000-of-00003.tfrecord` says of the files beside it: the first of them that is missing, or nothing. A
/// set that is among `asked` is not looked at again.
std::string missing_beside(const std::string& file, std::set<std::string>& asked) {
  const std::string name = std::filesystem::path{file}.filename().string();
  constexpr std::string_view form = "-00000-of-00000.tfrecord";
  if (name.size() < form.size()) return {};
  const std::string ending = name.substr(name.size() - form.size());
  for (std::size_t i = 0; i < form.size(); ++i)
    if (form[i] == '0' ? ending[i] < '0' || ending[i] > '9' : ending[i] != form[i]) return {};
  std::string set = file;
  if (!asked.insert(set.replace(file.size() - form.size() + 1, 5, "")).second) return {};
  for (int number = 0, all = std::stoi(ending.substr(10, 5)); number < all; ++number) {
    std::string digits = std::to_string(number), other = name;
    other.replace(name.size() - form.size() + 1, 5, digits.insert(0, 5 - digits.size(), '0'));
    std::error_code unknown;
    if (!std::filesystem::exists(std::filesystem::path{file}.replace_filename(other), unknown)) return other;
  }
  return {};
}

struct ShowCommand {
  std::string file;
  long long limit = 5, first = 1;
};

std::string record_name(const data::RecordReader& reader) {
  return "record " + std::to_string(reader.position().record) + " of " + reader.name();
}

/// `input_ids int64[128] 2 98 1087 …`, or all of it as JSON.
void show_record(const data::Features& features, std::uint64_t number, bool json) {
  JsonObject object;
  if (!json) print("record " + std::to_string(number));
  for (const auto& [name, feature] : features) {
    std::visit(
        [&]<class List>(const List& list) {
          if constexpr (std::is_same_v<List, std::monostate>) {
            if (json)
              object.add(name, std::vector<int>{});
            else
              print("  " + json_text(name) + " is empty");
          } else if (json) {
            object.add(name, list);
          } else {
            constexpr const char* kind = std::is_same_v<List, data::BytesList>   ? "bytes"
                                         : std::is_same_v<List, data::FloatList> ? "float"
                                                                                 : "int64";
            std::string line =
                "  " + octet::text::replace_invalid_utf8(name) + " " + kind + "[" + std::to_string(list.size()) + "]";
            constexpr std::size_t shown = 16;
            for (std::size_t i = 0; i < std::min(list.size(), shown); ++i) line += " " + program::json(list[i]);
            print(line + (list.size() > shown ? " ..." : ""));
          }
        },
        feature);
  }
  if (json) print(object.text());
}

/// Throws X709 where there is nothing to be shown.
void require_shown(const ShowCommand& command, long long shown, long long there, const std::string& thing) {
  if (shown == 0 && command.limit > 0)
    refuse_option(
        command.file + " has " + counted(there, thing) + ", and --first is " + std::to_string(command.first) + ".",
        there > 0 ? "choose " + std::to_string(there) + " or less" : "name a file that has some");
}

int show_records(const ShowCommand& command, bool json) {
  data::RecordReader reader{std::filesystem::path{command.file}};
  std::string record;
  long long number = 0, shown = 0;
  while (shown < command.limit && reader.next(record)) {
    if (++number < command.first) continue;
    show_record(data::decode_example(record, record_name(reader)), static_cast<std::uint64_t>(number), json);
    ++shown;
  }
  require_shown(command, shown, number, "record");
  return 0;
}

int show_tokens(const ShowCommand& command, bool json) {
  const data::TokenFile tokens{std::filesystem::path{command.file}};
  const bool is_stream = tokens.documents() == 0;
  const auto line = [&](std::uint64_t number, const auto& ids) {
    if (json)
      print(JsonObject{}.add(is_stream ? "block" : "document", number).add("ids", ids).text());
    else {
      std::string words;
      for (const std::int32_t id : ids) words += (words.empty() ? "" : " ") + std::to_string(id);
      print(words);
    }
  };
  const auto begin = static_cast<std::uint64_t>(command.first) - 1, count = static_cast<std::uint64_t>(command.limit);
  if (is_stream) {  // blocks of some ids
    const auto block = static_cast<std::uint64_t>(data::context_length_of(command.file).value_or(64));
    const std::uint64_t blocks = (tokens.tokens() + block - 1) / block;
    for (std::uint64_t i = begin; i < std::min(begin + count, blocks); ++i)
      line(i + 1, tokens.ids(i * block, std::min(block, tokens.tokens() - i * block)));
    require_shown(command, begin < blocks, static_cast<long long>(blocks), "block");
    return 0;
  }
  for (std::uint64_t document = begin; document < std::min(begin + count, tokens.documents()); ++document)
    for (const auto& sentence : tokens.document(document)) line(document + 1, sentence);
  require_shown(command, begin < tokens.documents(), static_cast<long long>(tokens.documents()), "document");
  return 0;
}

struct VerifyCommand {
  std::vector<std::string> files;
};

// Records or tokens of a file; `words` says so.
JsonObject verified_records(const std::string& file, std::string& words, std::uint64_t& count) {
  data::RecordReader reader{std::filesystem::path{file}};
  std::string record;
  std::uint64_t features = 0;
  while (reader.next(record)) features += data::decode_example(record, record_name(reader)).size();
  count = reader.position().record;
  words = counted(static_cast<long long>(count), "record");
  return JsonObject{}
      .add("file", file)
      .add("records", reader.position().record)
      .add("features", features)
      .add("bytes", reader.position().offset);
}

JsonObject verified_tokens(const std::string& file, std::string& words, std::uint64_t& count) {
  const data::TokenFile tokens{std::filesystem::path{file}};
  tokens.verify();
  count = tokens.tokens();
  words = counted(static_cast<long long>(count), "token");
  return JsonObject{}
      .add("file", file)
      .add("tokens", tokens.tokens())
      .add("documents", tokens.documents())
      .add("bytes", tokens.bytes());
}

int verify(const VerifyCommand& command, bool json) {
  std::vector<octet::Diagnostic> faults;
  std::set<std::string> asked;  // of which sets files may be missing
  std::uint64_t all = 0;
  std::map<std::string, octet::Diagnostic> lengths;  // of files that have another length than was written
  try {
    data::require_whole({command.files.begin(), command.files.end()});
  } catch (const octet::Error& error) {
    for (const octet::Diagnostic& fault : error.diagnostics())
      if (fault.number == 722)
        lengths.emplace(fault.where.file.string(), fault);
      else
        faults.push_back(fault);
  }
  for (const std::string& file : command.files) {
    try {
      std::string words;
      std::uint64_t count = 0;
      const JsonObject found =
          is_token_file(file) ? verified_tokens(file, words, count) : verified_records(file, words, count);
      all += count;
      if (const auto other = lengths.find(file); other != lengths.end()) throw octet::Error{{other->second}};
      print(json ? found.text()
                 : harmless(file) + ": " + words + (count > 0 ? ", as written." : ": there is nothing in it."));
      if (const std::string missing = missing_beside(file, asked); !missing.empty())
        octet::fail({.number = 722,
                     .sentence = file + " is one of several files, and " + missing + " is not beside it",
                     .where = {file, 0, ""},
                     .rule =
                         "The names of a set's files tell how many there are; examples of one that is missing would "
                         "be left out without a word.",
                     .fix = {"copy the missing file, too", "write the set again with octet data"}});
    } catch (const octet::Error& error) {
      faults.insert(faults.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!faults.empty()) throw octet::Error{std::move(faults)};
  if (all == 0)
    octet::fail({.number = 740,
                 .sentence = command.files.size() == 1 ? command.files.front() + " holds no record and no token."
                                                       : "None of the files holds a record or a token.",
                 .where = {command.files.front(), 0, ""}});
  return 0;
}

void data_show_options(CLI::App* sub, Invocation& invocation) {
  const auto command = octet::shared<ShowCommand>();
  sub->add_option("FILE", command->file, "a .tfrecord or .tokens file")->required()->type_name("");
  option(sub, "--limit", command->limit,
         "so many records, documents of tokens, or blocks of them (of 64, where no other length is told)");
  option(sub, "--first", command->first, "the first to show, counted from 1");
  sub->callback([command, &invocation] {
    invocation.work = [command, &invocation] {
      require_at_least("--limit", command->limit, 0);
      require_at_least("--first", command->first, 1);
      command->file = matching_file(command->file);
      return is_token_file(command->file) ? show_tokens(*command, invocation.json)
                                          : show_records(*command, invocation.json);
    };
  });
}

void data_verify_options(CLI::App* sub, Invocation& invocation) {
  const auto command = octet::shared<VerifyCommand>();
  add_files(sub, "FILE", command->files, ".tfrecord and .tokens files")->required()->type_name("");
  sub->callback([command, &invocation] {
    invocation.work = [command, &invocation] { return verify(*command, invocation.json); };
  });
}

}  // namespace

const Subcommand data_show_subcommand{.name = "show",
                                      .description = "What the records of a file hold.",
                                      .example = "octet data show examples/examples-00000-of-00001.tfrecord --limit 2",
                                      .add_options = data_show_options};

const Subcommand data_verify_subcommand{.name = "verify",
                                        .description = "Read files of data whole, and check their sums.",
                                        .example = "octet data verify examples/*.tfrecord",
                                        .add_options = data_verify_options};

}  // namespace program
