module octet.tpu;
import octet.base;
import octet.compile;
import octet.standard;
import octet.trace;

namespace octet::tpu {

namespace detail {

void require_replicas(std::int64_t replicas) {
  if (replicas < 0 || replicas > (1 << 20))
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = "A value cannot be made for " + std::to_string(replicas) + " replicas.",
                        .fix = {"make it for those of the slice: tpu::replicated(value, slice.replicas)"}};
    });
}

void require_one_each(const std::string& name, std::size_t given, std::int64_t replicas) {
  if (static_cast<std::int64_t>(given) != replicas)
    fail([&] {
      return Diagnostic{.number = 405,
                        .sentence = "'" + name + "' holds values for " + std::to_string(given) +
                                    " replicas, and there are " + std::to_string(replicas) + ".",
                        .fix = {"make it for all of them: tpu::replicated(value, " + std::to_string(replicas) + ")"}};
    });
}

}  // namespace detail

std::vector<Tensor> shares(const Tensor& tensor, std::int64_t replicas, const std::string& argument) {
  const Shape& shape = tensor.shape();
  if (shape.rank() == 0 || replicas < 1 || shape[0] % replicas != 0)
    fail([&] {
      return Diagnostic{
          .number = 601,
          .sentence = "'" + argument + "' is " + to_string(tensor.type()) + ", which cannot be split into " +
                      std::to_string(replicas) + " equal shares along its leading axis.",
          .fix =
              replicas < 1 ? std::vector<std::string>{"split it among at least one replica"}
              : shape.rank() == 0
                  ? std::vector<std::string>{"give each replica the value, with tpu::replicated(value, " +
                                             std::to_string(replicas) + ")"}
                  : std::vector<std::string>{"make the batch " + std::to_string((shape[0] / replicas + 1) * replicas) +
                                             ", filled up with examples of weight zero"}};
    });
  Dims extents = shape.extents();
  extents[0] /= replicas;
  const TensorType type{tensor.dtype(), Shape{extents}};
  const auto bytes = static_cast<std::size_t>(type.bytes());
  std::vector<Tensor> result;
  for (std::int64_t r = 0; r < replicas; ++r)
    result.push_back(Tensor::of_bytes(type, tensor.bytes().subspan(static_cast<std::size_t>(r) * bytes, bytes)));
  return result;
}

Tensor filled_up(const Tensor& rows, std::int64_t count, double value) {
  const Shape& shape = rows.shape();
  if (shape.rank() == 0 || shape[0] > count)
    fail([&] {
      return Diagnostic{
          .number = 601,
          .sentence = to_string(rows.type()) + " cannot be filled up to " + std::to_string(count) + " rows."};
    });
  Dims extents = shape.extents();
  extents[0] = count;
  Tensor result{rows.dtype(), Shape{extents}};
  visit_dtype(rows.dtype(), [&]<class T>(std::type_identity<T>) {
    const std::span<const T> given = rows.span<T>();
    const std::span<T> all = result.mutable_span<T>();
    std::ranges::copy(given, all.begin());
    std::ranges::fill(all.subspan(given.size()), convert_element<T>(value));
  });
  return result;
}

std::vector<std::string> shared_arguments(const std::vector<HostArguments>& calls,
                                          const std::vector<std::string>& names, std::size_t count) {
  std::vector<std::string> result;
  if (calls.size() < 2) return result;
  for (std::size_t a = 0; a < count; ++a) {
    const std::string name = argument_name(names, a);
    bool any = false, all = true;
    for (std::size_t i = 0; i < calls[0].names.size(); ++i) {
      if (!lies_below(calls[0].names[i], name)) continue;
      any = true;
      for (const HostArguments& call : calls) all &= call.tensors[i].data() == calls[0].tensors[i].data();
    }
    if (any && all) result.push_back(name);
  }
  return result;
}

void require_one_program(const std::vector<HostArguments>& calls) {
  const auto refuse = [&](std::size_t r, const std::string& what) {
    fail([&] {
      return Diagnostic{
          .number = 405,
          .sentence = "Replica " + std::to_string(r) + " and replica 0 were given different " + what +
                      ", and all replicas run one program.",
          .fix = {"make what differs an Array, and give each replica its own Tensor",
                  "give all replicas the same, with tpu::replicated(value, " + std::to_string(calls.size()) + ")"}};
    });
  };
  for (std::size_t r = 1; r < calls.size(); ++r) {
    if (calls[r].names != calls[0].names || calls[r].statics.size() != calls[0].statics.size() ||
        calls[r].lengths != calls[0].lengths)
      refuse(r, "structures");
    for (std::size_t i = 0; i < calls[0].statics.size(); ++i)
      if (const StaticValue &own = calls[r].statics[i], &first = calls[0].statics[i]; own != first)
        refuse(r, "values of '" + own.name + "', " + own.value + " and " + first.value);
  }
}

void require_one_type(const std::vector<HostArguments>& calls, const char* fix) {
  for (std::size_t r = 1; r < calls.size(); ++r)
    for (std::size_t i = 0; i < calls[0].tensors.size(); ++i)
      if (const TensorType &own = calls[r].tensors[i].type(), &first = calls[0].tensors[i].type(); own != first)
        fail([&] {
          return Diagnostic{.number = 405,
                            .sentence = "Replica " + std::to_string(r) + " was given " + to_string(own) + " for '" +
                                        calls[0].names[i] + "', replica 0 " + to_string(first) +
                                        ", and all replicas run one program.",
                            .fix = {own.dtype == first.dtype && own.shape.rank() == first.shape.rank()
                                        ? fix
                                        : "give all replicas tensors of one type"}};
        });
}

void require_equal(const std::vector<std::string>& names, const std::vector<const std::vector<Tensor>*>& replicas) {
  for (std::size_t r = 0; r < replicas.size(); ++r)
    if (replicas[r]->size() != names.size())
      fail([&] {
        return Diagnostic{.number = 405,
                          .sentence = "Replica " + std::to_string(r) + " holds " + std::to_string(replicas[r]->size()) +
                                      " tensors of a structure of " + std::to_string(names.size()) + " arrays."};
      });
  for (std::size_t r = 1; r < replicas.size(); ++r)
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!((*replicas[r])[i] == (*replicas[0])[i]))
        fail([&] {
          return Diagnostic{.number = 602,
                            .sentence = "Replica " + std::to_string(r) + " and replica 0 differ in '" + names[i] +
                                        "', " + to_string((*replicas[0])[i].type()) + "."};
        });
}

void require_equal(const Replicated<Tensor>& values) {
  std::vector<std::vector<Tensor>> each;
  std::vector<const std::vector<Tensor>*> places;
  for (const Tensor& value : values.each) each.push_back({value});
  for (const std::vector<Tensor>& own : each) places.push_back(&own);
  require_equal({"value"}, places);
}

}  // namespace octet::tpu
