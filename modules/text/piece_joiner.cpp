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

// A thread is worth waking for so many words.
constexpr std::size_t many_words = 1000;
// Of which a thread finds so many pairs at a time at the most.
constexpr std::size_t longest_shared = std::size_t{1} << 16;

}  // namespace

PieceJoiner::PieceJoiner(PieceWords words, const Joining& options)
    : words_{std::move(words)},
      options_{options},
      shares_{is_for_speed && options.threads && words_.longest() <= longest_shared
                  ? std::clamp<std::size_t>(words_.arena().pages() / 2, 1, options.threads->count())
                  : 1},
      most_pairs_{room_for_pairs()},
      most_bytes_of_lists_{std::max<std::size_t>(options.room / 2, 768)},
      bounds_(std::bit_floor(std::max<std::size_t>(std::min(options.room / 8, words_.bytes() / 4), 16))),
      bucket_bits_{std::countr_zero(bounds_.size())},
      lists_(shares_),
      changes_(shares_) {
  options_.min_frequency = std::max<std::uint64_t>(options_.min_frequency, 1);
  words_.arena().for_each([&](Place place) {
    for (PieceWords::Cursor at{words_, place}; !at.done(); at.next()) known_ids_ = std::max(known_ids_, at.id() + 1);
  });
}

// The queue

void PieceJoiner::queue(const Best& entry) {
  if (queue_.size() == queue_.capacity()) queue_.reserve(queue_.size() + queue_.size() / 4 + 64);
  queue_.push_back(entry);
  std::push_heap(queue_.begin(), queue_.end());
}

std::size_t PieceJoiner::bytes_of_lists() const {
  std::size_t bytes = 0;
  for (const WordLists& lists : lists_) bytes += lists.bytes();
  return bytes;
}

PieceJoiner::Best PieceJoiner::take_best() {
  while (true) {
    if (queue_.empty() || !bar_.admits(queue_.front().count, queue_.front().ids)) {
      if (bar_.count <= options_.min_frequency && bar_.ids == all_ids) return {};
      set_bar();
      continue;
    }
    Pair* const pair = pairs_.find(queue_.front().ids);
    if (pair && !pair->exact) {
      set_bar();
      continue;
    }
    if (!pair->listed && pair->count == queue_.front().count) {
      list_pairs();
      continue;
    }
    std::pop_heap(queue_.begin(), queue_.end());
    Best best = queue_.back();
    queue_.pop_back();
    if (pair->count == best.count) return best;
    best.count = pair->count;
    if (best.count > 0)
      queue(best);
    else
      give_back(best.ids, best.list);
  }
}

// Joining

std::uint64_t PieceJoiner::join(const Best& best, std::uint32_t joined) {
  Pair& pair = *pairs_.find(best.ids);
  std::uint32_t list = best.list;
  if (!options_.keeps_counts) {
    list = std::exchange(pair.list, WordLists::none);
    pair.count = 0;
  } else if (!pair.joined) {
    pair.joined = true;
    ++staying_;
  }
  const bool is_new = joined >= known_ids_;
  known_ids_ = std::max(known_ids_, joined + 1);

  Listed listed{.places = {}, .all = list == everywhere};
  if (!listed.all) listed.places = take_list(best.ids, list);
  join_words(listed, best.ids, joined);
  Changes& changes = changes_.front();
  bool any_listed = false;
  for (Change& change : changes.all) {
    settle(change, is_new);
    any_listed = any_listed || change.listed;
  }
  if (any_listed) list_changes(listed, joined);
  for (const Change& change : changes.all) {
    if (!change.came_up) continue;
    Pair* const entry = pairs_.find(change.ids);
    if (!entry || entry->count == 0) continue;
    if (!options_.keeps_counts) entry->list = change.list;
    queue({entry->count, change.ids, options_.keeps_counts ? change.list : WordLists::none, ++queued_});
  }
  forget(changes);
  if (pairs_.size() - staying_ > most_pairs_ + most_pairs_ / 2) raise_bar();
  if (bytes_of_lists() > most_bytes_of_lists_) unlist_rarer();
  return changes.fewer;
}

