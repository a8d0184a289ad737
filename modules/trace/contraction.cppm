/// Products of arrays.
export module octet.trace:contraction;
import octet.base;
import octet.graph;
import octet.standard;
import :array;

export namespace octet {

/// StableHLO's general product; see DotAttributes.
Array dot_general(operand a, operand b, DotAttributes attributes);
/// Matrix product over the last dimension of `a` and the last but one of `b`, [..., m, k] · [..., k, n] → [..., m, n],
/// as numpy.matmul. Leading dimensions are a batch: they are paired from the right, and one that is missing or 1 serves
/// all of the other's, without being repeated in memory. A vector loses its dimension: [k] · [..., k, n] → [..., n],
/// [..., m, k] · [k] → [..., m]. Throws X401 where extents do not fit, X402 for different element types, X403 for
/// scalars.
Array matmul(operand a, operand b);

/// What einsum is told, and the line of it.
struct Subscripts {
  std::string text;
  std::source_location where;
  template <std::convertible_to<std::string> Text>
  Subscripts(const Text& letters, std::source_location line = std::source_location::current())
      : text{letters}, where{line} {}
};

/// Einstein's summation, as numpy.einsum: `einsum("bqhd,bkhd->bhqk", q, k)`; of three operands or more,
/// `einsum("i,ij,j->", {a, b, c})`. A letter for each dimension of each
/// operand; what the result does not name is summed, a letter that one operand has twice is its diagonal, "..." stands
/// for dimensions that need no letter, and without "->" the result has the letters that stand once, in alphabetical
/// order. Operands are multiplied from left to right: by dot_general where something is summed, element by element
/// where nothing is. Throws X403 for subscripts that do not fit the operands, X401 for dimensions of one letter and
/// different extents (1 beside n is repeated).
Array einsum(const Subscripts& subscripts, const std::vector<Array>& operands);
Array einsum(const Subscripts& subscripts, operand a);
Array einsum(const Subscripts& subscripts, operand a, operand b);

}  // namespace octet
