module;
#include <cstdint>
module octet.text;
import octet.base;
import octet.standard;
import :word_arena;

namespace octet::text {

namespace {

unsigned bytes_of_count(std::uint64_t count, std::uint64_t most_direct) {
  return count <= most_direct ? 0 : count < 1u << 16 ? 2 : 8;
}

unsigned char* write_bytes(unsigned char* to, std::uint64_t number, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) *to++ = static_cast<unsigned char>(number >> 8 * i);
  return to;
}

}  // namespace

WordArena::Header WordArena::header_of_more(const unsigned char* at) {
  const unsigned char upper = at[0] >> 4, lower = at[0] & 15;
  Header head{upper, lower, 1, upper == moved || upper == moved_of_two};
  if (upper > most_direct) {
    const std::size_t bytes = upper == eight_bytes ? 8 : 2;
    head.count = 0;
    for (; head.length <= bytes; ++head.length) head.count |= std::uint64_t{at[head.length]} << 8 * (head.length - 1);
  }
  if (lower != long_size) return head;
  head.size = 0;
  for (unsigned shift = 0;; shift += 7) {
    const unsigned char byte = at[head.length++];
    head.size |= static_cast<std::size_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return head;
  }
}

std::size_t WordArena::header_size(std::size_t bytes, std::uint64_t count) {
  std::size_t size = 1 + bytes_of_count(count, most_direct);
  if (bytes >= long_size) do
      ++size;
    while (bytes >>= 7);
  return size;
}

unsigned char* WordArena::reserve(std::size_t size, Place& place) {
  if (pages_.empty() || !pages_.back().memory || pages_.back().used + size > page_size) {
    const std::size_t pages = (size + page_size - 1) / page_size;
    if (pages_.size() + pages > std::size_t{1} << (32 - page_bits))
      fail([&] {
        return Diagnostic{
            .number = 739,
            .sentence = "the distinct words of the text take more than 4 GB",
            .where = {},
            .fix = {"learn from a part of the text: some gigabytes have nearly all pieces that the whole of it has"}};
      });
    const std::size_t bytes = pages > 1 ? size : page_size, marks = with_marks_ ? bytes / 8 + 1 + marks_ahead : 0;
    std::unique_ptr<unsigned char[]> memory{new unsigned char[bytes + marks]};
    unsigned char* const begin = memory.get();
    std::memset(begin + bytes, 0, marks);
    for (std::size_t page = 0; page < pages; ++page) pages_.push_back({nullptr, begin, begin + bytes, 0});
    pages_[pages_.size() - pages].memory = std::move(memory);
    if (pages > 1) {
      place = static_cast<Place>((pages_.size() - pages) << page_bits);
      pages_[pages_.size() - pages].used = size;
      return begin;
    }
  }
  Page& page = pages_.back();
  place = static_cast<Place>((pages_.size() - 1) << page_bits | page.used);
  page.used += size;
  return page.bytes + page.used - size;
}

WordArena::Place WordArena::add(std::string_view bytes, std::uint64_t count) {
  const std::size_t total = header_size(bytes.size(), count) + bytes.size();
  Place place = 0;
  unsigned char* at = reserve(total, place);
  const unsigned count_bytes = bytes_of_count(count, most_direct);
  const unsigned upper = count_bytes == 0 ? static_cast<unsigned>(count) : count_bytes == 2 ? two_bytes : eight_bytes;
  *at++ = static_cast<unsigned char>(upper << 4 | std::min<std::size_t>(bytes.size(), long_size));
  at = write_bytes(at, count, count_bytes);
  if (bytes.size() >= long_size) {
    std::size_t rest = bytes.size();
    for (; rest >= 0x80; rest >>= 7) *at++ = static_cast<unsigned char>((rest & 0x7F) | 0x80);
    *at++ = static_cast<unsigned char>(rest);
  }
  std::memcpy(at, bytes.data(), bytes.size());
  ++size_;
  bytes_ += total;
  return place;
}

WordArena::Place WordArena::count_on(Place place, std::uint64_t more) {
  unsigned char* const at = pages_[place >> page_bits].bytes + (place & (page_size - 1));
  const Header head = header(at);
  const std::uint64_t count = more > ~head.count ? ~std::uint64_t{0} : head.count + more;
  const unsigned upper = at[0] >> 4, lower = at[0] & 15, bytes = bytes_of_count(count, most_direct);
  if (upper == eight_bytes || (upper == two_bytes && bytes == 2)) {
    write_bytes(at + 1, count, upper == two_bytes ? 2 : 8);
    return place;
  }
  if (bytes == 0) {
    at[0] = static_cast<unsigned char>(count << 4 | lower);
    return place;
  }
  const Place after = add({reinterpret_cast<const char*>(at + head.length), head.size}, count);
  at[0] = static_cast<unsigned char>((upper == two_bytes ? moved_of_two : moved) << 4 | lower);
  --size_;
  return after;
}

}  // namespace octet::text
