/// Products of arrays.
export module octet.trace:contraction;
import octet.base;
import octet.graph;
import octet.standard;
import :array;

export namespace octet {

/// StableHLO's general product; see DotAttributes.
Array dot_general(operand a, operand b, DotAttributes attributes);
/// Matrix product over the last dimension of `a` and the last but one of `b`, [m, k] · [k, n]; leading dimensions must
/// be equal and are a batch, except that a two-dimensional `b` serves every matrix of `a`.
Array matmul(operand a, operand b);

}  // namespace octet
