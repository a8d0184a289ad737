/// X2: shapes that would depend on values.
module octet.pages;
import octet.standard;

namespace octet {

std::vector<Page> pages_on_shapes_from_data() {
  return {
      {201,
       {{"The positions that count are selected: nonzero, argwhere, where(mask).",
         "How many there are is known when the program runs; its buffers are laid out before."},
        {"unique of the labels or tokens of a batch.", "As above: another batch has another number of different ones."},
        {"A program in StableHLO has a dimension `?`.",
         "XLA pads one that has a bound, and compiles no other for a TPU."}},
       {{"Weigh by the mask: nn::masked_mean(loss, mask), or sum(select(mask, loss, 0)) / sum(cast<float>(mask))",
         "Yes: it is the mean of the filtered values. Divide by the number of true elements, not by that of all.",
         "No data moves; one program for all batches.",
         "Append positions that do not count: the loss must not change. If it shrinks, it is divided by the number of "
         "all."},
        {"The bounded form: unique(x, {.size = n, .fill = v}), nonzero(mask, {.size = n})",
         "Yes while n is large enough; what is beyond n is cut off silently.",
         "The compact result, for a sort of the input and n elements of padding.",
         "sum(cast<int>(mask)) of the batch is at most n; return it and look."},
        {"Export the program again for inputs of fixed shapes, padded to a few lengths",
         "Yes, where the function takes a mask.", "One program for each length.", "The text has no `?`."},
        {"Filter on the host, before the batch is made, and pad to a bucket",
         "Yes, if the mask does not come from the model.", "The device sees only what counts.",
         "The share of padding in the statistics."}}},
      {202,
       {{"reshape, slice or zeros with an Array among the extents.",
         "Extents are part of the program's text; a value arrives when "
         "the program runs."},
        {"The length of a sentence is computed in the program and used to cut the batch.", "As above."}},
       {{"Take the extent of an array: x.extent(d); -1 in reshape is inferred", "Yes.", "No cost.",
         "The program compiles."},
        {"A bound, and a mask for what lies beyond the value: select(iota({DType::i32, x.shape()}, d) < n, x, 0)",
         "Yes, if "
         "everything after it respects the mask.",
         "One program for all values.", "Values beyond n do not change the result."},
        {"Pass the size as an argument of the host and bucket it", "Yes.",
         "A program for each bucket, and little padding.", "The misses that statistics() counts stay few."}}},
      {203,
       {{"loss[labels >= 0], to keep the positions that have a label.",
         "The result has as many elements as labels are there; "
         "the next batch has more or fewer."},
        {"x[indices] with integer indices.", "That shape is known, and the function for it is take(x, indices)."}},
       {{"nn::masked_mean(loss, labels >= 0)",
         "Yes: the mean of the filtered losses, added in their order, to the last bit.",
         "No data moves; NaN in a "
         "masked position has no part in it.",
         "Append positions that do not count: the loss must not change. Dividing by the number of all positions fails "
         "that."},
        {"select(mask, x, 0)", "Yes for sums; means need the number of true elements below.",
         "Fuses with what follows.", "As above."},
        {"take(x, nonzero(mask, {.size = n})[0])",
         "Yes while at most n are true; the rest repeats row 0 and must be masked.",
         "Saves work where few of many count, such as the 15 % of masked tokens.",
         "sum(cast<int>(mask)) is at most n."}}},
      {204,
       {{"repeat(x, counts) to spread rows over their parts, such as words over their pieces.",
         "The counts add up to another length for every batch."}},
       {{"repeat(x, counts, {.total = n})",
         "Yes while the counts add up to at most n; the last row fills what is left, so mask it.",
         "One program; running sums over the rows and over n.", "sum(counts) is n at most."},
        {"take(x, index), with an index of row numbers made on the host", "Yes.", "No search on the device.",
         "A `gather` stands in the printed program."},
        {"repeat(x, 2), where the host knows one count for all", "Yes.", "A broadcast: nothing is searched.",
         "The result has twice the rows."}}},
      {205,
       {{"A bound was computed on the host and came out negative.", "Often a length minus something that is longer."},
        {"A bounded form has nothing to fill with.", "An empty array has no least element and no last row."}},
       {{"Correct the bound", "Yes.", "", "The message is gone."},
        {"Give .fill", "Yes; choose a value that no element has, such as -1 for indices.",
         "Places beyond the data can be told from it.", "They hold the fill."}}},
  };
}

}  // namespace octet
