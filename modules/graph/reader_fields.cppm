/// An operation's attributes from its statement in a text.
module octet.graph:reader_fields;
import octet.base;
import octet.standard;
import :attributes;
import :cursor;
import :operation;
import :syntax;

namespace octet::syntax {

/// The attributes of `op` as `statement` has them; throws X407 where one is missing or of the wrong kind.
Attributes read_attributes(const Cursor& text, const Statement& statement, Op op);

}  // namespace octet::syntax
