// Which pairs have entries: those down to the bar.
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

// In the order in which they are joined.
bool comes_before(const PairCounts::Pair* a, const PairCounts::Pair* b) {
  return a->count != b->count ? a->count > b->count : a->ids < b->ids;
}

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

// Gives entries to the pairs down to the bar that are none of those that stay, or down to a higher one, where there is
// no room for all. Whether there is one.
//
// Where there are many rare pairs, more are counted than are kept: a share of them at a time, by the upper bits of
// their hash, so that all of them need not fit side by side.
bool PieceJoiner::count_from(Bar bar) {
  pairs_.keep([&](const Pair& pair) { return stays(pair); });
  // What a page shows is learned from less, and a table that grows is no trouble there.
  const double expected = is_for_speed ? pairs_in_buckets(bar) / static_cast<double>(shares_) : 0;
  while (share_ > 1 && expected * static_cast<double>(share_) / all_shares > static_cast<double>(most_counted()))
    share_ /= 2;
  bool found = false;
  std::size_t largest = 0;  // of the tables of pairs
  for (std::uint64_t from = 0; from < all_shares;) {
    std::vector<PairCounts> counted(shares_);
    // A table that grows is there twice for a while: it is made for as many pairs as there are likely to be.
    const double likely = 1.05 * expected * static_cast<double>(share_) / all_shares;
    for (PairCounts& of : counted)
      if (is_for_speed) of.reserve(static_cast<std::size_t>(std::min(likely, static_cast<double>(most_counted()))));
    if (!count_share(bar, from, from + share_, counted)) {
      share_ /= 2;
      continue;
    }
    from += share_;
    for (const PairCounts& of : counted) largest = std::max(largest, of.size());
    found = raise_to_fit(bar, counted);
    // Few of those that were counted: what they take goes before there is a table of all.
    std::size_t more = 0;
    for (PairCounts& of : counted) {
      of.keep([&](const Pair& pair) { return bar.admits(pair); });
      more += of.size();
    }
    pairs_.keep([&](const Pair& pair) { return stays(pair) || bar.admits(pair); }, more);
    for (PairCounts& of : counted) of.for_each([&](const Pair& pair) { pairs_.insert(pair); });
  }
  if (2 * largest < most_counted())
    share_ = std::min(2 * share_, all_shares);  // a larger one is likely to fit next time
  bar_ = bar;
  return found;
}

// About how many pairs lie in buckets that may hold one above the bar: so many leave as few buckets without one, and of
// the others, which are rarer, some lie there, too.
double PieceJoiner::pairs_in_buckets(const Bar& bar) const {
  std::size_t admitting = 0, empty = 0;
  for (const std::uint16_t bound : bounds_) {
    admitting += bound == any || bar.admits(bound, 0);
    empty += bound == 0;
  }
  // The logarithm of a / b, where that is no large number.
  const auto ratio = [](std::size_t a, std::size_t b) {
    const double t = static_cast<double>(a - b) / static_cast<double>(a + b);
    return 2 * t * (1 + t * t / 3);
  };
  const std::size_t all = bounds_.size(), others = all - admitting;
  return static_cast<double>(all) * ratio(all, others) * (1 + ratio(others + 1, empty + 1));
}

// Counts the pairs of a share that may be above the bar, by owner. Whether they fit.
bool PieceJoiner::count_share(const Bar& bar, std::uint64_t from, std::uint64_t until,
                              std::vector<PairCounts>& counted) {
  const std::size_t most = most_counted();
  const bool fits_always = share_ == 1;
  std::vector<std::size_t> over(shares_);
  for_each_pair(
      [&](const Found& found, Place) {
        if (const std::uint64_t at = share_of(found.ids); at < from || at >= until) return false;
        const std::uint16_t bound = bounds_[bucket(found.ids)];
        return bound == any || bar.admits(bound, found.ids);
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
        entry->add_places(1);
      });
  return std::ranges::all_of(over, [](std::size_t each) { return each == 0; });
}

