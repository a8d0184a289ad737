/// X3: programs that are compiled again and again.
module;
#include <vector>
module octet.pages;

namespace octet {

std::vector<Page> pages_on_recompiles() {
  return {
      {301,
       {{"An input is longer than the largest bucket of a list.", "A list of buckets is a promise about lengths, and this input "
         "breaks it."}},
       {{"Add a larger bucket", "Yes.", "One more program; only long inputs use it.", "One more miss, and no message."},
        {"Truncate the input on the host", "It loses the end of the text: as models with a fixed number of positions do anyway.",
         "No further program.", "The longest length stays at the largest bucket."},
        {"multiple_of(n) instead of a list", "Yes.", "No largest length, but as many programs as lengths / n.",
         "The misses that statistics() counts."}}},
  };
}

}  // namespace octet
