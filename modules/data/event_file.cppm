/// Event files, from which TensorBoard draws its curves: TFRecord files of tensorflow.Event, a protocol buffer that
/// gives some scalars of one step by name. TensorBoard reads them while they grow.
///
///     data::EventWriter events{"runs/first"};
///     events.write(step, {{"train/loss", loss}, {"train/learning_rate", rate}});
module;
#include <cstdio>
export module octet.data:event_file;
import octet.standard;

export namespace octet::data {

/// One point of a curve. Names with a slash stand together: `train/loss`, `eval/loss`.
struct Scalar {
  std::string tag;
  double value = 0;  ///< kept as f32
};

/// The bytes of an event that is the first of each file: it names the format, `brain.Event:2`.
std::string encode_version_event(double wall_time);
/// Of one that tells that a run goes on: what came before of `step` and later steps is void.
std::string encode_start_event(double wall_time, std::int64_t step);
/// Of one with the scalars of a step; `wall_time` is in seconds since 1970.
std::string encode_scalars_event(double wall_time, std::int64_t step, std::span<const Scalar> scalars);

/// Appends events to a file of its own, `events.out.tfevents.SECONDS.octet`, in a directory that may hold others: of
/// earlier parts of the same run. Each event is with the system when it has been written.
class EventWriter {
 public:
  /// Makes the directory where it is missing. Throws X707, as all that follow.
  explicit EventWriter(const std::filesystem::path& directory);

  /// The run goes on with `step`, from what was saved before it.
  void start(std::int64_t step);
  void write(std::int64_t step, std::span<const Scalar> scalars);
  void write(std::int64_t step, std::initializer_list<Scalar> scalars);

  const std::filesystem::path& path() const { return path_; }

 private:
  void append(std::string_view event);

  std::filesystem::path path_;
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace octet::data
