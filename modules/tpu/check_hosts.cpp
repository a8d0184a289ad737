/// Data, scope and the batch: what hosts give to replicas.
module octet.tpu;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import :check;
import :check_lines;
import :host;
import :readiness;
import :slice;

namespace octet {

namespace {

CheckLine feed_unknown() {
  return not_judged("Nothing was said of where the data lie and how the chips are reached.",
                    {"say so: CheckOptions::data; for octet check, --data memory|disk|bucket --host node|vm"});
}

}  // namespace

CheckLine judge_data(const Checked& checked) {
  if (!checked.options.data) return feed_unknown();
  const tpu::DataPlacement& data = *checked.options.data;
  std::vector<Diagnostic> wrong = tpu::faults(data, checked.slice);
  std::erase_if(wrong, [](const Diagnostic& fault) { return fault.number == 607; });
  if (!wrong.empty()) return with_faults(Verdict::fail, std::move(wrong));
  CheckLine line;
  line.verdict = Verdict::pass;
  line.finding = "The data lie " + std::string{tpu::name(data.place)} + ", and are reached from a " +
                 std::string{tpu::name(data.host)} + ".";
  if (data.place == tpu::DataPlace::disk && checked.slice.hosts > 1) {
    line.verdict = Verdict::warn;
    line.evidence.push_back(checked.slice.name + " has " + counted(static_cast<double>(checked.slice.hosts), "host") +
                            ", each with a disk of its own");
    line.cure.push_back("copy the files, or the part that a host needs, to every host; or read them from a bucket");
  }
  return line;
}

CheckLine judge_pipeline(const Checked& checked) {
  if (!checked.options.data) return feed_unknown();
  const tpu::DataPlacement& data = *checked.options.data;
  std::vector<Diagnostic> wrong = tpu::faults(data, checked.slice);
  std::erase_if(wrong, [](const Diagnostic& fault) { return fault.number != 607; });
  if (!wrong.empty()) return with_faults(Verdict::fail, std::move(wrong));
  CheckLine line;
  line.verdict = Verdict::pass;
  line.finding = data.calls_back ? "The pipeline calls back into the program, which on a TPU VM runs beside it."
                                 : "The pipeline does not call back into the program.";
  return line;
}

CheckLine judge_scope(const Checked& checked) {
  if (!checked.scope_faults.empty()) return with_faults(Verdict::fail, checked.scope_faults);
  CheckLine line;
  if (checked.slice.replicas == 1) {
    line.verdict = Verdict::pass;
    line.finding = checked.slice.name + " is one replica.";
    return line;
  }
  if (!checked.graph && checked.candidate.of_one_replica) return not_traced(checked);
  if (!checked.candidate.shares_known)
    return not_judged("It is not known which parameters each replica has whole and which hold its share of the batch.",
                      {"name those of the batch: CheckOptions::batch; for octet check, --batch-argument NAME"});
  if (!checked.split_faults.empty() && !checked.graph) return not_traced(checked);
  const std::string replicas = counted(static_cast<double>(checked.slice.replicas), "replica");
  const std::vector<std::string>& sharded = checked.options.sharded;
  std::vector<std::string> whole = checked.whole, parts = sharded;
  std::erase_if(whole, [&](const std::string& argument) { return lies_below_any(argument, sharded); });
  if (checked.candidate.of_one_replica) {
    parts = checked.signature.names;
    std::erase_if(parts, [&](const std::string& argument) { return !lies_below_any(argument, sharded); });
  }
  const auto named = [&](const std::vector<std::string>& arguments) {
    if (checked.candidate.of_one_replica) return counted(static_cast<double>(arguments.size()), "parameter");
    std::string names;
    for (const std::string& argument : arguments)
      if (names.size() < 60) names += (names.empty() ? "'" : ", '") + argument + "'";
    return names;
  };
  for (std::string& argument : whole) argument.resize(std::min(argument.size(), argument.find('.')));
  line.verdict = Verdict::pass;
  line.finding =
      whole.empty() && parts.empty()
          ? (checked.candidate.same_share == checked.slice.replicas && checked.slice.replicas > 1
                 ? "Each of " + replicas + " is given all of the batch, and nothing is kept."
                 : "Everything is split over " + replicas + ", and nothing is kept.")
          : "Each of " + replicas + " has " + (whole.empty() ? "" : named(whole) + " whole") +
                (whole.empty() || parts.empty() ? "" : ", and ") +
                (parts.empty() ? ""
                               : (checked.candidate.own_parts ? "its own part of " : "a part of ") + named(parts)) +
                ".";
  return line;
}

CheckLine judge_batch(const Checked& checked) {
  if (!checked.split_faults.empty()) return with_faults(Verdict::fail, checked.split_faults);
  const std::string replicas = counted(static_cast<double>(checked.slice.replicas), "replica");
  CheckLine line;
  if (!checked.graph && checked.candidate.of_one_replica) return not_traced(checked);
  if (!checked.candidate.shares_known && checked.slice.replicas > 1)
    return not_judged("It is not known which parameters hold a replica's share of the batch.",
                      {"name them: CheckOptions::batch; for octet check, --batch-argument NAME"});
  const Signature& share = checked.shares.front();
  std::string first;
  bool any = false;
  for (std::size_t i = 0; i < share.names.size() && first.empty(); ++i)
    if (!lies_below_any(share.names[i], checked.whole) && !lies_below_any(share.names[i], checked.options.sharded)) {
      any = true;
      first = "'" + share.names[i] + "': " + to_string(share.types[i]) + " for each of " + replicas;
    }
  const std::int64_t same_work = checked.candidate.same_work;
  if (same_work > 1) {
    line.verdict = Verdict::warn;
    line.evidence.push_back((same_work == checked.slice.replicas
                                 ? "all " + replicas
                                 : number_text(static_cast<double>(same_work)) + " replicas each") +
                            " do the same work: nothing that is computed is smaller by that axis of the mesh");
    line.cure = {
        "cut the batch along every axis of the mesh, or weights so that each replica has its part of a product"};
  }
  if (!any && checked.candidate.of_one_program && !checked.options.sharded.empty()) {
    if (same_work == 1) line.verdict = Verdict::pass;
    line.finding = "All " + replicas + " compute with the same batch, and each with " +
                   (checked.candidate.own_parts ? "its own part of " : "a part of ") +
                   counted(static_cast<double>(checked.options.sharded.size()), "parameter") + ".";
    return line;
  }
  if (!any && checked.candidate.of_one_program && same_work < checked.slice.replicas) {
    line.verdict = Verdict::warn;
    line.finding = "No argument is split: all " + replicas + " are given all of each.";
    line.cure = {"cut the batch along every axis of the mesh"};
    return line;
  }
  if (!any && checked.slice.replicas > 1) {
    line.verdict = Verdict::warn;
    line.evidence.clear();
    line.finding = "No argument is split: all " + replicas + " would do the same work.";
    line.cure = {"pass the batch as it is, not replicated: it is split along its leading axis"};
    return line;
  }
  if (same_work == 1) line.verdict = Verdict::pass;
  line.finding = any ? first + "." : "There is nothing to split, and one replica.";
  if (const Candidate& of = checked.candidate; any && of.alike > 1)
    line.evidence.push_back(number_text(static_cast<double>(of.alike)) + " replicas each are given " +
                            (of.same_share == of.alike ? "the same share" : "parts of the same examples") +
                            (same_work == 1 ? ", and compute with their own parts of the rest" : ""));
  line.figures = {{"replicas", static_cast<double>(checked.slice.replicas)}};
  return line;
}

}  // namespace octet
