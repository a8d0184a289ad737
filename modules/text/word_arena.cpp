module;
#include <cstdint>
module octet.text;
import octet.base;
import octet.standard;
import :word_arena;

namespace octet::text {

std::size_t WordArena::header_size(std::size_t bytes, std::uint64_t count) {
  std::size_t size = count < long_count ? 1 : 9;
  do ++size;
  while (bytes >>= 7);
  return size;
}

unsigned char* WordArena::reserve(std::size_t size, Place& place) {
  if (pages_.empty() || !pages_.back().memory || pages_.back().used + size > page_size) {
    const std::size_t pages = (size + page_size - 1) / page_size;
    if (pages_.size() + pages > std::size_t{1} << (32 - page_bits))
      fail({.number = 739,
            .sentence = "the distinct words of the text take more than 4 GB",
            .where = {},
            .fix = {"learn from a part of the text: some gigabytes have nearly all pieces that the whole of it has"}});
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
  if (count < long_count) {
    *at++ = static_cast<unsigned char>(count);
  } else {
    *at++ = long_count;
    for (unsigned i = 0; i < 8; ++i) *at++ = static_cast<unsigned char>(count >> (8 * i));
  }
  for (std::size_t rest = bytes.size();; rest >>= 7) {
    *at++ = static_cast<unsigned char>((rest & 0x7F) | (rest >= 0x80 ? 0x80 : 0));
    if (rest < 0x80) break;
  }
  std::memcpy(at, bytes.data(), bytes.size());
  ++size_;
  bytes_ += total;
  return place;
}

WordArena::Place WordArena::count_on(Place place, std::uint64_t more) {
  unsigned char* const at = pages_[place >> page_bits].bytes + (place & (page_size - 1));
  const Header head = header(at);
  const std::uint64_t count = head.count + more;
  if (at[0] == long_count) {
    for (unsigned i = 0; i < 8; ++i) at[1 + i] = static_cast<unsigned char>(count >> (8 * i));
    return place;
  }
  if (count < long_count) {
    at[0] = static_cast<unsigned char>(count);
    return place;
  }
  const Place after = add({reinterpret_cast<const char*>(at + head.length), head.size}, count);
  at[0] = moved;
  --size_;
  return after;
}

}  // namespace octet::text
