/// Eight replicas fit a line to points; each has its own share of them.
import octet;
using namespace octet;

struct Line {
  Array slope, offset;
};

/// One step of gradient descent, as each replica does it.
Line step(const Line& line, const Array& x, const Array& y) {
  const ReplicaGroups all = tpu::slice("v3-8").all();
  const auto loss = [&](const Line& l) { return mean(square(l.slope * x + l.offset - y)); };
  Line gradient = grad(loss)(line);
  gradient.slope = all_reduce(gradient.slope, all) / 8.0f;
  gradient.offset = all_reduce(gradient.offset, all) / 8.0f;
  return {line.slope - gradient.slope * 0.5f, line.offset - gradient.offset * 0.5f};
}
