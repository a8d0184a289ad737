/// X6: replicas, host and data placement.
module;
#include <vector>
module octet.pages;

namespace octet {

std::vector<Page> pages_on_placement() {
  return {
      {601,
       {{"The last batch of an epoch is smaller.", "Eight replicas take equal shares, of one static shape."},
        {"The batch size is no multiple of the replicas.", "As above."}},
       {{"Drop the last batch", "It loses at most a batch an epoch; shuffled, each time another.", "One program.",
         "The number of steps is whole."},
        {"Pad it with examples of weight zero", "Yes, if the loss divides by the sum of the weights.", "No example is lost.",
         "The loss does not change with the padding."},
        {"Choose a multiple of the replicas", "Yes.", "", "The message is gone."}}},
      {602,
       {{"A gradient is applied without all_reduce.", "Each replica then follows its own share of the batch."},
        {"A replica was started from other tensors, or another seed.", "Data-parallel replicas must start equal."}},
       {{"Average every gradient with all_reduce before the optimizer", "Yes: it is what data parallelism means.",
         "Replicas stay equal to the bit.", "tpu::require_equal is silent."},
        {"Give all replicas the same initial tensors", "Yes.", "As above.", "As above."}}},
      {603,
       {{"replica_groups leave a replica out, name one twice or one that is not there.", "A collective waits for every member of its "
         "group."},
        {"A program for another slice is run.", "Groups are written for a number of replicas."}},
       {{"Groups of 0 to n - 1, or none for all", "Yes.", "", "The program runs."},
        {"Trace again for this slice", "Yes.", "", "As above."}}},
      {604,
       {{"The name of the slice is misspelt, or of a size nobody sells.", "v3-8 is a generation and a number of cores."}},
       {{"Take one of the names that the message lists", "Yes.", "", "The message is gone."}}},
      {605,
       {{"A pod is to be simulated.", "Each replica computes for real in this machine's memory."}},
       {{"Train on 8 replicas", "Yes: the program of a replica is the same.", "", "It runs."},
        {"octet estimate --slice NAME", "Yes: it computes times, not values.", "Any slice, at once.", "A table."}}},
  };
}

}  // namespace octet
