/// The timeline of steps: what each host and each replica does when, to be looked at in a viewer of traces.
export module octet.tpu:timeline;
import octet.standard;
import :feed;
import :slice;

export namespace octet::tpu {

/// A stretch of a replica's step, perhaps of shorter ones in a row, which take as long as it does.
struct Stretch {
  std::string name;      ///< `layer 3`, `dot_general [7168, 1024] x [1024, 4096]`
  std::string category;  ///< `forward`, `backward`, `collective`, `update`, …: a viewer gives each a colour
  double seconds = 0;
  std::vector<std::pair<std::string, std::string>> facts = {};
  std::vector<Stretch> parts = {};
};

/// One row: a thread of a host, or a replica.
struct TimelineLane {
  std::string group;  ///< `host 1`, counted from 1 as in reports; `replicas`
  std::string name;   ///< `read`, `replica 3`
};

/// What a lane does from `begin` on. What lies within another of its lane is part of it.
struct TimelineEvent {
  std::size_t lane = 0;
  std::string name, category;
  double begin = 0, seconds = 0;
  std::int64_t step = 0;  ///< counted from 0
  std::vector<std::pair<std::string, std::string>> facts = {};
};

struct Timeline {
  std::vector<TimelineLane> lanes;
  std::vector<TimelineEvent> events;  ///< by lane, then by begin, the outer before the inner
  double seconds = 0;                 ///< to the end of the last step
  std::vector<std::string> notes;     ///< what is left out
};

/// How many stretches a step is drawn as on a replica that is shown with all parts, those of parts among them.
std::int64_t stretches_of(const std::vector<Stretch>& step);

struct TimelineOptions {
  std::int64_t steps = 4;
  std::int64_t hosts = 8, replicas = 8;  ///< shown, at most
};

/// The first steps of a program on `slice`: hosts read, prepare and carry batches as `feed` says, and every replica
/// runs `step` when its batch is there. The first replica is shown with all parts, the others with the outermost: they
/// do the same at the same time. Of many hosts the first are shown, and the one that takes longest. Throws X403 for a
/// feed of another number of hosts, and X604 for a slice that cannot be.
Timeline timeline(const std::vector<Stretch>& step, const Feed& feed, const Slice& slice,
                  const TimelineOptions& options = {});

/// The timeline in the Trace Event Format, one JSON object, which Perfetto and chrome://tracing open. Times are in
/// microseconds.
std::string to_trace_json(const Timeline& timeline);

}  // namespace octet::tpu
