/// X5: memory, matrix unit and precision.
module;
#include <vector>
module octet.pages;

namespace octet {

std::vector<Page> pages_on_memory_and_precision() {
  return {
      {501,
       {{"The batch of a replica is too large.", "Activations grow with batch x sequence, and with the square of the sequence in "
         "attention."},
        {"The model with its optimizer is too large.", "AdamW keeps two more numbers for each parameter: 12 bytes each in f32, before "
         "gradients."}},
       {{"A smaller batch for each replica, with gradients accumulated over several", "Yes: the same gradients, in more steps.",
         "Activations shrink in proportion.", "octet estimate names the largest batch that fits."},
        {"Shorter sequences, bucketed", "It truncates what is longer.", "Attention shrinks with the square.", "As above."},
        {"A slice of chips with more memory, or more of them", "Yes.", "Costs money.", "octet estimate --slice NAME"}}},
      {502,
       {{"Rows or features are no multiple of the tile.", "The last two dimensions are padded to 8 x 128: 10 rows cost what 16 cost, and "
         "130 features what 256 cost."},
        {"A vocabulary or head size was chosen by habit.", "30,522 words are padded to 30,592."}},
       {{"Round features up to a multiple of 128, rows to 8", "Yes for sizes chosen before training; the added words are never "
         "used.", "The padding becomes work that counts.", "octet estimate shows the share of the matrix unit."},
        {"Bucket lengths by multiples of 8 or more", "Yes, with a mask.", "As above, and fewer programs.", "As above."}}},
  };
}

}  // namespace octet
