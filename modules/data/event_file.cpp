/// Of the messages, what is used here:
///
///     message Event { double wall_time = 1; int64 step = 2;
///                     oneof what { string file_version = 3; Summary summary = 5; SessionLog session_log = 7; } }
///     message Summary { message Value { string tag = 1; float simple_value = 2; }  repeated Value value = 1; }
///     message SessionLog { enum SessionStatus { START = 1; }  SessionStatus status = 1; }
module;
#include <cerrno>
#include <cstdio>
module octet.data;
import octet.base;
import octet.standard;
import octet.text;
import :event_file;
import :protocol_buffer;
import :tfrecord;

namespace octet::data {

namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string event_at(double wall_time, std::int64_t step) {
  std::string event;
  append_double(event, 1, wall_time);
  if (step != 0) append_number(event, 2, static_cast<std::uint64_t>(step));
  return event;
}

[[noreturn]] void cannot_write(const std::filesystem::path& path, int error) {
  fail({.number = 707,
        .sentence = "cannot write " + path.string() + ": " + std::generic_category().message(error ? error : EIO),
        .where = {path.string(), 0, ""},
        .rule = "An event file grows in place, and what it held before can be read.",
        .fix = {"free some space or choose another directory"}});
}

}  // namespace

std::string encode_version_event(double wall_time) {
  std::string event = event_at(wall_time, 0);
  append_delimited(event, 3, "brain.Event:2");
  return event;
}

std::string encode_start_event(double wall_time, std::int64_t step) {
  std::string event = event_at(wall_time, step), log;
  append_number(log, 1, 1);
  append_delimited(event, 7, log);
  return event;
}

std::string encode_scalars_event(double wall_time, std::int64_t step, std::span<const Scalar> scalars) {
  std::string event = event_at(wall_time, step), summary;
  for (const Scalar& scalar : scalars) {
    std::string value;
    append_delimited(value, 1, scalar.tag);
    append_float(value, 2, static_cast<float>(scalar.value));
    append_delimited(summary, 1, value);
  }
  append_delimited(event, 5, summary);
  return event;
}

EventWriter::EventWriter(const std::filesystem::path& directory) {
  text::make_directory(directory);
  const double now = seconds_now();
  // TensorBoard reads a directory's files in the order of their names: that of their beginnings. Where a name is taken,
  // so are those of later files: the next second's follows them all.
  for (auto second = static_cast<std::int64_t>(now); !file_; ++second) {
    path_ = directory / ("events.out.tfevents." + std::to_string(second) + ".octet");
    file_.reset(std::fopen(path_.string().c_str(), "wbx"));
    if (!file_ && errno != EEXIST) cannot_write(path_, errno);
  }
  try {
    append(encode_version_event(now));
  } catch (const Error&) {
    file_.reset();
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
    throw;
  }
}

void EventWriter::start(std::int64_t step) { append(encode_start_event(seconds_now(), step)); }

void EventWriter::write(std::int64_t step, std::span<const Scalar> scalars) {
  append(encode_scalars_event(seconds_now(), step, scalars));
}

void EventWriter::write(std::int64_t step, std::initializer_list<Scalar> scalars) {
  write(step, std::span{scalars.begin(), scalars.size()});
}

void EventWriter::append(std::string_view event) {
  std::string record;
  append_record(record, event);
  errno = 0;
  if (std::fwrite(record.data(), 1, record.size(), file_.get()) != record.size() || std::fflush(file_.get()) != 0)
    cannot_write(path_, errno);
}

}  // namespace octet::data
