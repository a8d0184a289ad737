module;
module octet.tpu;
import octet.graph;
import :fused;

namespace octet::tpu {

double vector_weight(Op op) {
  switch (op) {
    case Op::constant:
    case Op::broadcast_in_dim:
    case Op::slice:
    case Op::reverse:
    case Op::replica_id:
      return 0;
    case Op::exponential:
    case Op::exponential_minus_one:
    case Op::log:
    case Op::log_plus_one:
    case Op::logistic:
      return 12;
    case Op::erf:
    case Op::tanh:
    case Op::power:
    case Op::sine:
    case Op::cosine:
      return 20;
    case Op::divide:
    case Op::remainder:
    case Op::rsqrt:
    case Op::sqrt:
      return 6;
    default:
      return 1;
  }
}

}  // namespace octet::tpu
