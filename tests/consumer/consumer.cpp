// Only what a stranger writes: one import. Its exit status says whether the library answered.
#include <cstdio>
#include <string>
import octet;

int main() {
  const octet::TensorType batch{octet::DType::f32, {8, 64}};
  const std::string text = to_string(batch);
  std::puts(text.c_str());
  return text == "f32[8, 64]" ? 0 : 1;
}
