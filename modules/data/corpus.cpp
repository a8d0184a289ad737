module;
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#ifndef __wasm__
#include <poll.h>
#endif
module octet.data;
import octet.base;
import octet.standard;
import octet.text;

namespace octet::data {

namespace {

std::string hexadecimal(unsigned char byte) {
  constexpr char digits[] = "0123456789ABCDEF";
  return {'0', 'x', digits[byte >> 4], digits[byte & 15]};
}

// UTF-16 has a zero in every second byte of Latin text: the later one where the low byte comes first. Empty where it
// has not, or where so few bytes could be anything.
std::string_view guess_utf16(std::string_view bytes) {
  std::size_t zeros[2] = {0, 0};
  const std::size_t count = std::min<std::size_t>(bytes.size(), 4096);
  for (std::size_t i = 0; i < count; ++i) zeros[i % 2] += bytes[i] == '\0';
  const auto every_second = [&](std::size_t of, std::size_t other) {
    const bool enough = zeros[of] >= 4 || (zeros[of] >= 2 && zeros[of] == (count + 1 - of) / 2);
    return enough && zeros[of] * 5 > count && zeros[other] * 10 < count;
  };
  return every_second(1, 0) ? "UTF-16LE" : every_second(0, 1) ? "UTF-16BE" : std::string_view{};
}

std::string iconv(std::string_view encoding, const std::string& name) {
  return "iconv -f " + std::string{encoding} + " -t UTF-8 " + text::shell_quoted(name) + " > " +
         text::shell_quoted(name + ".utf8") + ", and use that file";
}

#ifdef __wasm__
constexpr int to_read = O_RDONLY;
void wait_for_bytes(int, const std::function<void()>*) {}
#else
constexpr int to_read = O_RDONLY | O_CLOEXEC | O_NONBLOCK;  // without waiting for who writes to a pipe
void wait_for_bytes(int file, const std::function<void()>* ask) {
  constexpr int milliseconds = 100;
  pollfd waited_for{.fd = file, .events = POLLIN, .revents = 0};
  while (poll(&waited_for, 1, milliseconds) <= 0)
    if (ask) (*ask)();
}
#endif

// Where the next line ends, or a NUL byte is: eight bytes at a time.
std::size_t next_mark(std::string_view bytes, std::size_t at) {
  const auto has_zero = [](std::uint64_t eight) {  // exact up to the first one
    return (eight - 0x0101010101010101u) & ~eight & 0x8080808080808080u;
  };
  if constexpr (std::endian::native == std::endian::little) {
    for (std::uint64_t eight; bytes.size() - at >= sizeof eight; at += sizeof eight) {
      std::memcpy(&eight, bytes.data() + at, sizeof eight);
      const std::uint64_t found =
          has_zero(eight) | has_zero(eight ^ 0x0A0A0A0A0A0A0A0Au) | has_zero(eight ^ 0x0D0D0D0D0D0D0D0Du);
      if (found != 0) return at + static_cast<std::size_t>(std::countr_zero(found)) / 8;
    }
  }
  while (at < bytes.size() && bytes[at] != '\n' && bytes[at] != '\r' && bytes[at] != '\0') ++at;
  return at;
}

}  // namespace

bool is_blank(std::string_view line) {
  for (std::size_t offset = 0; (offset = line.find_first_not_of(' ', offset)) < line.size();) {
    const text::CodePoint point = text::decode_code_point(line, offset);
    if (!text::is_white_space(point.value)) return false;
    offset += point.length;
  }
  return true;
}

LineReader::LineReader(std::string name, LineFunction function, ReadOptions options)
    : name_{std::move(name)}, function_{std::move(function)}, options_{options} {}

void LineReader::refuse(int number, const std::string& sentence, std::vector<std::string> fix) const {
  fail([&] {
    return Diagnostic{.number = number,
                      .sentence = sentence,
                      .where = {name_, static_cast<unsigned>(number_), ""},
                      .fix = std::move(fix)};
  });
}

void LineReader::add(std::string_view bytes) {
  bytes_ += bytes.size();
  constexpr std::size_t longest_mark = 8;
  if (begun_) {
    split(bytes);
  } else if (rest_.empty() && bytes.size() >= longest_mark) {
    begin(bytes);
  } else {
    rest_ += bytes;
    if (rest_.size() >= longest_mark) begin(std::exchange(rest_, {}));
  }
}

void LineReader::begin(std::string_view first) {
  begun_ = true;
  constexpr struct {
    std::string_view mark, encoding;
  } marks[] = {
      {{"\xFF\xFE\0\0", 4}, "UTF-32"}, {{"\0\0\xFE\xFF", 4}, "UTF-32"}, {"\xFF\xFE", "UTF-16"}, {"\xFE\xFF", "UTF-16"}};
  for (const auto& [mark, encoding] : marks)
    if (first.starts_with(mark))
      refuse(704, name_ + " begins with the byte-order mark of " + std::string{encoding} + "; it is not UTF-8",
             {iconv(encoding, name_)});
  if (const std::string_view format = guess_binary_format(first); !format.empty())
    refuse(703, name_ + " is not text: it begins like " + std::string{format},
           {"unpack or convert it to plain text first, and use that file"});
  constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";
  if (first.starts_with(utf8_mark)) {
    line_offset_ = utf8_mark.size();
    first.remove_prefix(utf8_mark.size());
  }
  split(first);
}

void LineReader::split(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    if (std::exchange(after_carriage_return_, false) && bytes[at] == '\n') {
      ++at;
      ++line_offset_;
      continue;
    }
    std::size_t end = next_mark(bytes, at);
    for (; end < bytes.size() && bytes[end] == '\0'; end = next_mark(bytes, end + 1)) holds_zero_ = true;
    if (end == bytes.size()) {
      rest_ += bytes.substr(at);
      if (rest_.size() > 2 * text::longest_segment) rest_.erase(0, take_parts(rest_));
      return;
    }
    after_carriage_return_ = bytes[end] == '\r';
    if (rest_.empty()) {
      take(bytes.substr(at, end - at));
    } else {
      rest_ += bytes.substr(at, end - at);
      take(std::exchange(rest_, {}));
    }
    ++line_offset_;
    at = end + 1;
  }
}

