// Which pairs have entries: those of a count, the bar, and more.
module;
#include <cstdint>
module octet.text;
import octet.base;
import octet.standard;
import :exchange;
import :pair_counts;
import :pair_table;
import :piece_joiner;
import :piece_words;
import :word_arena;
import :word_lists;

#include "for_speed.hpp"

namespace octet::text {

namespace {

// By other bits than those that places in tables go by.
std::uint64_t share_of(IdPair ids) { return hash_of(ids) * 0xD6E8FEB86659FD93u >> 32; }

}  // namespace

// Calls `take(owner, found)` for each pair of neighbours, with its count, for which `chosen(found, place)` holds; that
// may put something else in place of the count.
template <class Chosen, class Take>
void PieceJoiner::for_each_pair(Chosen chosen, Take take) {
  if (!is_for_speed || shares_ == 1) {
    words_.arena().for_each([&](Place place) {
      for_each_pair_of(place, [&](IdPair ids, std::uint64_t count) {
        if (Found found{ids, count}; chosen(found, place)) take(std::size_t{0}, found);
      });
    });
    return;
  }
  std::vector<WordArena::Position> at(shares_);
  for (std::size_t share = 0; share < shares_; ++share) at[share].page = first_page(share);
  Exchange<Found>{*options_.threads, shares_}.run(
      [&](std::size_t share, auto& put) {
        return words_.arena().for_some(at[share], first_page(share + 1), [&](Place place) {
          for_each_pair_of(place, [&](IdPair ids, std::uint64_t count) {
            if (Found found{ids, count}; chosen(found, place)) put.add(owner(ids), found);
          });
          return !put.full();
        });
      },
      take);
}

template <class Keep>
void PieceJoiner::keep_queued(Keep keep) {
  std::erase_if(queue_, [&](const Best& entry) {
    if (keep(entry)) return false;
    give_back(entry.ids, entry.list);
    return true;
  });
  if (queue_.capacity() > 2 * queue_.size()) queue_.shrink_to_fit();
  std::make_heap(queue_.begin(), queue_.end());
}

// Gives entries to the pairs of that count and more that are none of those that stay. Whether there is one.
//
// Where there are many rare pairs, more are counted than are kept: a share of them at a time, by the upper bits of
// their hash, so that all of them need not fit side by side.
bool PieceJoiner::count_from(std::uint64_t bar) {
  pairs_.keep([&](const Pair& pair) { return stays(pair); });
  std::size_t places = 0;  // of the pairs kept
  for (std::uint64_t from = 0; from < all_shares;) {
    std::vector<PairCounts> counted(shares_);
    if (!count_share(bar, from, from + share_, counted)) {
      share_ /= 2;
      continue;
    }
    from += share_;
    raise_to_fit(bar, places, counted);
    std::size_t more = 0;
    for (PairCounts& of : counted) of.for_each([&](const Pair& pair) { more += pair.count >= bar; });
    pairs_.keep([&](const Pair& pair) { return stays(pair) || pair.count >= bar; }, more);
    for (PairCounts& of : counted) {
      of.for_each([&](const Pair& pair) {
        if (pair.count >= bar) pairs_.insert(pair);
      });
      of.clear();
    }
  }
  share_ = std::min(2 * share_, all_shares);
  bar_ = bar;
  return places > 0;
}

// Counts the pairs of a share that may be above the bar, by owner. Whether they fit.
bool PieceJoiner::count_share(std::uint64_t bar, std::uint64_t from, std::uint64_t until,
                              std::vector<PairCounts>& counted) {
  const std::size_t most = std::max<std::size_t>(3 * room_for_pairs() / shares_, 256);
  const bool fits_always = share_ == 1;
  // A table that grows is there twice for a while. To make it whole at once takes less than going through the words
  // where it is small beside them, and they leave little room.
  if (8 * most * shares_ * sizeof(Pair) < words_.bytes())
    for (PairCounts& of : counted) of.reserve(most);
  std::vector<std::size_t> over(shares_);
  for_each_pair(
      [&](const Found& found, Place) {
        if (const std::uint64_t at = share_of(found.ids); at < from || at >= until) return false;
        const std::uint16_t bound = bounds_[bucket(found.ids)];
        return bound == any || bound >= bar;
      },
      [&](std::size_t owner, const Found& found) {
        if (over[owner] != 0) return;
        PairCounts& own = counted[owner];
        Pair* entry = own.find(found.ids);
        if (!entry) {
          if (const Pair* const there = pairs_.find(found.ids); there && stays(*there)) return;
          if (own.size() >= most && !fits_always) {
            over[owner] = 1;
            return;
          }
          entry = &own.insert({.ids = found.ids});
        }
        entry->count += found.value;
        if (entry->places < (1u << 30) - 1) ++entry->places;
      });
  return std::ranges::all_of(over, [](std::size_t each) { return each == 0; });
}

// Raises `bar` until the places of the pairs above it fit, but not above all pairs. Gives how many those places are.
void PieceJoiner::raise_to_fit(std::uint64_t& bar, std::size_t& places, std::vector<PairCounts>& counted) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> found;  // counts and places
  const auto add = [&](const Pair& pair) {
    if (!stays(pair) && pair.count >= bar) found.emplace_back(pair.count, pair.places);
  };
  pairs_.for_each(add);
  for (PairCounts& of : counted) of.for_each(add);
  std::ranges::sort(found, std::greater{});
  places = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].second <= many_places()) places += found[i].second;
    if (places > most_places_ && found[i].first < found.front().first) {
      bar = found[i].first + 1;
      break;
    }
  }
  if (places == 0) places = found.size();
}

