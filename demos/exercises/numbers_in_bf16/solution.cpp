/// Looks up a number for each word: words i32 [n], table f32 [rows].
import octet;
using namespace octet;

Array looked_up(Array words, Array table) {
  return take(table, words);
}
