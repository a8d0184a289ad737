module octet.tpu;
import octet.base;
import octet.standard;
import :chip;
import :host;
import :slice;

namespace octet::tpu {

bool has_nodes(const Chip& chip) { return chip.name == "v2" || chip.name == "v3"; }

std::string_view name(HostKind host) { return host == HostKind::node ? "TPU node" : "TPU VM"; }

std::string_view name(DataPlace place) {
  return place == DataPlace::memory ? "in memory" : place == DataPlace::disk ? "on the local disk" : "in a bucket";
}

std::vector<Diagnostic> faults(const DataPlacement& data, const Slice& slice) {
  std::vector<Diagnostic> result;
  if (data.host != HostKind::node) return result;
  if (!has_nodes(slice.chip))
    result.push_back({.number = 610,
                      .sentence = std::string{slice.chip.name} + " chips are not reached through TPU nodes, and " +
                                  slice.name + " is made of them.",
                      .fix = {"rent a TPU VM, where one works on the machine that holds the chips",
                              "rent v2 or v3, which are offered as TPU nodes"}});
  const std::string hosts = std::to_string(slice.hosts) + (slice.hosts == 1 ? " host" : " hosts");
  if (data.place == DataPlace::disk)
    result.push_back({.number = 606,
                      .sentence = "The data lie on the disk of the machine that starts the program, and the " + hosts +
                                  " of the TPU node " + slice.name + " that would read them cannot.",
                      .fix = {"copy the files to a bucket of Cloud Storage and read them from there",
                              "load all of them into memory, where they are small enough",
                              "rent a TPU VM, whose chips are on the machine that has the disk"}});
  if (data.calls_back)
    result.push_back(
        {.number = 607,
         .sentence = "The input pipeline calls back into the program for each example, and on the TPU node " +
                     slice.name + " it runs on the " + hosts + " of the chips, where that program is not.",
         .fix = {"write the examples to record files in a bucket once, and read these",
                 "load all examples into tensors before training begins",
                 "rent a TPU VM, where pipeline and program are on one machine"}});
  if (!result.empty()) result = Error{std::move(result)}.diagnostics();  // completed from the catalogue
  return result;
}

}  // namespace octet::tpu
