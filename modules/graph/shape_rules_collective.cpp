/// Shape rules of collectives, and what a list of replica groups must be.
module octet.graph;
import octet.standard;
import :constraints;
import :rules;

namespace octet::rules {

namespace {

std::string listed(const ReplicaGroups& groups) {
  std::string text = "[";
  for (std::size_t g = 0; g < groups.size(); ++g) text += say(g == 0 ? "" : ", ", groups[g]);
  return text + "]";
}

/// Says what is wrong with groups. By itself, as a page calls it hardly ever.
[[gnu::noinline]] void refuse_groups(Constraints& c, const ReplicaGroups& groups, int unique_constraint,
                                     int range_constraint) {
  Dims seen;
  for (const Dims& group : groups) {
    if (group.empty() || group.size() != groups.front().size())
      // StableHLO has an all_reduce in groups of several sizes.
      return c.broken(603, c.op() == Op::all_reduce && !group.empty() ? 0 : range_constraint,
                      say("replica_groups ", listed(groups), " has groups of ", groups.front().size(), " and of ",
                          group.size(), " replicas, and Octet's are of one size, at least 1"),
                      {"make all groups equally large, or one of all replicas, as all_replicas(n) is"});
    seen.insert(seen.end(), group.begin(), group.end());
  }
  std::sort(seen.begin(), seen.end());
  if (seen.front() < 0)
    return c.broken(
        603, range_constraint,
        say("replica_groups ", listed(groups), " names replica ", seen.front(), ", and replicas count from 0"));
  if (const auto twice = std::adjacent_find(seen.begin(), seen.end()); twice != seen.end())
    return c.broken(603, unique_constraint,
                    say("replica_groups ", listed(groups), " names replica ", *twice, " more than once"));
  std::int64_t missing = 0;
  while (seen[static_cast<std::size_t>(missing)] == missing) ++missing;
  c.broken(603, range_constraint,
           say("replica_groups ", listed(groups), " names replica ", seen.back(), " and leaves out replica ", missing));
}

/// Groups are of equal size and not empty; each replica from 0 to the last that is named comes once.
bool replica_groups(Constraints& c, const ReplicaGroups& groups, int unique_constraint, int range_constraint) {
  const std::size_t size = groups.empty() ? 0 : groups.front().size();
  std::vector<bool> named(groups.size() * size);
  bool holds = true;
  for (const Dims& group : groups) {
    holds &= !group.empty() && group.size() == size;
    for (const std::int64_t replica : group) {
      const auto r = static_cast<std::size_t>(replica);
      holds = holds && r < named.size() && !named[r];
      if (holds) named[r] = true;
    }
  }
  if (!holds) refuse_groups(c, groups, unique_constraint, range_constraint);
  return holds;
}

/// As replica_groups, where the result's shape depends on their size, so that they cannot be left open.
bool stated_groups(Constraints& c, const ReplicaGroups& groups, int unique_constraint, int range_constraint) {
  if (!groups.empty()) return replica_groups(c, groups, unique_constraint, range_constraint);
  c.broken(603, range_constraint, "replica_groups is empty, and the shape of the result depends on the size of a group",
           {"replica_groups = all_replicas(8), on eight replicas"});
  return false;
}

/// The extent of dimension `d` of the operand is a multiple of `parts`.
template <std::invocable Among>
bool divisible(Constraints& c, std::int64_t d, std::int64_t parts, Among&& among, int constraint) {
  const std::int64_t extent = c.shape(0)[d];
  if (extent % parts == 0) return true;
  const std::int64_t padded = (extent / parts + 1) * parts;
  Fixes fixes{say("pad dimension ", d, " from ", extent, " to ", padded)};
  if (extent > parts) fixes.push_back(say("use ", extent / parts * parts, " of it"));
  c.shapes(constraint,
           say("dimension ", d, " of ", c.noun(0), " is split among ", among(), ", and ", extent,
               " is not a multiple of ", parts),
           std::move(fixes));
  return false;
}

}  // namespace

Types all_gather(Constraints& c, const AllGatherAttributes& attributes) {
  TensorType result = c.type(0);
  const std::int64_t d = attributes.all_gather_dim;
  const bool is_dimension = c.dimension("all_gather_dim", d, 0, 1);
  if (stated_groups(c, attributes.replica_groups, 2, 4) && is_dimension)
    result.shape[d] *= group_size(attributes.replica_groups);
  return {result};
}

Types all_reduce(Constraints& c, const AllReduceAttributes& attributes) {
  reducible(c, attributes.reducer, 0);
  replica_groups(c, attributes.replica_groups, 1, 3);
  return {c.type(0)};
}

Types all_to_all(Constraints& c, const AllToAllAttributes& attributes) {
  TensorType result = c.type(0);
  const std::int64_t split = attributes.split_dimension, concat = attributes.concat_dimension,
                     count = attributes.split_count;
  bool holds = c.dimension("split_dimension", split, 0, 1);
  holds &= c.dimension("concat_dimension", concat, 0, 3);
  if (count <= 0) {
    c.attribute(4, say("split_count is ", count, ", and it must be at least 1"));
    holds = false;
  }
  if (stated_groups(c, attributes.replica_groups, 5, 7) && count != group_size(attributes.replica_groups)) {
    const std::int64_t size = group_size(attributes.replica_groups);
    c.attribute(8,
                say("split_count is ", count, ", and each group of replica_groups ", listed(attributes.replica_groups),
                    " has ", counted(static_cast<std::size_t>(size), "replica", "replicas")),
                {say("split_count = ", size)});
    holds = false;
  }
  if (!holds || !divisible(c, split, count, [&] { return say(count, " parts"); }, 2)) return {};
  result.shape[split] /= count;
  result.shape[concat] *= count;
  return {result};
}

Types collective_permute(Constraints& c, const PermuteAttributes& attributes) {
  const ReplicaGroups& pairs = attributes.source_target_pairs;
  const auto broken = [&](int constraint, std::string sentence) {
    c.broken(603, constraint, std::move(sentence),
             {"give pairs {source, target} of replicas from 0 on, each at most once a source and once a target"});
  };
  Dims sources, targets;
  for (const Dims& pair : pairs) {
    if (pair.size() != 2) {
      broken(1, say("source_target_pairs ", listed(pairs), " has an entry of ", pair.size(),
                    ", and each is a source and a target"));
      return {};
    }
    if (pair[0] < 0 || pair[1] < 0) {
      broken(4, say("source_target_pairs ", listed(pairs), " names replica ", std::min(pair[0], pair[1]),
                    ", and replicas count from 0"));
      return {};
    }
    sources.push_back(pair[0]);
    targets.push_back(pair[1]);
  }
  const auto unique = [&](Dims& replicas, const char* role, int constraint) {
    std::sort(replicas.begin(), replicas.end());
    if (const auto twice = std::adjacent_find(replicas.begin(), replicas.end()); twice != replicas.end())
      broken(constraint,
             say("source_target_pairs ", listed(pairs), " has replica ", *twice, " as ", role, " more than once"));
  };
  unique(sources, "source", 2);
  unique(targets, "target", 3);
  return {c.type(0)};
}

Types reduce_scatter(Constraints& c, const ReduceScatterAttributes& attributes) {
  TensorType result = c.type(0);
  const std::int64_t d = attributes.scatter_dimension;
  reducible(c, attributes.reducer, 0);
  const bool is_dimension = c.dimension("scatter_dimension", d, 0, 2);
  if (!stated_groups(c, attributes.replica_groups, 3, 5) || !is_dimension) return {result};
  const std::int64_t size = group_size(attributes.replica_groups);
  if (divisible(
          c, d, size,
          [&] { return say("the ", counted(static_cast<std::size_t>(size), "replica", "replicas"), " of a group"); },
          1))
    result.shape[d] /= size;
  return {result};
}

}  // namespace octet::rules