PieceJoiner::Change& PieceJoiner::change(Changes& changes, IdPair ids, std::uint32_t joined) {
  std::uint32_t& at = right_of(ids) == joined ? changes.before[left_of(ids)] : changes.after[right_of(ids)];
  if (at == 0) {
    changes.all.push_back({ids});
    at = static_cast<std::uint32_t>(changes.all.size());
  }
  return changes.all[at - 1];
}

void PieceJoiner::forget(Changes& changes) {
  for (const Change& change : changes.all)
    changes.before[left_of(change.ids)] = changes.after[right_of(change.ids)] = 0;
  changes.all.clear();
}

void PieceJoiner::join_words(const Listed& listed, IdPair ids, std::uint32_t joined) {
  const auto begin = [&](Changes& changes) {
    if (changes.before.size() < known_ids_) {
      changes.before.resize(known_ids_);
      changes.after.resize(known_ids_);
    }
    std::ranges::fill(changes.codes, WordLists::none);
    changes.fewer = 0;
  };
  Changes& all = changes_.front();
  begin(all);
  if (!is_for_speed || shares_ == 1 || (!listed.all && listed.places.size() < many_words)) {
    for_each_word(listed, [&](Place place) { join_word(place, ids, joined, all, false); });
    return;
  }
  words_.reserve_codes(std::size(all.codes));
  options_.threads->for_each(shares_, [&](std::size_t share) {
    Changes& own = changes_[share];
    if (share > 0) begin(own);
    const std::size_t first = first_page(share), end = first_page(share + 1);
    if (listed.all) {
      words_.arena().for_each(first, end, [&](Place place) { join_word(place, ids, joined, own, true); });
      return;
    }
    const std::uint64_t low = WordArena::first_place(first), high = low + (WordArena::first_place(1) * (end - first));
    for (const Place place : listed.places)
      if (place >= low && place < high) join_word(place, ids, joined, own, true);
  });
  for (std::size_t share = 1; share < shares_; ++share) {
    Changes& own = changes_[share];
    for (const Change& each : own.all) {
      Change& of = change(all, each.ids, joined);
      of.count += each.count;
      of.places += each.places;
      of.came_up = of.came_up || each.came_up;
    }
    all.fewer += own.fewer;
    forget(own);
  }
}

// Joins the pair wherever it stands in a word, from the left.
void PieceJoiner::join_word(Place place, IdPair ids, std::uint32_t joined, Changes& changes, bool shared) {
  const std::uint32_t left = left_of(ids), right = right_of(ids);
  PieceWords::Cursor here{words_, place};
  const std::uint64_t count = here.count();
  const auto less = [&](IdPair pair) {
    if (left_of(pair) == joined || right_of(pair) == joined) {
      change(changes, pair, joined).count -= static_cast<std::int64_t>(count);
    } else if (options_.keeps_counts || pair != ids) {  // it overlaps itself in a word like "aaa"
      if (Pair* const entry = pairs_.find(pair)) {
        if (shared)
          __atomic_fetch_sub(&entry->count, count, __ATOMIC_RELAXED);
        else
          entry->count -= count;
      }
    }
  };
  const auto more = [&](IdPair pair) {
    Change& of = change(changes, pair, joined);
    of.count += static_cast<std::int64_t>(count);
    of.came_up = true;
    ++of.places;
  };
  bool begun = false;
  for (std::uint32_t previous = 0; !here.done(); begun = true, previous = here.id(), here.next()) {
    if (here.id() != left) continue;
    PieceWords::Cursor next = here;
    next.next();
    if (next.done() || next.id() != right) continue;
    if (begun) {
      less(id_pair(previous, left));
      more(id_pair(previous, joined));
    }
    const std::uint32_t next_size = next.size(), size = here.size() + next_size;
    next.next();
    if (!next.done()) {
      less(id_pair(right, next.id()));
      more(id_pair(joined, next.id()));
    }
    std::uint32_t code = joined;
    if (size < std::size(changes.codes)) {
      if (changes.codes[size] == WordLists::none) {
        const std::scoped_lock alone{codes_};
        changes.codes[size] = words_.code_of(joined, size);
      }
      code = changes.codes[size];
    }
    here.join_next(joined, next_size, code);
    changes.fewer += count;
  }
}