void LineReader::take(std::string_view line) {
  give(line.substr(take_parts(line)), finishing_);
  line_offset_ += std::exchange(given_, 0);
}

// Gives out the segments of a long line that are sure, whatever of it is to come. How many bytes those are.
std::size_t LineReader::take_parts(std::string_view line) {
  std::size_t taken = 0;
  while (options_.in_parts && line.size() - taken > text::longest_segment) {
    const std::string_view part = line.substr(taken, text::segment_end(line.substr(taken)));
    give(part, false);
    taken += part.size();
  }
  return taken;
}

// A whole line, or a part of one; the last line of the text, or its last part, where it had no line end.
void LineReader::give(std::string_view part, bool last) {
  if (given_ == 0) ++number_;
  check(part, last);
  if (blank_) blank_ = is_blank(part);
  if (options_.invalid == InvalidBytes::replace && text::find_invalid_utf8(part))
    function_(text::replace_invalid_utf8(part), number_);
  else
    function_(part, number_);
  given_ += part.size();
}

void LineReader::check(std::string_view part, bool last) const {
  if ((holds_zero_ && part.find('\0') != part.npos) ||
      (options_.invalid == InvalidBytes::refuse && text::find_invalid_utf8(part)))
    refuse_part(part, last);
}

void LineReader::refuse_part(std::string_view part, bool last) const {
  const auto place = [&](std::size_t column) {
    return "line " + std::to_string(number_) + ", byte " + std::to_string(given_ + column + 1) +
           " of that line (offset " + std::to_string(line_offset_ + given_ + column) + " in the text)";
  };
  if (const std::size_t zero = holds_zero_ ? part.find('\0') : part.npos; zero != part.npos) {
    if (const std::string_view encoding = guess_utf16(part); !encoding.empty())
      refuse(704, name_ + " is not UTF-8: zero bytes stand at every second place, as in UTF-16",
             {iconv(encoding, name_)});
    refuse(703, name_ + " is not text: a NUL byte at " + place(zero),
           {"give a plain text file; this one holds binary data"});
  }
  const std::optional<text::InvalidUtf8> fault = text::find_invalid_utf8(part);
  if (fault->truncated && last)
    refuse(705,
           name_ + " ends inside a character: at " + place(fault->offset) +
               " a character begins whose last bytes are missing",
           {"fetch or copy the file again: it was cut short",
            "cut off its last " + std::to_string(part.size() - fault->offset) + " bytes"});
  const std::size_t sample = fault->offset < 256 ? 0 : fault->offset - 256;
  refuse(704, name_ + " is not UTF-8: byte " + hexadecimal(fault->byte) + " at " + place(fault->offset),
         {iconv(guess_encoding(part.substr(sample, 4096)), name_),
          "name another encoding with -f (CP949 or EUC-KR for Korean, SHIFT_JIS or EUC-JP for Japanese, WINDOWS-1252 "
          "for western Europe)"});
}

