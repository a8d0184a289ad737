// The Text section: what a tokenizer makes of a sentence and of lines, and its files. web/src/workshop/text.ts gives
// the objects their types.
#include "text_desk.hpp"
import octet.standard;
import octet;

namespace desk {

namespace {

using crossing::number;
using crossing::take;
using crossing::text_of;

constexpr std::size_t largest_file = std::size_t{64} << 20;  // of a tokenizer

std::int32_t unknown_id(const text::WordPiece& tokenizer) { return tokenizer.special_ids().unknown; }
std::int32_t unknown_id(const text::Bpe&) { return -1; }  // it has pieces for every text

void describe(val& object, const text::WordPiece& tokenizer, std::int32_t id) {
  const std::string& piece = tokenizer.vocabulary().piece(id);
  const bool continues = tokenizer.continues_word(id);
  const std::string mark = continues ? tokenizer.options().wordpieces_prefix : "";
  object.set("piece", piece);
  object.set("mark", mark);
  object.set("continues", continues);
  object.set("special", tokenizer.vocabulary().is_special(id));
  object.set("unknown", id == unknown_id(tokenizer));
  set_text(object, text::compose_utf8(std::string_view{piece}.substr(mark.size())));
}

void describe(val& object, const text::Bpe& tokenizer, std::int32_t id) {
  const std::string_view bytes = tokenizer.bytes(id);
  const bool special = tokenizer.is_special(id);
  object.set("piece", tokenizer.piece(id));
  object.set("mark", std::string{});
  object.set("continues", !special && !bytes.starts_with(' '));
  object.set("special", special);
  object.set("unknown", false);
  set_text(object, special ? std::string_view{tokenizer.piece(id)} : bytes);
}

template <class Tokenizer>
val described(const Tokenizer& tokenizer, std::int32_t id) {
  val object = val::object();
  object.set("id", id);
  describe(object, tokenizer, id);
  return object;
}

std::string decoded(const text::WordPiece& tokenizer, const std::vector<std::int32_t>& ids) {
  return tokenizer.decode(ids, {.skip_special = false});
}
std::string decoded(const text::Bpe& tokenizer, const std::vector<std::int32_t>& ids) {
  return text::replace_invalid_utf8(tokenizer.decode(ids, false));
}

/// `{kind, bytes, most, decode}` → `{ids, unknown, tokens, decoded, vocabulary}`: the ids, how many are of what the
/// vocabulary does not have, so many of the first tokens at most, with the characters of the text that each stands for,
/// and, where `decode` is set, the text that the ids give.
template <class Kind>
val encode_text(Place<Kind>& place, const val& request) {
  const typename Kind::Tokenizer& tokenizer = tokenizer_of(place);
  const std::string source = request["bytes"].as<std::string>();
  const text::Encoding encoding = place.encoder->encode(source);
  std::size_t most = encoding.ids.size();
  take(request, "most", most);
  most = std::min(most, encoding.ids.size());
  const std::vector<text::Span> offsets = text::in_characters(
      source, {encoding.offsets.begin(), encoding.offsets.begin() + static_cast<std::ptrdiff_t>(most)});
  val tokens = val::array();
  for (std::size_t i = 0; i < most; ++i) {
    val token = described(tokenizer, encoding.ids[i]);
    token.set("begin", number(static_cast<std::int64_t>(offsets[i].begin)));
    token.set("end", number(static_cast<std::int64_t>(offsets[i].end)));
    tokens.set(static_cast<unsigned>(i), token);
  }
  val answer = val::object();
  answer.set("ids", val::int32s(encoding.ids));
  answer.set("unknown", number(std::ranges::count(encoding.ids, unknown_id(tokenizer))));
  answer.set("tokens", tokens);
  if (const val decode = request["decode"]; !decode.is_undefined() && decode.as<bool>())
    answer.set("decoded", decoded(tokenizer, encoding.ids));
  answer.set("vocabulary", number(static_cast<std::int64_t>(size_of(tokenizer))));
  return answer;
}

constexpr std::int32_t special_tokens(const text::WordPiece&) { return 2; }  // [CLS] and [SEP]
constexpr std::int32_t special_tokens(const text::Bpe&) { return 0; }

/// `{kind, name, bytes, whole, longest}` → `{lengths}`: the tokens of each line with the special ones, cut off at
/// `longest`. Where `bytes` are not the `whole` text, they end with a line.
template <class Kind>
val measure_lines(Place<Kind>& place, const val& request) {
  const typename Kind::Tokenizer& tokenizer = tokenizer_of(place);
  const auto longest = request["longest"].as<std::int32_t>();
  std::vector<std::int32_t> ids, lengths;
  const auto measure = [&](std::string_view line, std::size_t) {
    if (octet::data::is_blank(line)) return;
    ids.clear();
    place.encoder->append_ids(line, ids);
    lengths.push_back(std::min(longest, static_cast<std::int32_t>(ids.size()) + special_tokens(tokenizer)));
  };
  const octet::data::TextSource source{.path = text_of(request, "name")};
  octet::data::DocumentReader lines{source, {measure, [] {}}};
  request["bytes"].for_each_block([&](std::string_view bytes) { lines.add(bytes); });
  // The last row of a table may go on.
  if (request["whole"].as<bool>() || octet::data::format_of(source) == octet::data::TextFormat::txt) lines.finish();
  val answer = val::object();
  answer.set("lengths", val::int32s(lengths));
  return answer;
}

// Files --------------------------------------------------------------------------------------------------------

val file(const char* name, const std::string& content) {
  val object = val::object();
  object.set("name", std::string{name});
  object.set("content", content);
  return object;
}

val files_of(const text::WordPiece& tokenizer) {
  val files = val::array();
  files.set(0, file("vocab.txt", tokenizer.vocabulary().to_text()));
  files.set(1, file("tokenizer_config.json", text::tokenizer_config_text(tokenizer)));
  files.set(2, file("tokenizer.json", text::tokenizer_json_text(tokenizer)));
  return files;
}

val files_of(const text::Bpe& tokenizer) {
  val files = val::array();
  files.set(0, file("vocab.json", text::vocab_json_text(tokenizer)));
  files.set(1, file("merges.txt", text::merges_text(tokenizer)));
  files.set(2, file("tokenizer.json", text::tokenizer_json_text(tokenizer)));
  return files;
}

/// `{name, bytes}` for each file → the tokenizer that they hold together.
struct Given {
  std::string name, bytes;
};

/// A tokenizer, and the names of those files that it was read from.
struct ReadTokenizer {
  text::Tokenizer tokenizer;
  std::string names;
};

ReadTokenizer read_tokenizer(const val& given) {
  const std::vector<Given> files = crossing::elements(
      given, [](const val& each) { return Given{each["name"].as<std::string>(), each["bytes"].as<std::string>()}; });
  for (const Given& each : files)
    if (each.bytes.size() > largest_file)
      octet::fail({.number = 716,
                   .sentence = each.name + " is larger than 64 MB, which no tokenizer's file is",
                   .where = {},
                   .fix = {"choose a vocab.txt or a tokenizer.json; a text is opened as a text"}});
  const auto named = [&](std::string_view end) -> const Given* {
    const auto found =
        std::find_if(files.begin(), files.end(), [&](const Given& each) { return each.name.ends_with(end); });
    return found == files.end() ? nullptr : &*found;
  };
  const Given *merges = named("merges.txt"), *pieces = named("vocab.json"), *config = named("tokenizer_config.json"),
              *vocabulary = named("vocab.txt"), *whole = named("tokenizer.json");
  const std::string_view options = config ? std::string_view{config->bytes} : "{}";
  const auto names = [&](std::initializer_list<const Given*> read) {
    std::string result;
    for (const Given* each : read)
      if (each) result += (result.empty() ? "" : ", ") + each->name;
    return result;
  };
  const bool of_bpe = !whole && !vocabulary;
  if (merges && pieces && of_bpe)
    return {text::parse_bpe(pieces->bytes, merges->bytes, "", options), names({pieces, merges, config})};
  if ((merges || pieces) && of_bpe)
    octet::fail({.number = 701,
                 .sentence = std::string{merges ? "merges.txt" : "vocab.json"} +
                             " is half a tokenizer: " + (merges ? "vocab.json" : "merges.txt") + " is missing",
                 .where = {},
                 .fix = {"choose the two files together", "choose tokenizer.json, which holds both"}});
  for (const Given& each : files)
    if (whole ? &each == whole : !vocabulary && each.name.ends_with(".json") && &each != config) {
      text::Tokenizer read = text::parse_tokenizer_json(
          each.bytes, each.name, options, vocabulary ? std::string_view{vocabulary->bytes} : std::string_view{});
      const bool beside = std::holds_alternative<text::WordPiece>(read);
      return {std::move(read), names({&each, beside ? vocabulary : nullptr, config})};
    }
  for (const Given& each : files)
    if (vocabulary ? &each == vocabulary : &each != config) {
      if (each.name == "vocab.txt") return {text::parse_wordpiece(each.bytes, options, ""), names({&each, config})};
      if (config) continue;
      return {text::WordPiece{text::parse_vocabulary(each.bytes, {}, each.name)}, each.name};
    }
  octet::fail({.number = 701,
               .sentence = "none of the files has the pieces of a tokenizer",
               .where = {},
               .fix = {"choose a vocab.txt or a tokenizer.json"}});
}

/// `{files}` → `{kind, name, pieces, missing_bytes}`. What stood at its place stands where the files are faulty.
val open_tokenizer(const val& request) {
  auto [tokenizer, names] = read_tokenizer(request["files"]);
  stop_training();
  val answer = val::object();
  answer.set("name", names);
  std::visit([&](const auto& read) { answer.set("pieces", number(static_cast<std::int64_t>(size_of(read)))); },
             tokenizer);
  answer.set("missing_bytes", 0);
  if (auto* bpe = std::get_if<text::Bpe>(&tokenizer)) {
    answer.set("kind", std::string{BpeKind::name});
    answer.set("missing_bytes", number(static_cast<std::int64_t>(bpe->missing_bytes().size())));
    put(desk.bpe, std::move(*bpe));
  } else {
    answer.set("kind", std::string{WordPieceKind::name});
    put(desk.wordpiece, std::get<text::WordPiece>(std::move(tokenizer)));
  }
  return answer;
}

const crossing::Functions functions{
    {"encodeText",
     [](const val& request) { return at_place(request, [&](auto& place) { return encode_text(place, request); }); }},
    {"measureLines",
     [](const val& request) { return at_place(request, [&](auto& place) { return measure_lines(place, request); }); }},
    {"tokenizerFiles",
     [](const val& request) {
       val answer = val::object();
       answer.set("files", at_place(request, [](auto& place) { return files_of(tokenizer_of(place)); }));
       return answer;
     }},
    {"openTokenizer", open_tokenizer},
};

}  // namespace

}  // namespace desk
