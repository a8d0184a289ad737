/// octet data causal: the text as one stream of tokens with a separator after each document, to be cut into blocks of
/// the context's length.
#include "json.hpp"
#include "output.hpp"
#include "progress.hpp"

#include "command.hpp"
#include "data.hpp"
#include "messages.hpp"
#include "train_options.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace {

namespace data = octet::data;
namespace text = octet::text;

struct CausalCommand {
  TextOptions text;
  OutputOptions out;
  std::string model, separator, remainder = "drop", write = "tokens";
  long long context_length = 1024, blocks_per_shard = 100'000, threads = 1;
  bool has_length = false, has_remainder = false, shards_are_sized = false;  // by options
};

int make(const CausalCommand& command, bool json) {
  check_all({[&] { require_at_least("--context-length", command.context_length, 2); },
             [&] { require_at_least("--blocks-per-shard", command.blocks_per_shard, 1); },
             [&] {
               if (command.shards_are_sized && command.write == "tokens")
                 octet::fail(without_effect("--blocks-per-shard", "for --write tokens", "Tokens are one file.",
                                            {"write a record for each block: --write tfrecord"}));
             },
             [&] {
               if (command.has_remainder && command.write == "tokens")
                 octet::fail(without_effect("--remainder", "for --write tokens",
                                            "Tokens are written whole, and cut into blocks where they are trained on: "
                                            "what is left after the last full one is no block there.",
                                            {"write a record for each block: --write tfrecord"}));
             }});
  const text::Tokenizer tokenizer = text::load_tokenizer(command.model);
  const std::int32_t separator = data::separator_id(tokenizer, command.separator);
  octet::Threads threads{thread_count(command.threads)};
  const OutputDirectory directory{command.out, command.text.files};

  std::optional<Progress> progress{std::in_place, progress_style(json), 0};
  progress->status("encoding the text");
  text::FileWriter tokens{command.out.file("text.tokens")};
  const auto write = [&](std::string_view bytes) {
    directory.go_on();
    tokens.write(bytes);
  };
  data::TokenWriter writer{write, data::size_of(tokenizer)};
  const data::TextCount count = read_all(
      directory.watched(command.text.sources()),
      [&](const data::TextSource& source) { return data::add_causal(source, tokenizer, separator, writer, threads); });
  writer.finish();
  tokens.close();
  // Of tokens it is only said of which length blocks will be where one was asked for.
  const bool is_stream = command.write == "tokens" && !command.has_length;
  const data::CausalBlocks blocks{
      data::TokenFile{tokens.written()}.named(command.text.name()),
      {.context_length = is_stream ? 2 : command.context_length,
       .remainder = command.remainder == "keep" ? data::Remainder::keep : data::Remainder::drop}};

  std::vector<data::RecordWriter> shards;
  std::vector<text::FileWriter*> files;
  if (command.write == "tokens") {
    files.push_back(&tokens);
  } else {
    progress->status("writing blocks");
    const auto each = static_cast<std::uint64_t>(command.blocks_per_shard);
    const std::uint64_t shard_count = (blocks.size() + each - 1) / each;
    for (std::uint64_t i = 0; i < shard_count; ++i)
      shards.emplace_back(command.out.file(shard_name("blocks", i, shard_count, ".tfrecord")));
    const auto features = [&](const auto& block) {
      directory.go_on();
      return data::causal_features(block);
    };
    data::write_records(data::causal_windows(blocks), 1, features, shards, threads);
    for (data::RecordWriter& shard : shards) {
      shard.close();
      files.push_back(&shard.file());
    }
  }
  const auto [names, bytes, beside_bytes] = command.out.put_data_set_in_place(
      files, tokenizer, command.has_length ? std::optional{command.context_length} : std::nullopt);
  progress.reset();
  note_separator_names(count, data::piece_of(tokenizer, separator));

  if (json) {
    JsonObject line;
    line.add("kind", command.write).add("documents", count.documents).add("tokens", writer.tokens());
    if (!is_stream) line.add("blocks", blocks.size()).add("context_length", command.context_length);
    print(line.add("separator", separator)
              .add("files", names)
              .add("text_bytes", count.bytes)
              .add("bytes", bytes)
              .add("times_the_text", static_cast<double>(bytes) / static_cast<double>(count.bytes))
              .text());
    return 0;
  }
  const bool is_last_shorter =
      command.remainder == "keep" && writer.tokens() % static_cast<std::uint64_t>(command.context_length) != 0;
  print(counted(static_cast<long long>(count.documents), "document") + ", " +
        counted(static_cast<long long>(writer.tokens()), "token") +
        (is_stream ? ""
                   : ", " + counted(static_cast<long long>(blocks.size()), "block") +
                         (is_last_shorter ? " of up to " : " of ") + grouped(command.context_length)) +
        ".");
  print(storage(bytes, count.bytes) + ", in " + command.out.directory + ".");
  return 0;
}

void data_causal_options(CLI::App* sub, Invocation& invocation) {
  const auto command = octet::shared<CausalCommand>();
  command->text.add_to(sub);
  sub->add_option("--model", command->model, "directory with a tokenizer")->required()->type_name("DIR");
  command->out.add_to(sub);
  const CLI::Option* length =
      option(sub, "--context-length", command->context_length,
             "tokens of a block; with --write tokens only told beside them where it is given, and then octet "
             "train's --seq where that is left out");
  option(sub, "--separator", command->separator,
         "piece after each document (<|endoftext|> of BPE, [SEP] of WordPiece)");
  const CLI::Option* remainder =
      option(sub, "--remainder", command->remainder,
             "tfrecord: the tokens after the last full block: drop them, or keep a shorter one")
          ->check(CLI::IsMember({"drop", "keep"}).description(""));
  option(sub, "--write", command->write,
         "tokens: one file, which octet train reads as it needs it; tfrecord: a record for each block, in random "
         "order, for other tools")
      ->check(CLI::IsMember({"tokens", "tfrecord"}).description(""));
  const CLI::Option* each =
      option(sub, "--blocks-per-shard", command->blocks_per_shard, "tfrecord: a file for each so many blocks");
  add_threads(sub, command->threads);
  sub->callback([command, length, remainder, each, &invocation] {
    command->has_length = length->count() > 0;
    command->has_remainder = remainder->count() > 0;
    command->shards_are_sized = each->count() > 0;
    invocation.work = [command, &invocation] { return make(*command, invocation.json); };
  });
}

}  // namespace

const Subcommand data_causal_subcommand{
    .name = "causal",
    .description =
        "Tokens for a language model, in blocks of the context's length. Names of special tokens in the text are "
        "plain text.",
    .example = "octet data causal --text novel.txt --model words --out blocks --context-length 1024",
    .add_options = data_causal_options};

}  // namespace program
