/// An operation's attributes from its statement in a text.
module octet.graph:reader_fields;
import octet.base;
import octet.standard;
import :attributes;
import :cursor;
import :operation;
import :syntax;

namespace octet::syntax {

/// A list of integers, however it is written: `array<i64: 0, 1>`, `[0, 1]`, `dense<[0, 1]> : tensor<2xi64>`.
std::optional<Dims> integers(const Attribute& attribute);

/// The attributes of `op` as `statement` has them; throws X407 where one is missing or of the wrong kind.
Attributes read_attributes(const Cursor& text, const Statement& statement, Op op);

/// What a `dot_general` may ask for by name: as many products of bf16 as a precision stands for, of operands that are
/// rounded to bf16 before where it is one.
struct ProductAlgorithm {
  DotPrecision precision = {};
  bool rounds = false;
};
/// Nothing where none is named; throws X407 for one that Octet does not have.
std::optional<ProductAlgorithm> read_algorithm(const Cursor& text, const Statement& statement);

/// The precision that a product asks for.
DotPrecision read_precision(const Cursor& text, const Statement& statement);

/// Whether `statement` is a `scatter` that subtracts: one that adds the negated updates.
bool subtracts(const Statement& statement);

/// What the region of `statement` combines its two arguments by; throws X407 where it does something else.
Reducer read_reducer(const Cursor& text, const Statement& statement);

}  // namespace octet::syntax
