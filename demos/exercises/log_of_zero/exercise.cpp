/// The sum of log(x) over the x above 0, and its gradient: 1/x there, and 0 elsewhere.
import octet;
using namespace octet;

Array sum_of_logs(Array x) {
  return sum(select(x > 0.0f, log(x), 0.0f));
}

Array gradient(Array x) {
  return grad(sum_of_logs)(x);
}
