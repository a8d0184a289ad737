module;
#include <cstdint>
module octet.text;
import octet.standard;
import :pair_table;
import :piece_joiner;
import :piece_words;
import :word_arena;
import :word_lists;

namespace octet::text {

namespace {

std::uint64_t hash_of(IdPair ids) {
  const std::uint64_t hash = ids * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 32;
}

// By other bits than those that places in tables go by.
std::uint64_t share_of(IdPair ids) { return hash_of(ids) * 0xD6E8FEB86659FD93u >> 32; }

constexpr std::uint16_t any = UINT16_MAX;

}  // namespace

PieceJoiner::PieceJoiner(PieceWords words, const Joining& options)
    : words_{std::move(words)},
      options_{options},
      most_pairs_{std::max<std::size_t>(options.room / 256, 1)},
      most_places_{std::max<std::size_t>(options.room / 16, 1)} {
  options_.min_frequency = std::max<std::uint64_t>(options_.min_frequency, 1);
  words_.for_each([&](Place place) {
    for (PieceWords::Cursor at{words_, place}; !at.done(); at.next()) known_ids_ = std::max(known_ids_, at.id() + 1);
  });
}

// Pairs and their bounds

std::size_t PieceJoiner::slot(IdPair ids) const {
  const std::size_t mask = pairs_.size() - 1;
  auto at = static_cast<std::size_t>(hash_of(ids)) & mask;
  while (pairs_[at].ids != unused && pairs_[at].ids != ids) at = (at + 1) & mask;
  return at;
}

PieceJoiner::Pair* PieceJoiner::find(IdPair ids) {
  if (pairs_.empty()) return nullptr;
  Pair& pair = pairs_[slot(ids)];
  return pair.ids == unused ? nullptr : &pair;
}

PieceJoiner::Pair& PieceJoiner::insert(const Pair& pair) {
  if (4 * (used_ + 1) > 3 * pairs_.size()) {
    std::vector<Pair> old(std::max<std::size_t>(2 * pairs_.size(), 256));
    old.swap(pairs_);
    for (const Pair& each : old)
      if (each.ids != unused) pairs_[slot(each.ids)] = each;
  }
  ++used_;
  return pairs_[slot(pair.ids)] = pair;
}

template <class Keep>
void PieceJoiner::keep_pairs(Keep keep) {
  std::vector<Pair> kept;
  for (const Pair& pair : pairs_)
    if (pair.ids != unused && keep(pair)) kept.push_back(pair);
  pairs_ = {};
  used_ = 0;
  pairs_.resize(std::bit_ceil(std::max<std::size_t>(kept.size() * 3 / 2, 256)));
  for (const Pair& pair : kept) insert(pair);
}

std::uint16_t& PieceJoiner::bound(IdPair ids) {
  return bounds_[static_cast<std::size_t>(hash_of(ids) >> 8) & (bounds_.size() - 1)];
}

void PieceJoiner::add_bound(IdPair ids, std::uint64_t more) {
  std::uint16_t& bound = this->bound(ids);
  bound = more >= static_cast<std::uint64_t>(any - bound) ? any : static_cast<std::uint16_t>(bound + more);
}

// The queue

void PieceJoiner::queue(const Best& entry) {
  queue_.push_back(entry);
  std::push_heap(queue_.begin(), queue_.end());
}

void PieceJoiner::give_back(std::uint32_t list) {
  if (list != everywhere) lists_.take(list);
}

template <class Keep>
void PieceJoiner::keep_queued(Keep keep) {
  std::erase_if(queue_, [&](const Best& entry) {
    if (keep(entry)) return false;
    give_back(entry.list);
    return true;
  });
  if (queue_.capacity() > 2 * queue_.size()) queue_.shrink_to_fit();
  std::make_heap(queue_.begin(), queue_.end());
}

PieceJoiner::Best PieceJoiner::take_best() {
  while (true) {
    if (queue_.empty() || queue_.front().count < bar_) {
      if (bar_ <= options_.min_frequency) return {};
      set_bar();
      continue;
    }
    Pair* const pair = find(queue_.front().ids);
    if (pair && !pair->exact) {
      set_bar();
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
      give_back(best.list);
  }
}

// Joining

std::uint64_t PieceJoiner::join(const Best& best, std::uint32_t joined) {
  Pair& pair = *find(best.ids);
  std::uint32_t list = best.list;
  if (!options_.keeps_counts) {
    list = std::exchange(pair.list, WordLists::none);
    pair.count = 0;
  } else if (!pair.joined) {
    pair.joined = true;
    ++staying_;
  }
  const bool all = list == everywhere, is_new = joined >= known_ids_;
  known_ids_ = std::max(known_ids_, joined + 1);
  if (change_before_.size() < known_ids_) {
    change_before_.resize(known_ids_);
    change_after_.resize(known_ids_);
  }
  std::ranges::fill(codes_, WordLists::none);

  const std::vector<Place> listed = all ? std::vector<Place>{} : lists_.take(list);
  std::uint64_t fewer = 0;
  for_each_word(listed, all, [&](Place place) { fewer += join_word(place, best.ids, joined); });
  bool any_listed = false;
  for (Change& change : changes_) {
    settle(change, is_new);
    any_listed = any_listed || change.listed;
  }
  if (any_listed) list_changes(listed, all, joined);
  for (const Change& change : changes_) {
    change_before_[left_of(change.ids)] = change_after_[right_of(change.ids)] = 0;
    if (!change.came_up) continue;
    Pair* const entry = find(change.ids);
    if (!entry || entry->count == 0) continue;
    if (!options_.keeps_counts) entry->list = change.list;
    queue({entry->count, change.ids, options_.keeps_counts ? change.list : WordLists::none, ++queued_});
  }
  changes_.clear();
  if (used_ - staying_ > most_pairs_ + most_pairs_ / 2 || lists_.bytes() > 8 * most_places_) raise_bar();
  return fewer;
}

PieceJoiner::Change& PieceJoiner::change(IdPair ids, std::uint32_t joined) {
  std::uint32_t& at = right_of(ids) == joined ? change_before_[left_of(ids)] : change_after_[right_of(ids)];
  if (at == 0) {
    changes_.push_back({ids});
    at = static_cast<std::uint32_t>(changes_.size());
  }
  return changes_[at - 1];
}

// Joins the pair wherever it stands in a word, from the left.
std::uint64_t PieceJoiner::join_word(Place place, IdPair ids, std::uint32_t joined) {
  const std::uint32_t left = left_of(ids), right = right_of(ids);
  std::uint64_t fewer = 0;
  PieceWords::Cursor here{words_, place};
  const std::uint64_t count = here.count();
  const auto less = [&](IdPair pair) {
    if (left_of(pair) == joined || right_of(pair) == joined) {
      change(pair, joined).count -= static_cast<std::int64_t>(count);
    } else if (options_.keeps_counts || pair != ids) {  // it overlaps itself in a word like "aaa"
      if (Pair* const entry = find(pair)) entry->count -= count;
    }
  };
  const auto more = [&](IdPair pair) {
    Change& of = change(pair, joined);
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
    if (size < std::size(codes_)) {
      if (codes_[size] == WordLists::none) codes_[size] = words_.code_of(joined, size);
      code = codes_[size];
    }
    here.join_next(joined, next_size, code);
    fewer += count;
  }
  return fewer;
}

// What becomes of a pair with the piece that was made.
void PieceJoiner::settle(Change& change, bool is_new) {
  Pair* entry = find(change.ids);
  if (entry) {
    entry->count += static_cast<std::uint64_t>(change.count);
    if (!options_.keeps_counts) change.list = entry->list;
  } else {
    if (!change.came_up || change.count <= 0) return;
    const auto count = static_cast<std::uint64_t>(change.count);
    // A pair with a new piece cannot have been there before; of others there may be more where no entry tells.
    const std::uint16_t before = is_new ? std::uint16_t{0} : bound(change.ids);
    if (before != any && count + before < bar_) {
      add_bound(change.ids, count);
      return;
    }
    entry = &insert({.ids = change.ids, .count = count + before});
    entry->exact = before == 0;
    if (before == any) entry->count = ~std::uint64_t{0} >> 1;
  }
  if (!change.came_up || entry->count == 0) return;
  if (change.list != everywhere && change.places > many_places()) {
    give_back(change.list);
    change.list = everywhere;
  }
  change.listed = change.list != everywhere;
}

void PieceJoiner::list_changes(const std::vector<Place>& listed, bool all, std::uint32_t joined) {
  const auto add = [&](std::uint32_t at, Place place) {
    if (at != 0 && changes_[at - 1].listed) lists_.add(changes_[at - 1].list, place);
  };
  for_each_word(listed, all, [&](Place place) {
    PieceWords::Cursor at{words_, place};
    std::uint32_t left = at.id();
    for (at.next(); !at.done(); at.next()) {
      if (at.id() == joined)
        add(change_before_[left], place);
      else if (left == joined)
        add(change_after_[at.id()], place);
      left = at.id();
    }
  });
}

// The bar

// Gives entries to the pairs of that count and more that are none of those that stay. Whether there is one.
//
// Where there are many rare pairs, more are counted than are kept: a share of them at a time, by the upper bits of
// their hash, so that all of them need not fit side by side.
bool PieceJoiner::count_from(std::uint64_t bar) {
  keep_pairs([&](const Pair& pair) { return stays(pair); });
  std::size_t places = 0;  // of the pairs kept
  const std::size_t most_counted = std::max<std::size_t>(4 * most_pairs_, 256);
  for (std::uint64_t from = 0; from < all_shares;) {
    const std::uint64_t until = from + share_;
    const auto is_counted = [&](IdPair ids) {
      const std::uint64_t at = share_of(ids);
      return at >= from && at < until;
    };
    const std::size_t before = used_;
    bool fits = true;
    const auto count = [&](IdPair ids, std::uint64_t more) {
      if (!is_counted(ids)) return;
      if (const std::uint16_t most = bound(ids); most != any && most < bar) return;
      Pair* entry = find(ids);
      if (!entry) {
        fits = used_ - before < most_counted || share_ == 1;
        if (!fits) return;
        entry = &insert({.ids = ids});
      }
      if (stays(*entry)) return;
      entry->count += more;
      if (entry->places < (1u << 30) - 1) ++entry->places;
    };
    words_.for_each([&](Place place) {
      if (fits) for_each_pair_of(place, count);
    });
    if (fits) {
      raise_to_fit(bar, places);
      from = until;
    }
    keep_pairs([&](const Pair& pair) { return stays(pair) || (pair.count >= bar && (fits || !is_counted(pair.ids))); });
    if (!fits) share_ /= 2;
  }
  share_ = std::min(2 * share_, all_shares);
  bar_ = bar;
  return places > 0;
}

// Raises `bar` until the places of the pairs above it fit, but not above all pairs. Gives how many those places are.
void PieceJoiner::raise_to_fit(std::uint64_t& bar, std::size_t& places) const {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> found;  // counts and places
  for (const Pair& pair : pairs_)
    if (pair.ids != unused && !stays(pair) && pair.count >= bar) found.emplace_back(pair.count, pair.places);
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
[[gnu::noinline]] static std::vector<std::uint32_t> heights_of(const std::vector<std::uint16_t>& bounds) {
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
    const Pair* const pair = find(entry.ids);
    return pair && stays(*pair);
  });
  if (!options_.keeps_counts)
    for (Pair& pair : pairs_)
      if (pair.ids != unused) give_back(std::exchange(pair.list, WordLists::none));
  keep_pairs([&](const Pair& pair) { return stays(pair); });

  bounds_.assign(std::bit_floor(std::max<std::size_t>(options_.room / 8, 16)), 0);
  for_each_pair([&](IdPair ids, std::uint64_t count, Place) { add_bound(ids, count); });
  const std::vector<std::uint32_t> buckets = heights_of(bounds_);
  const std::size_t highest = buckets.size() - 1;
  const auto above_all = static_cast<std::size_t>(std::ranges::count(bounds_, any));  // that mean any number

  for (std::size_t wanted = most_pairs_;; wanted *= 4) {
    std::size_t bar = above_all <= wanted ? highest + 1 : any, some = above_all;
    while (some <= wanted && bar > options_.min_frequency && bar > 1 && some + buckets[bar - 1] <= wanted)
      some += buckets[--bar];
    bar = std::max<std::size_t>(bar, options_.min_frequency);
    if (count_from(bar) || bar == options_.min_frequency) break;
  }

  for (Pair& pair : pairs_)
    if (pair.ids != unused && !stays(pair) && pair.places > many_places()) pair.list = everywhere;
  for_each_pair([&](IdPair ids, std::uint64_t, Place place) {
    if (const std::uint16_t most = bound(ids); most != any && most < bar_) return;
    if (Pair* const pair = find(ids); pair && !stays(*pair) && pair->list != everywhere) lists_.add(pair->list, place);
  });
  for (Pair& pair : pairs_) {
    if (pair.ids == unused || stays(pair)) continue;
    const std::uint32_t list = options_.keeps_counts ? std::exchange(pair.list, WordLists::none) : WordLists::none;
    queue_.push_back({pair.count, pair.ids, list, ++queued_});
  }
  std::make_heap(queue_.begin(), queue_.end());
}

// Takes the entries of the rarer half away.
void PieceJoiner::raise_bar() {
  std::vector<std::uint64_t> counts;
  for (const Pair& pair : pairs_)
    if (pair.ids != unused && !stays(pair)) counts.push_back(pair.count);
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
  keep_queued([&](const Best& entry) { return keeps(*find(entry.ids)); });
  keep_pairs([&](const Pair& pair) {
    if (keeps(pair)) return true;
    if (!options_.keeps_counts) give_back(pair.list);
    add_bound(pair.ids, pair.count);
    return false;
  });
  bar_ = bar;
}

}  // namespace octet::text
