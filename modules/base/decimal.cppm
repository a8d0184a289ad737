/// Floating-point numbers as decimal text and back, the same under every locale and standard library.
export module octet.base:decimal;
import octet.standard;

export namespace octet {

enum class Notation {
  shorter,
  plain,
  scientific
};  ///< of plain "0.0005" and scientific "5e-04", or the shorter of both

/// The fewest significant digits that read back as `number`, of those the nearest; "nan", "inf" and "-inf".
template <std::floating_point Real>
std::string shortest_decimal(Real number, Notation notation = Notation::shorter);
/// `digits` significant digits, at least 1, rounded to nearest: "1.50e+00" for 1.5 and 3.
std::string scientific_decimal(double number, int digits);

/// The double nearest to `text`, an optional sign, digits, perhaps a point and an exponent: ±inf where it is out of
/// range.
double read_decimal(const std::string& text);

extern template std::string shortest_decimal(float, Notation);
extern template std::string shortest_decimal(double, Notation);

}  // namespace octet
