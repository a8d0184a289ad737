/// Collectives and gradients: whether replicas stay the same.
module octet.tpu;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import :check;
import :check_lines;
import :collective;
import :readiness;
import :slice;

namespace octet {

namespace {

/// What the groups of a collective name.
struct Named {
  std::int64_t replicas = 0, largest = -1, groups = 0;
};
Named named_by(const Node& node) {
  Named named;
  std::visit(
      [&](const auto& attributes) {
        if constexpr (requires { attributes.replica_groups; }) {
          named.groups = static_cast<std::int64_t>(attributes.replica_groups.size());
          for (const Dims& group : attributes.replica_groups)
            for (const std::int64_t replica : group) {
              ++named.replicas;
              named.largest = std::max(named.largest, replica);
            }
        }
        if constexpr (requires { attributes.source_target_pairs; })
          for (const Dims& pair : attributes.source_target_pairs)
            for (const std::int64_t replica : pair) named.largest = std::max(named.largest, replica);
      },
      node.attributes);
  return named;
}

/// X603 where the program is for other `devices`, or else for each collective whose groups are not made of the replicas
/// of the slice.
std::vector<Diagnostic> group_faults(const Graph& graph, const tpu::Slice& slice, std::int64_t devices) {
  if (devices > 0 && devices != slice.replicas)
    return {{.number = 603,
             .sentence = "The program is lowered for " + counted(static_cast<double>(devices), "device") + ", and " +
                         slice.name + " has " + counted(static_cast<double>(slice.replicas), "replica") + ".",
             .rule = "A program runs on as many devices as it is lowered for, and its batch is in as many shares.",
             .fix = {"lower the program for " + counted(static_cast<double>(slice.replicas), "device"),
                     "check it for a slice that has as many replicas as it is lowered for"}}};
  std::vector<Diagnostic> faults;
  for_each_node(graph, [&](const Node& node) {
    if (!is_collective(node.op) || faults.size() >= 3) return;
    const auto [named, largest, size] = named_by(node);
    const bool permute = node.op == Op::collective_permute;
    if (largest < slice.replicas && (permute || size == 0 || named == slice.replicas)) return;
    const std::string has = slice.name + " has " + counted(static_cast<double>(slice.replicas), "replica");
    faults.push_back({.number = 603,
                      .sentence = largest >= slice.replicas
                                      ? "A collective names replica " + std::to_string(largest) + ", and " + has + "."
                                      : "The groups of a collective name " +
                                            counted(static_cast<double>(named), "replica") + ", and " + has +
                                            ": the others would wait for ever.",
                      .where = node.place,
                      .fix = {"let groups and slice be of the same replicas: " +
                                  (slice.replicas == slice.chips && slice.chip.megacore
                                       ? "tpu::megacore(tpu::slice(\"" + slice.name + "\")).all()"
                                       : "tpu::slice(\"" + slice.name + "\").all()") +
                                  "; for octet check, --slice NAME with as many",
                              "lower a program of JAX for " + counted(static_cast<double>(slice.replicas), "replica") +
                                  ", whose numbers its groups name then"}});
  });
  return faults;
}

/// The largest groups, short of all replicas, that what is averaged meets in; 0 where there are none.
std::size_t group_size_of(const Graph& graph) {
  std::size_t size = 0;
  for_each_node(graph, [&](const Node& node) {
    if (const auto* reduce = std::get_if<AllReduceAttributes>(&node.attributes);
        reduce && reduce->replica_groups.size() > 1)
      size = std::max(size, reduce->replica_groups.front().size());
  });
  return size;
}

/// Whether sums are taken within groups and then within others, by which all replicas may come to agree, as along the
/// axes of a mesh.
bool reduces_in_stages(const Graph& graph, std::int64_t replicas) {
  std::vector<std::size_t> reaches(static_cast<std::size_t>(replicas));  // of each replica, one that it meets or itself
  std::iota(reaches.begin(), reaches.end(), 0);
  const auto root = [&](std::size_t replica) {
    while (reaches[replica] != replica) replica = reaches[replica];
    return replica;
  };
  std::set<ReplicaGroups> stages;
  for_each_node(graph, [&](const Node& node) {
    const auto* const reduce = std::get_if<AllReduceAttributes>(&node.attributes);
    if (!reduce || reduce->replica_groups.size() < 2 || !stages.insert(reduce->replica_groups).second) return;
    for (const Dims& group : reduce->replica_groups) {
      if (group.empty() || std::ranges::min(group) < 0 || std::ranges::max(group) >= replicas) continue;
      for (const std::int64_t member : group)
        reaches[root(static_cast<std::size_t>(member))] = root(static_cast<std::size_t>(group.front()));
    }
  });
  if (stages.size() < 2) return false;
  for (std::size_t replica = 0; replica < reaches.size(); ++replica)
    if (root(replica) != root(0)) return false;
  return true;
}

/// Whether `result`, which was found for `parameter`, is its next value, and none that has its type by chance: the text
/// says so, or it is of a structure that the program returns, or its memory is given away. A loss has rank 0. What only
/// stands in its place in such a structure may be a gradient.
bool is_next_value(const Checked& checked, std::size_t parameter, std::size_t result) {
  if (checked.by_place[result]) return false;
  const auto over = checked.candidate.written_over.find(parameter);
  return (over != checked.candidate.written_over.end() && over->second == result) ||
         lies_below_any(checked.names[parameter], checked.candidate.returned) ||
         (checked.optimized.parameter_types()[parameter].shape.rank() > 0 &&
          lies_below_any(checked.names[parameter], checked.options.jit.donated));
}

/// Parameters of a function that are given away, or of whose structure it returns another, and whose next value was not
/// found, though among the results is what may be it.
std::vector<std::string> not_found(const Checked& checked) {
  std::vector<std::string> names;
  const Graph& graph = checked.optimized;
  for (std::size_t i = 0; i < graph.parameters().size(); ++i) {
    if (checked.own[i] || is_integer(graph.parameter_types()[i].dtype) ||
        std::ranges::find(checked.updates, std::optional{i}) != checked.updates.end() ||
        !(lies_below_any(checked.names[i], checked.candidate.returned) ||
          (!checked.candidate.of_one_replica && lies_below_any(checked.names[i], checked.options.jit.donated))))
      continue;
    for (std::size_t r = 0; r < checked.updates.size(); ++r)
      if (!checked.updates[r] && checked.differ[r] &&
          graph.type(graph.results()[r]) == graph.type(graph.parameters()[i])) {
        names.push_back(checked.names[i]);
        break;
      }
  }
  return names;
}

/// The first three, and how many more there are.
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, names.size()); ++i) text += (i ? ", '" : "'") + names[i] + "'";
  if (names.size() > 3) text += " and " + std::to_string(names.size() - 3) + " more";
  return text;
}

}  // namespace

