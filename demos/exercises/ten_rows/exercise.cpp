/// A product of [rows, features] by [features, features] on the matrix unit of a v3 core.
import octet;
using namespace octet;

/// {rows, features}: at least 10 rows and 1000 features are needed; more of either are welcome where they cost nothing.
Shape sizes() {
  return {10, 1000};
}
