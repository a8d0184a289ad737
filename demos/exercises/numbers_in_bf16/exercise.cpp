/// Looks up a number for each word: words i32 [n], table f32 [rows].
import octet;
using namespace octet;

Array looked_up(Array words, Array table) {
  const auto n = words.extent(0), rows = table.extent(0);
  Array row = iota({DType::i32, {n, rows}}, 1);
  Array one_hot = cast<float>(expand_dims(words, 1) == row);
  return reshape(matmul(one_hot, expand_dims(table, 1)), {n});
}
