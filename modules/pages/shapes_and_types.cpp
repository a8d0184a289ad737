/// X4: shapes, element types and programs.
module octet.pages;
import octet.standard;

namespace octet {

std::vector<Page> pages_on_shapes_and_types() {
  return {
      {401,
       {{"Two arrays of different extents are added or compared.",
         "Extents broadcast only where one of them is 1, from the last "
         "dimension on."},
        {"A product contracts dimensions of different extents.", "Often a weight is stored the other way round."},
        {"reshape names extents that multiply to another number of elements.", "It adds none and drops none."},
        {"A gradient is asked of a function that returns no scalar.",
         "A loss for each example is to be made one first."}},
       {{"expand_dims or reshape, to put a 1 where the other has an extent", "Yes.",
         "Broadcasting costs no memory: it fuses.", "The type of the result is the one that was meant."},
        {"transpose or matrix_transpose", "Yes.", "Mostly free: products read either way.", "As above."},
        {"slice or pad to the other's extent", "It drops or adds elements: mask what was added.", "", "As above."},
        {"-1 for one extent of a reshape", "Yes.", "It follows from the others.", "As above."},
        {"mean(loss), or nn::masked_mean(loss, mask)", "Yes.", "One number to differentiate.", "grad(f) is traced."}}},
      {402,
       {{"f32 meets bf16, or floats meet integers.",
         "Nothing is converted silently: a conversion costs time or digits, so the "
         "program has to say it."},
        {"A number does not fit the array beside it: 0.5 with integers, 1 with truth values.",
         "A number takes the element type of the "
         "array, if that can hold it."}},
       {{"cast<float>(x) on the narrower side", "Yes.", "Keeps the digits.", "The types agree."},
        {"cast to bf16 on the wider side",
         "It rounds to 8 binary digits: right for operands of products, wrong for sums.",
         "Half the memory and traffic.", "Compare the results of both."},
        {"select(mask, a, b) where a truth value was used as a number", "Yes.", "", "As the first."}}},
      {403,
       {{"A dimension does not exist, is named twice, or a window does not fit.",
         "Attributes are written into the program, and checked "
         "when it is traced."},
        {"A scalar is given to a function that needs dimensions.", "sum(x) already took all of them away."}},
       {{"Correct the attribute: dimensions run from 0 to rank - 1, or from -rank to -1", "Yes.", "",
         "The message is gone."},
        {"Keep the dimension: sum(x, {1}, true)", "Yes.", "The result broadcasts against x.", "The extent is 1."}}},
      {404,
       {{"Program text was edited by hand.",
         "A value is used before it is made, made twice, or given a type its operation does not "
         "have."},
        {"A graph was changed by a pass of one's own.", "As above; each violation is told by its constraint."}},
       {{"Write the program again from the trace", "Yes.", "", "verify(graph) is silent."},
        {"Correct the line that the message names", "Yes.", "", "As above."}}},
      {405,
       {{"A compiled program is called with another shape, type or number of arguments.",
         "An Executable has one signature; jit makes "
         "another program for another."},
        {"A structure is given another number of tensors than it has arrays.", "As above."},
        {"A replicated value was made for a slice of another size.",
         "There is one value for each replica, no more and no fewer."},
        {"A function is called through jit, replicate or check with arguments that it does not take, or returns "
         "nothing.",
         "The C++ compiler says so at the line that calls: the function is given an Array for each Tensor and a T for "
         "each Values<T>."}},
       {{"Pass what the message names", "Yes.", "", "The call returns."},
        {"Call through jit, which compiles for each signature", "Yes; each new shape is a compile.",
         "No signatures to keep.", "statistics() counts the misses."}}},
      {406,
       {{"An Array is kept in a variable outside, and used in the next trace.",
         "It belongs to the program in which it was made."},
        {"An Array of a loop's body is used after the loop.", "It exists once for each repetition."},
        {"An empty Array is used.", "A default-constructed structure has places for arrays, and no arrays yet."}},
       {{"Pass it as an argument", "Yes.", "The program is told of it, and runs with new values.",
         "The trace goes through."},
        {"Return it as a result of the loop's state, or of scan", "Yes.", "", "As above."},
        {"constant(tensor), where the value is known on the host", "Yes; a new value is a new program.", "",
         "As above."}}},
      {407,
       {{"The text is cut off, or of another dialect.", "The line and column are named."},
        {"The file is MLIR bytecode: it begins with ML and R.", "Octet reads text."},
        {"A value has another type than what it is used as, or an attribute is missing.",
         "The text was altered by hand, or by a tool that knows another version of StableHLO."}},
       {{"Lower the program anew: in JAX, jax.jit(f).lower(…).as_text()", "Yes.", "", "The text is read."},
        {"Correct the place named", "Yes.", "", "As above."}}},
      {408,
       {{"Extents multiply beyond what this machine holds.",
         "Often a batch dimension is broadcast against itself, [n, n, …]."},
        {"An extent is negative.", "A length minus something longer."}},
       {{"Work on a part at a time: scan or fori_loop over slices", "Yes.", "Memory of one part.",
         "The peak in the report."},
        {"Correct the extent", "Yes.", "", "The message is gone."}}},
      {409,
       {{"On the page, a thread wanted a part of the engine that did not arrive.",
         "The connection broke, or the page was replaced by a newer one since it was opened."}},
       {{"Load the page anew", "Yes; the steps since it was opened are lost, some minutes at the most.", "",
         "It trains."},
        {"Resume from the last save", "Yes: the bits are those of a run without loss.", "",
         "octet train --resume goes on."}}},
      {410,
       {{"The program has an operation that Octet does not have.",
         "Convolutions, rng_bit_generator, a Pallas kernel (tpu_custom_call) and other calls of code that is not in "
         "the text, for example. A TPU runs these; Octet knows no more of them than their types."},
        {"The program has a type that Octet does not have.",
         "Integers of 2, 4, 8 or 16 bits, ui64, floats of 8 bits or fewer; complex numbers, beside which nothing else "
         "can be judged either."},
        {"The program is partitioned over devices in a way that Octet cannot follow.",
         "An operation needs examples of other devices, for example, or one operand alone of a product is cut "
         "along what it sums."}},
       {{"Read the other lines of octet check --program", "Yes; they count what is unknown by its types.",
         "What it computes is not judged: its time, its precision.", "Exit status 3: no line failed."},
        {"Say it by operations that Octet has", "Yes.", "", "The line is gone, and the program runs here as well."}}},
  };
}

}  // namespace octet