// What becomes of a pair with the piece that was made.
void PieceJoiner::settle(Change& change, bool is_new) {
  Pair* entry = pairs_.find(change.ids);
  if (entry) {
    entry->count += static_cast<std::uint64_t>(change.count);
    if (!options_.keeps_counts) change.list = entry->list;
  } else {
    if (!change.came_up || change.count <= 0) return;
    const auto count = static_cast<std::uint64_t>(change.count);
    // A pair with a new piece cannot have been there before; of others there may be more where no entry tells.
    const std::uint16_t before = is_new ? std::uint16_t{0} : bounds_[bucket(change.ids)];
    if (before != any && !bar_.admits(count + before, change.ids)) {
      add_bound(change.ids, count);
      return;
    }
    entry = &pairs_.insert({.ids = change.ids, .count = count + before});
    entry->exact = before == 0;
    if (before == any) entry->count = ~std::uint64_t{0} >> 1;
    entry->listed = entry->exact && list_bar_.admits(*entry);
  }
  if (!change.came_up || entry->count == 0) return;
  entry->add_places(change.places);
  if (!entry->listed) return;
  if (change.list != everywhere && change.places > many_places()) {
    give_back(change.ids, change.list);
    change.list = everywhere;
  }
  change.listed = change.list != everywhere;
}

void PieceJoiner::list_changes(const Listed& listed, std::uint32_t joined) {
  Changes& changes = changes_.front();
  const auto for_each_change_in = [&](Place place, const auto& function) {
    const auto listed_at = [&](std::uint32_t at) {
      if (at != 0 && changes.all[at - 1].listed) function(at - 1);
    };
    PieceWords::Cursor at{words_, place};
    std::uint32_t left = at.id();
    for (at.next(); !at.done(); at.next()) {
      if (at.id() == joined)
        listed_at(changes.before[left]);
      else if (left == joined)
        listed_at(changes.after[at.id()]);
      left = at.id();
    }
  };
  if (!is_for_speed || shares_ == 1 || (!listed.all && listed.places.size() < many_words)) {
    for_each_word(listed, [&](Place place) {
      for_each_change_in(place, [&](std::uint32_t at) {
        Change& change = changes.all[at];
        lists_[owner(change.ids)].add(change.list, place);
      });
    });
    return;
  }
  struct Addition {
    std::uint32_t change;
    Place place;
  };
  std::vector<WordArena::Position> at(shares_);
  for (std::size_t share = 0; share < shares_; ++share)
    at[share] = listed.all ? WordArena::Position{.page = first_page(share)}
                           : WordArena::Position{.at = listed.places.size() * share / shares_};
  Exchange<Addition>{*options_.threads, shares_}.run(
      [&](std::size_t share, auto& put) {
        const auto find = [&](Place place) {
          for_each_change_in(place, [&](std::uint32_t at) { put.add(owner(changes.all[at].ids), {at, place}); });
          return !put.full();
        };
        WordArena::Position& from = at[share];
        if (listed.all) return words_.arena().for_some(from, first_page(share + 1), find);
        for (const std::size_t end = listed.places.size() * (share + 1) / shares_; from.at < end;)
          if (!find(listed.places[from.at++])) return true;
        return false;
      },
      [&](std::size_t owner, const Addition& addition) {
        lists_[owner].add(changes.all[addition.change].list, addition.place);
      });
}

}  // namespace octet::text
