module octet.tpu;
import octet.base;
import octet.standard;
import :chip;
import :host;
import :slice;

namespace octet::tpu {

namespace {

struct HostType {
  std::string_view chip;
  std::int64_t chips, processors;
  double bytes;
};
/// Of each generation by chips.
constexpr HostType host_types[] = {{"v2", 4, 96, 335e9},   {"v3", 4, 96, 335e9},   {"v4", 4, 240, 407e9},
                                   {"v5e", 1, 24, 48e9},   {"v5e", 4, 112, 192e9}, {"v5e", 8, 224, 384e9},
                                   {"v5p", 4, 208, 448e9}, {"v6e", 1, 44, 176e9},  {"v6e", 4, 180, 720e9},
                                   {"v6e", 8, 180, 1440e9}};

/// The smallest with so many chips.
const HostType& host_type(const Chip& chip, std::int64_t chips) {
  const auto holds = [&](const HostType& type) { return type.chip == chip.name && type.chips >= chips; };
  const auto at = std::ranges::find_if(host_types, holds);
  return at != std::end(host_types) ? *at : host_types[0];
}
const HostType& host_type(const Slice& slice) { return host_type(slice.chip, slice.chips / slice.hosts); }

/// With what the catalogue says of them.
std::vector<Diagnostic> completed(std::vector<Diagnostic> faults) {
  return faults.empty() ? faults : Error{std::move(faults)}.diagnostics();
}

/// X606 where the data do not fit.
std::vector<Diagnostic> too_large(double bytes, const Slice& slice) {
  const double share = bytes / static_cast<double>(slice.hosts), memory = host_memory(slice);
  if (share <= memory) return {};
  const auto text = [](double each) {
    return each < 1e13 ? shortest_decimal(std::ceil(each / 1e8) / 10) + " GB"  // so that it is more than there is
                       : shortest_decimal(std::ceil(each / 1e11) / 10) + " TB";
  };
  return {{.number = 606,
           .sentence =
               "The data are " + text(bytes) + " in memory, and " +
               (slice.hosts == 1 ? "the host of " + slice.name + " has " + text(memory) + "."
                                 : "an equal share for each of the " + std::to_string(slice.hosts) + " hosts of " +
                                       slice.name + " is " + text(share) + ", of which it has " + text(memory) + "."),
           .rule = "Data wholly in memory lie in that of the hosts, beside the program that runs there.",
           .fix = {"read them while training from record files in a bucket, or on the disk of a TPU VM",
                   "store an example smaller: token numbers in two bytes each, and masks drawn as it is read"}}};
}

}  // namespace

std::int64_t host_processors(const Slice& slice) { return host_type(slice).processors; }
std::int64_t host_processors(const Chip& chip) { return host_type(chip, chip.chips_per_host).processors; }
double host_memory(const Slice& slice) { return host_type(slice).bytes; }

bool has_nodes(const Chip& chip) { return chip.name == "v2" || chip.name == "v3"; }

std::string_view name(HostKind host) { return host == HostKind::node ? "TPU node" : "TPU VM"; }

std::string_view name(DataPlace place) {
  return place == DataPlace::memory ? "in memory" : place == DataPlace::disk ? "on the local disk" : "in a bucket";
}

std::vector<Diagnostic> faults(const DataPlacement& data, const Slice& slice) {
  if (data.host != HostKind::node) {
    // Of a TPU node, the memory is that of the machine that one works at.
    std::vector<Diagnostic> result;
    if (data.place == DataPlace::memory) result = too_large(data.bytes, slice);
    return completed(std::move(result));
  }
  std::vector<Diagnostic> result;
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
  return completed(std::move(result));
}

}  // namespace octet::tpu
