/// BERT-large with 448 sequences a step is to take at most 600 ms. Which slice is to be rented?
import octet;
using namespace octet;

tpu::Slice slice_to_rent() {
  return tpu::slice("v3-32");
}