// How many bounds there are of each height, up to the highest that is a number. There are many more bounds than a small
// text has pairs: they are gone through once, apart from all else.
[[gnu::noinline]] static std::vector<std::uint32_t> heights_of(const std::vector<std::uint16_t>& bounds,
                                                               std::uint16_t any) {
  std::vector<std::uint32_t> heights(1);
  for (const std::uint16_t most : bounds) {
    if (most == 0 || most == any) continue;
    if (most >= heights.size()) heights.resize(std::size_t{most} + 1);
    ++heights[most];
  }
  return heights;
}

void PieceJoiner::set_bar() {
  keep_queued([&](const Best& entry) {
    const Pair* const pair = pairs_.find(entry.ids);
    return pair && stays(*pair);
  });
  if (!options_.keeps_counts)
    pairs_.for_each([&](Pair& pair) { give_back(pair.ids, std::exchange(pair.list, WordLists::none)); });
  pairs_.keep([&](const Pair& pair) { return stays(pair); });

  bounds_.assign(bounds_.size(), 0);
  for_each_pair([](const Found&, Place) { return true; },
                [&](std::size_t, const Found& found) { add_bound(found.ids, found.value); });
  const std::vector<std::uint32_t> buckets = heights_of(bounds_, any);
  const std::size_t highest = buckets.size() - 1;
  const auto above_all = static_cast<std::size_t>(std::ranges::count(bounds_, any));  // that mean any number

  for (std::size_t wanted = most_pairs_;; wanted *= 4) {
    std::size_t bar = above_all <= wanted ? highest + 1 : any, some = above_all;
    while (some <= wanted && bar > options_.min_frequency && bar > 1 && some + buckets[bar - 1] <= wanted)
      some += buckets[--bar];
    bar = std::max<std::size_t>(bar, options_.min_frequency);
    if (count_from(bar) || bar == options_.min_frequency) break;
  }

  pairs_.for_each([&](Pair& pair) {
    if (!stays(pair) && pair.places > many_places()) pair.list = everywhere;
  });
  for_each_pair(
      [&](Found& found, Place place) {
        found.value = place;
        const std::uint16_t bound = bounds_[bucket(found.ids)];
        return bound == any || bound >= bar_;
      },
      [&](std::size_t owner, const Found& found) {
        if (Pair* const pair = pairs_.find(found.ids); pair && !stays(*pair) && pair->list != everywhere)
          lists_[owner].add(pair->list, static_cast<Place>(found.value));
      });
  queue_.reserve(queue_.size() + pairs_.size() - staying_);
  pairs_.for_each([&](Pair& pair) {
    if (stays(pair)) return;
    const std::uint32_t list = options_.keeps_counts ? std::exchange(pair.list, WordLists::none) : WordLists::none;
    queue_.push_back({pair.count, pair.ids, list, ++queued_});
  });
  std::make_heap(queue_.begin(), queue_.end());
}

// Takes the entries of the rarer half away.
void PieceJoiner::raise_bar() {
  std::vector<std::uint64_t> counts;
  pairs_.for_each([&](const Pair& pair) {
    if (!stays(pair)) counts.push_back(pair.count);
  });
  if (counts.empty()) {  // what there is stays; the lists may have outgrown their share
    most_pairs_ *= 2;
    most_places_ *= 2;
    return;
  }
  const auto middle = counts.begin() + static_cast<std::ptrdiff_t>(counts.size() / 2);
  std::ranges::nth_element(counts, middle);
  const std::uint64_t bar = std::max(*middle + 1, bar_);
  if (std::ranges::max(counts) < bar) {  // they are all alike: there must be room for them
    most_pairs_ *= 2;
    most_places_ *= 2;
    return;
  }
  const auto keeps = [&](const Pair& pair) { return stays(pair) || pair.count >= bar; };
  keep_queued([&](const Best& entry) { return keeps(*pairs_.find(entry.ids)); });
  pairs_.keep([&](const Pair& pair) {
    if (keeps(pair)) return true;
    if (!options_.keeps_counts) give_back(pair.ids, pair.list);
    add_bound(pair.ids, pair.count);
    return false;
  });
  bar_ = bar;
}

}  // namespace octet::text