void LineReader::check_unfinished() {
  constexpr std::size_t looked_at = std::size_t{1} << 20, longest = std::size_t{256} << 20;
  if (rest_.size() <= looked_at || (rest_.size() <= longest && !holds_zero_)) return;
  if (given_ == 0) ++number_;
  if (holds_zero_) refuse_part(rest_, false);
  refuse(703, name_ + " is not text: this line of it has more than 256 MB",
         {"give a plain text file, and part its lines"});
}

void LineReader::finish() {
  finishing_ = true;
  if (!begun_) begin(std::exchange(rest_, {}));
  if (!rest_.empty()) take(std::exchange(rest_, {}));
  number_ = 0;
  if (bytes_ == 0) refuse(702, name_ + " is empty", {});
  if (blank_) refuse(702, name_ + " holds nothing but white space (" + std::to_string(bytes_) + " bytes)", {});
}

void for_each_line_of(std::string_view text, const std::string& name, const LineFunction& function,
                      ReadOptions options) {
  LineReader reader{name, function, options};
  reader.add(text);
  reader.finish();
}

void for_each_block(const std::filesystem::path& path, const std::function<void(std::string_view)>& function,
                    const std::function<void()>* ask) {
  const std::string name = path.string();
  const auto refuse = [&](int error) {
    std::vector<std::string> fix;
    if (error == ENOENT && path.is_relative())
      fix.push_back("check the path; it is taken from the directory " + std::filesystem::current_path().string());
    if (error == EISDIR) fix.push_back("name the files in it, such as " + (path / "*.txt").string());
    if (error == EACCES) fix.push_back("make it readable: chmod u+r " + text::shell_quoted(name));
    fail([&] {
      return Diagnostic{.number = 701,
                        .sentence = "cannot read " + name + ": " + std::generic_category().message(error ? error : EIO),
                        .where = {name, 0, ""},
                        .fix = std::move(fix)};
    });
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) refuse(EISDIR);
  const int file = open(name.c_str(), to_read);
  if (file < 0) refuse(errno);
  struct Closer {
    int file;
    ~Closer() { close(file); }
  } closer{file};
  std::vector<char> block(1 << 18);
  for (std::size_t size = block.size(); size == block.size();) {
    for (size = 0; size < block.size();) {
      if (ask) (*ask)();
      wait_for_bytes(file, ask);
      const auto count = read(file, block.data() + size, block.size() - size);
      if (count < 0 && errno != EINTR && errno != EAGAIN) refuse(errno);
      if (count == 0) break;
      if (count > 0) size += static_cast<std::size_t>(count);
    }
    if (size > 0) function({block.data(), size});
  }
}

std::uint64_t for_each_line(const std::filesystem::path& path, const LineFunction& function, ReadOptions options) {
  LineReader reader{path.string(), function, options};
  const auto add = [&](std::string_view bytes) {
    reader.add(bytes);
    reader.check_unfinished();
  };
  for_each_block(path, add, options.ask);
  reader.finish();
  return reader.bytes();
}

Corpus corpus_of_text(std::string_view text, const std::string& name, ReadOptions options) {
  Corpus corpus;
  const auto keep = [&](std::string_view line, std::size_t) {
    if (!is_blank(line)) corpus.lines.emplace_back(line);
  };
  for_each_line_of(text, name, keep, options);
  corpus.bytes = text.size();
  return corpus;
}

Corpus read_corpus(const std::vector<std::filesystem::path>& paths, ReadOptions options) {
  Corpus corpus;
  std::vector<Diagnostic> faults;
  for (const std::filesystem::path& path : paths) {
    try {
      const auto keep = [&](std::string_view line, std::size_t) {
        if (!is_blank(line)) corpus.lines.emplace_back(line);
      };
      corpus.bytes += for_each_line(path, keep, options);
    } catch (const Error& error) {
      faults.insert(faults.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!faults.empty()) throw Error{std::move(faults)};
  return corpus;
}

}  // namespace octet::data