// Raises `bar` until there is room for the pairs down to it, but not above all pairs. Whether there is one.
bool PieceJoiner::raise_to_fit(Bar& bar, std::vector<PairCounts>& counted) {
  std::vector<const Pair*> found;
  const auto for_each = [&](auto take) {
    const auto admitted = [&](const Pair& pair) {
      if (!stays(pair) && bar.admits(pair)) take(pair);
    };
    pairs_.for_each(admitted);
    for (PairCounts& of : counted) of.for_each(admitted);
  };
  std::size_t admitted = 0;
  for_each([&](const Pair&) { ++admitted; });
  if (admitted > most_pairs_) {
    found.reserve(admitted);
    for_each([&](const Pair& pair) { found.push_back(&pair); });
    const auto last = found.begin() + static_cast<std::ptrdiff_t>(most_pairs_ - 1);
    std::ranges::nth_element(found, last, comes_before);
    bar = {(*last)->count, (*last)->ids};
  }
  return admitted > 0;
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

// Nearly all lists are gone: those that are left move together, and the memory of the rest is there to count pairs in.
void PieceJoiner::give_lists_back() {
  std::vector<WordLists> fewer(shares_);
  for (Best& entry : queue_) {
    if (entry.list == everywhere) continue;
    std::uint32_t list = WordLists::none;
    for (const Place place : take_list(entry.ids, entry.list)) fewer[owner(entry.ids)].add(list, place);
    entry.list = list;
  }
  lists_ = std::move(fewer);
}

void PieceJoiner::set_bar() {
  keep_queued([&](const Best& entry) { return stays(*pairs_.find(entry.ids)); });
  if (!options_.keeps_counts)
    pairs_.for_each([&](Pair& pair) { give_back(pair.ids, std::exchange(pair.list, WordLists::none)); });
  give_lists_back();

  bounds_.assign(bounds_.size(), 0);
  for_each_pair([](const Found&, Place) { return true; },
                [&](std::size_t, const Found& found) { add_bound(found.ids, found.value); });
  const std::vector<std::uint32_t> buckets = heights_of(bounds_, any);
  const std::size_t highest = buckets.size() - 1;
  const auto above_all = static_cast<std::size_t>(std::ranges::count(bounds_, any));  // that mean any number

  for (std::size_t wanted = most_pairs_;; wanted *= 4) {
    std::size_t bar = any, some = above_all;
    if (above_all <= wanted)
      for (bar = highest + 1; bar > options_.min_frequency && bar > 1;) {
        if (some > 0 && some + buckets[bar - 1] > wanted) break;
        some += buckets[--bar];
      }
    bar = std::max<std::size_t>(bar, options_.min_frequency);
    if (count_from({bar, all_ids}) || bar == options_.min_frequency) break;
  }

  list_pairs();
}

// The pairs that may yet be joined for the first time, or those of them that have lists, in the order in which they are
// joined.
std::vector<PieceJoiner::Pair*> PieceJoiner::in_order(bool listed_ones) {
  std::vector<Pair*> found;
  found.reserve(pairs_.size());
  pairs_.for_each([&](Pair& pair) {
    if (!stays(pair) && pair.exact && pair.count > 0 && (pair.listed || !listed_ones)) found.push_back(&pair);
  });
  std::ranges::sort(found, comes_before);
  return found;
}

// Takes these pairs' lists away, and what is queued of pairs without lists.
void PieceJoiner::unlist(std::span<Pair* const> pairs) {
  for (Pair* const pair : pairs) {
    pair->listed = false;
    give_back(pair->ids, std::exchange(pair->list, WordLists::none));
  }
  keep_queued([&](const Best& entry) {
    const Pair& pair = *pairs_.find(entry.ids);
    return stays(pair) || pair.listed;
  });
}

// Gives lists to as many of the next pairs as there is room for, but at least to the first one, and takes those of
// others away.
void PieceJoiner::list_pairs() {
  const std::vector<Pair*> found = in_order(false);
  std::size_t bytes = 0, some = 0;  // of their lists
  for (; some < found.size(); ++some) {
    if (found[some]->places <= many_places()) bytes += WordLists::bytes_of(found[some]->places);
    if (some > 0 && bytes > most_bytes_of_lists_ * 2 / 3) break;
  }
  list_bar_ = some == found.size() ? Bar{0, all_ids} : Bar{found[some - 1]->count, found[some - 1]->ids};
  std::vector<bool> asked(std::min<std::size_t>(bounds_.size(), 1 << 16));  // by bucket: most pairs need no other look
  const auto mark_of = [&](IdPair ids) { return bucket(ids) & (asked.size() - 1); };
  bool any_asked = false;
  for (std::size_t i = 0; i < some; ++i) {
    Pair& pair = *found[i];
    if (pair.listed) continue;
    pair.asked = true;
    if (pair.places > many_places())
      pair.list = everywhere;
    else
      any_asked = asked[mark_of(pair.ids)] = true;
  }
  unlist({found.begin() + static_cast<std::ptrdiff_t>(some), found.end()});
  if (any_asked)
    for_each_pair(
        [&](Found& found, Place place) {
          if (!asked[mark_of(found.ids)]) return false;
          found.value = place;
          const Pair* const pair = pairs_.find(found.ids);
          return pair && pair->asked && pair->list != everywhere;
        },
        [&](std::size_t owner, const Found& found) {
          lists_[owner].add(pairs_.find(found.ids)->list, static_cast<Place>(found.value));
        });
  queue_.reserve(queue_.size() + found.size());
  pairs_.for_each([&](Pair& pair) {
    if (stays(pair) || pair.listed || pair.count == 0) return;
    pair.listed = pair.asked;
    pair.asked = false;
    const std::uint32_t list = options_.keeps_counts ? std::exchange(pair.list, WordLists::none) : WordLists::none;
    queue_.push_back({pair.count, pair.ids, list, pair.listed ? ++queued_ : 0});
  });
  std::make_heap(queue_.begin(), queue_.end());
}

// Takes the lists of the rarer half away.
void PieceJoiner::unlist_rarer() {
  const std::vector<Pair*> found = in_order(true);
  if (found.size() < 2) {  // what there is stays
    most_bytes_of_lists_ *= 2;
    return;
  }
  const Pair& last = *found[found.size() / 2 - 1];
  list_bar_ = {last.count, last.ids};
  unlist({found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2), found.end()});
  pairs_.for_each([&](const Pair& pair) {
    if (!stays(pair) && !pair.listed && pair.count > 0) queue({pair.count, pair.ids});
  });
}

// Takes the entries of the rarer half away.
void PieceJoiner::raise_bar() {
  std::vector<const Pair*> found;
  pairs_.for_each([&](const Pair& pair) {
    if (!stays(pair)) found.push_back(&pair);
  });
  if (found.size() < 2) {  // what there is stays
    most_pairs_ *= 2;
    return;
  }
  const auto last = found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2 - 1);
  std::ranges::nth_element(found, last, comes_before);
  // Some may have come to be rarer than the bar.
  if (bar_.admits(**last)) bar_ = {(*last)->count, (*last)->ids};
  keep_queued([&](const Best& entry) {
    const Pair& pair = *pairs_.find(entry.ids);
    return stays(pair) || bar_.admits(pair);
  });
  pairs_.keep([&](const Pair& pair) {
    if (stays(pair) || bar_.admits(pair)) return true;
    if (!options_.keeps_counts) give_back(pair.ids, pair.list);
    add_bound(pair.ids, pair.count);
    return false;
  });
}

}  // namespace octet::text
