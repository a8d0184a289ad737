/// octet data shards: cuts texts into files of so many lines.
#include "json.hpp"
#include "output.hpp"

#include "command.hpp"
#include "data.hpp"
#include "messages.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace {

namespace data = octet::data;

struct ShardsCommand {
  TextOptions text;
  OutputOptions out;
  long long lines = 256'000;
};

int cut(const ShardsCommand& command, bool json) {
  require_at_least("--lines", command.lines, 1);
  const OutputDirectory directory{command.out, command.text.files};
  std::vector<octet::text::FileWriter> shards;
  std::uint64_t lines = 0, in_shard = 0;
  const auto write = [&](std::string_view line) {
    directory.go_on();
    if (shards.empty() || in_shard == static_cast<std::uint64_t>(command.lines)) {
      if (!shards.empty()) shards.back().close();
      std::string number = std::to_string(shards.size());
      number.insert(0, number.size() < 5 ? 5 - number.size() : 0, '0');
      shards.emplace_back(command.out.file("shard-" + number + ".txt"));
      in_shard = 0;
    }
    shards.back().write(line);
    shards.back().write("\n");
    ++in_shard;
    ++lines;
  };
  // Where documents are lines, each line is one again when the shards are read so; else an empty line parts them.
  // Those within a document are left out, or they would part it.
  const bool parted = command.text.documents != "lines";
  bool part = false, open = false;  // whether the next line begins a document; whether one has lines
  const data::TextCount count =
      read_all(directory.watched(command.text.sources()), [&](const data::TextSource& source) {
        data::TextCount of_file;
        const auto line = [&](std::string_view line, std::size_t) {
          if (data::is_blank(line)) return;
          if (std::exchange(part, false)) write("");
          write(line);
          open = true;
        };
        const auto end = [&] {
          if (!std::exchange(open, false)) return;
          part = parted;
          ++of_file.documents;
        };
        of_file.bytes = data::for_each_document(source, {line, end});
        return of_file;
      });
  if (shards.empty())
    octet::fail({.number = 706,
                 .sentence = "the texts have no line to write",
                 .where = {command.text.files.front(), 0, ""},
                 .fix = {"choose a field that holds text"}});
  shards.back().close();
  std::vector<octet::text::FileWriter*> files;
  std::vector<std::string> names;
  for (octet::text::FileWriter& shard : shards) {
    files.push_back(&shard);
    names.push_back(shard.path().string());
  }
  command.out.put_in_place(files);
  if (json)
    print(JsonObject{}
              .add("shards", files.size())
              .add("lines", lines)
              .add("documents", count.documents)
              .add("files", names)
              .add("text_bytes", count.bytes)
              .text());
  else
    print(counted(static_cast<long long>(lines), "line") + " in " +
          counted(static_cast<long long>(files.size()), "shard") + ", in " + command.out.directory + ".");
  return 0;
}

void data_shards_options(CLI::App* sub, Invocation& invocation) {
  const auto command = octet::shared<ShardsCommand>();
  command->text.add_to(sub);
  command->out.add_to(sub);
  option(sub, "--lines", command->lines, "lines of a shard; the empty ones between documents count");
  sub->callback(
      [command, &invocation] { invocation.work = [command, &invocation] { return cut(*command, invocation.json); }; });
}

}  // namespace

const Subcommand data_shards_subcommand{
    .name = "shards",
    .description = "Cut texts into files of so many lines, wherever that is: a document may go on in the next.",
    .example = "octet data shards --text novel.txt --out shards --lines 256000",
    .add_options = data_shards_options};

}  // namespace program
