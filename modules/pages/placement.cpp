/// X6: replicas, host and data placement.
module octet.pages;
import octet.standard;

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
      {606,
       {{"Files lie on the disk of the machine one works at, and the slice is a TPU node.",
         "The hosts of the chips read the data, and they do not see that disk."}},
       {{"Put the data in a bucket", "Yes: the same bytes.", "Any size; read by all hosts at once.", "octet check --data bucket passes the line."},
        {"Hand the whole of it over in memory", "Yes, while it fits the host.", "No storage to set up.", "octet check --data memory."},
        {"Work on a TPU VM", "Yes.", "Its disk is beside the chips.", "octet check --host vm."}}},
      {607,
       {{"A data set is made from a function of the program, as to_tf_dataset and prepare_tf_dataset do.",
         "On a TPU node the pipeline runs where that program is not."}},
       {{"Write the examples to record files once", "Yes.", "No work is done twice; any pipeline reads them.",
         "octet data verify, then octet check without --calls-back."},
        {"Load them into memory", "Yes, while they fit.", "", "As above."},
        {"Work on a TPU VM", "Yes.", "The pipeline and the program are one.", "octet check --host vm."}}},
      {608,
       {{"Model or optimizer state was made before the slice was chosen.", "One replica then has it, and the others do not."},
        {"It was made for a slice of another size.", "There is one value for each replica, no more and no fewer."}},
       {{"tpu::replicated(value, slice.replicas)", "Yes: all start equal.", "Held once until they part.", "The call is not refused."}}},
      {609,
       {{"Reading, decoding or masking a batch takes longer than a step.", "The chips wait for what feeds them."}},
       {{"Prefetch, with more threads", "Yes.", "Input and computing overlap.", "The share of time that steps waited for batches falls."},
        {"Store examples as they are needed", "Yes; static masks repeat.", "Nothing is computed while training.", "As above."},
        {"Compute more for each example", "It is another model or another batch.", "The same input keeps more of the chip busy.",
         "As above."}}},
      {610,
       {{"A slice of v4 or later is asked for as a TPU node.", "Nodes were the first way to reach TPUs, and the vendor built no "
         "more of them after v3."}},
       {{"A TPU VM", "Yes.", "The program, its files and the chips are on one machine; callbacks work.", "octet check --host vm"},
        {"v2 or v3 as a TPU node", "Yes, for data in a bucket or in memory.", "", "octet check --slice v3-8 --host node"}}},
      {611,
       {{"The gradients of each part of a batch are reduced within the loop over the parts.", "Each turn waits for all replicas."},
        {"A chain of layers reduces something in each, such as a norm over the batch.", "Every collective takes a hop of about a "
         "microsecond for each chip on its way, however little it carries."}},
       {{"Add up first, and reduce after the loop", "Yes: a sum of sums.", "One round instead of many.", "The line of octet check passes."},
        {"Reduce in one place what does not depend on each other", "Yes.", "The compiler joins it.", "As above."}}},
  };
}

}  // namespace octet