std::int64_t named_replicas(const Graph& graph) {
  std::int64_t largest = -1;
  for_each_node(graph, [&](const Node& node) {
    if (!is_collective(node.op)) return;
    if (const Named named = named_by(node); named.groups > 0) largest = std::max(largest, named.largest);
  });
  return largest + 1;
}

CheckLine judge_gradients(const Checked& checked) {
  if (!checked.graph) return not_traced(checked);
  if (auto faults = group_faults(*checked.graph, checked.slice, checked.candidate.devices); !faults.empty())
    return with_faults(Verdict::fail, std::move(faults));
  CheckLine line;
  double reductions = 0;
  std::vector<JoinedCollectives> joined;
  for (const Node& node : checked.optimized.nodes()) {
    if (!is_collective(node.op)) continue;
    ++reductions;
    join(joined,
         {node.op, tpu::groups_of(node), static_cast<double>(checked.optimized.type(node.inputs.front()).bytes())});
  }
  if (reductions > 0) {
    const double bytes = bytes_of(joined), seconds = seconds_of(joined, checked.slice);
    line.evidence.push_back(counted(reductions, "collective") + " of " + bytes_text(bytes) + " together, which take " +
                            seconds_text(seconds) + " on " + checked.slice.name + " if joined");
    line.figures = {
        {"collectives", reductions}, {"collective_bytes", bytes, "bytes"}, {"collective_seconds", seconds, "seconds"}};
  }
  if (checked.slice.replicas == 1) {
    line.verdict = Verdict::pass;
    line.finding = checked.slice.name + " is one replica, which cannot drift from itself.";
    return line;
  }
  if (!checked.disagreements.empty()) {
    CheckLine failed = with_faults(Verdict::fail, checked.disagreements);
    failed.figures = std::move(line.figures);
    return failed;
  }
  if (!checked.candidate.shares_known) {
    line.finding = "It is not known which parameters hold a replica's share of the batch.";
    line.cure = {"name them: CheckOptions::batch; for octet check, --batch-argument NAME"};
    return line;
  }
  double updated = 0, sharded = 0;
  std::vector<std::string> drifting;
  bool meant = true, certain = false, shares = false;
  Place place;
  for (std::size_t r = 0; r < checked.updates.size(); ++r) {
    if (!checked.updates[r]) continue;
    ++(checked.own[*checked.updates[r]] ? sharded : updated);
    if (checked.own[*checked.updates[r]]) continue;  // what is sharded may differ
    const std::size_t parameter = *checked.updates[r];
    const bool counts = is_integer(checked.optimized.parameter_types()[parameter].dtype);
    shares |= !checked.differ[r] && !counts;
    if (!checked.differ[r]) continue;
    const bool known = is_next_value(checked, parameter, r);
    if (certain && !known) continue;
    if (std::exchange(certain, known) != known) {  // what is certain is told alone
      drifting.clear();
      meant = true;
      place = {};
    }
    drifting.push_back(checked.names[parameter]);
    meant &= counts || only_kept(checked.optimized, parameter, r);
    if (const Node* node = checked.optimized.definition(checked.optimized.results()[r]); node && !place.known())
      place = node->place;
  }
  if (auto many = drifting.empty() && updated + sharded > 0 ? many_collectives(checked) : std::vector<Diagnostic>{};
      !many.empty()) {
    CheckLine warned = with_faults(Verdict::warn, std::move(many));
    warned.evidence = std::move(line.evidence);
    warned.figures = std::move(line.figures);
    return warned;
  }
  if (updated == 0 && sharded > 0 && checked.candidate.of_one_program) {
    line.verdict = Verdict::pass;
    line.finding =
        "Of " + counted(sharded, "updated array") + " each replica has its own part, and one program has them whole.";
    return line;
  }
  if (updated == 0 && sharded > 0) {
    line.verdict = Verdict::warn;
    line.finding = "All that is updated (" + counted(sharded, "array") + ") is said to be each replica's own.";
    line.cure = {"where replicas are to learn together, say so only of what each keeps a part of"};
    return line;
  }
  if (const std::vector<std::string> unknown = not_found(checked); drifting.empty() && !unknown.empty())
    return not_judged("Which result is the next " + listed(unknown) + " is not known, and there is one that differs.",
                      {"return the structure by itself, or before or after single arrays"});
  if (updated == 0) {
    line.verdict = Verdict::pass;
    line.finding = "No next value of a parameter was recognized among the results: nothing is seen that could drift.";
    return line;
  }
  if (drifting.empty()) {
    line.verdict = Verdict::pass;
    line.finding = counted(updated, "updated array") + (updated == 1 ? " follows" : " follow") +
                   " from what all replicas share or have reduced together.";
    return line;
  }
  if (reduces_in_stages(checked.optimized, checked.slice.replicas))
    return not_judged(
        "The program reduces within groups and then within others, and which replicas agree after all of "
        "them is not followed.");
  const std::size_t group = group_size_of(checked.optimized);
  std::vector<std::string> cures{"average the gradients before the update: all_reduce(gradient, slice.all()) / " +
                                 std::to_string(checked.slice.replicas)};
  if (shares)  // beside what all learn together
    cures.push_back(
        "where each replica is to keep its own, say so: CheckOptions::sharded; for octet check, "
        "--sharded-argument NAME");
  CheckLine apart = with_faults(
      certain && !meant ? Verdict::fail : Verdict::warn,
      {{.number = 602,
        .sentence =
            "The next " + listed(drifting) + (drifting.size() == 1 ? " depends" : " depend") +
            " on a replica's own share of the batch, " +
            (group > 1 ? "reduced only within groups of " + std::to_string(group) : "with no all_reduce on the way") +
            ": replicas drift apart.",
        .where = place,
        .fix = std::move(cures)}});
  apart.evidence = std::move(line.evidence);
  if (meant)
    apart.evidence.push_back(
        "they may be meant to differ: averages and counts that nothing else reads, or whole numbers");
  if (!certain)
    apart.evidence.push_back(
        "or it is a loss or an output that only has the type of the parameter: donate what is updated, or let the text "
        "say tf.aliasing_output, and this is certain");
  apart.figures = std::move(line.figures);
  apart.figures.push_back({"drifting", static_cast<double>(drifting.size())});
  return apart;
}

}  // namespace octet
