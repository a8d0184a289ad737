/// X1: branches on, and questions for, values that do not exist while a program is traced.
module octet.pages;
import octet.standard;

namespace octet {

std::vector<Page> pages_on_branches() {
  return {
      {101,
       {{"An if, while, for or ?: asks an Array.",
         "The function runs once, on the host, to be traced; its arrays have types and no values, so there is nothing "
         "to decide "
         "by. Were one branch taken, the compiled program would take it for every input."},
        {"!, && or || combine conditions.",
         "They must give a bool, and && and || must not look at their second side before the first is known: both ask "
         "for a value."},
        {"A bool is made of an Array, by assert, static_cast or bool b = x > 0.",
         "A bool of the host is a value of the host."},
        {"std::max, std::min or std::sort are given arrays.", "They compare with < and branch by it."}},
       {{"select(condition, a, b)",
         "Yes; both sides are computed, so an infinity or NaN in the side that is not taken can reach a "
         "derivative: make its argument harmless first.",
         "Chooses element by element, and fuses with its neighbours: nothing is "
         "moved in memory.",
         "The program compiles once; octet's statistics show one miss."},
        {"cond(condition, on_true, on_false)", "Yes, where both return the same types.",
         "Only one side runs; the condition must be a "
         "scalar.",
         "An `if` stands in the printed program."},
        {"while_loop(condition, body, state), fori_loop(0, n, body, state) or scan",
         "Yes; a while_loop has no derivative, the "
         "others have.",
         "The loop runs on the device, without coming back to the host.", "A `while` stands in the printed program."},
        {"Decide on the host by what is known there: x.rank(), x.extent(d), options of the model",
         "Yes: such a branch is part of "
         "the program, and another choice is another program.",
         "No cost when the program runs.", "One compiled program for each choice."}}},
      {102,
       {{"The branches of a cond end in different shapes.",
         "One computes on a part, or sums, where the other does not. The result "
         "has one buffer, so one type."},
        {"The branches end in different element types.", "Often 0 on one side and 0.0f on the other."}},
       {{"Pad, slice or broadcast the smaller one", "Yes, if what uses the result knows a mask for the padding.",
         "Keeps the cond.", "The message is gone; both types are the same."},
        {"cast<float>(x) in one branch", "Yes; from f32 to bf16 it rounds.", "Keeps the cond.", "As above."},
        {"Return in both branches what both have, and do the rest outside", "Yes.", "A smaller program.",
         "As above."}}},
      {103,
       {{"The body of a loop returns what grows.",
         "A concatenate in the body makes the state larger each time; a loop has one buffer "
         "for its state."},
        {"The body changes the element type.", "A bf16 state that is cast to f32 for a product is f32 afterwards."}},
       {{"Begin with a state as large as it will be, and dynamic_update_slice into it", "Yes.",
         "One buffer, written in place.", "The types of the state before and after the body are the same."},
        {"Use scan, and return what is gathered as the second value", "Yes; it has a derivative.",
         "The stacking is done for you.", "The results are [n, …]."},
        {"cast in the body to the type of the state", "It rounds each time: better, begin in the wider type.",
         "Keeps the loop.", "As the first."}}},
      {104,
       {{"A while_loop lies between the parameters and the loss.",
         "Its number of repetitions is known only when it runs, and the "
         "derivative would have to keep every state."},
        {"An operation without a derivative is used: a scatter that multiplies, or an all_reduce that takes the "
         "largest.",
         "There is a derivative on paper, but none that the operations here could compute in static shapes."}},
       {{"fori_loop or scan with a bound, and a mask for the steps beyond the end", "Yes: masked steps change nothing.",
         "A derivative, for the memory of one state a step.", "grad(f) is traced."},
        {"stop_gradient(x) before it", "It changes the gradient: right only where none should flow.",
         "No memory for it.", "The gradient of what is behind it is 0."}}},
      {105,
       {{"A branch that contains an all_reduce depends on a replica's own data.",
         "Some replicas would wait in the collective for "
         "others that never come; on hardware the program hangs."},
        {"A loop with a collective in it repeats as often as the replica's own data says.",
         "As above, in the last repetition."}},
       {{"all_reduce the condition first", "Yes, if one decision for all replicas is what is meant.",
         "All take one path.", "The program runs; the replicas stay equal."},
        {"Take the collective out of the branch, and select what goes into it", "Yes.", "One path, no waiting.",
         "As above."}}},
      {106,
       {{"float f = loss, double(x), or loss.item() inside a traced function.",
         "The function is traced before any value exists: the "
         "number would have to be the same for every input that ever comes."},
        {"std::exp(x), std::sqrt(x), std::isnan(x).",
         "The functions of <cmath> take numbers. Octet has its own on arrays, of the same names where XLA has the "
         "operation."},
        {"A value is printed for debugging.", "It has a type and a place in the program, and no digits."}},
       {{"Return the value and read it from the Tensor", "Yes.", "It is computed with the rest, in the same program.",
         "The Tensor's item() is the number."},
        {"Compute on with the Array; cast<float>(x) for another element type", "Yes.", "Nothing leaves the device.",
         "The program compiles."},
        {"octet::exp(x) for std::exp(x), or exp(x) without std::", "Yes.", "It is an operation of the program.",
         "The program compiles."},
        {"Print x.type() or to_string(graph) while tracing, and return what should be looked at",
         "Yes; take it out again, as each "
         "result costs memory.",
         "The values of any place of the program.", "They are among the results."}}},
      {107,
       {{"A std::vector, a std::array or a map of the host is indexed by an Array.",
         "The element is looked up while the program is "
         "traced, once, for all inputs; the index is known later."},
        {"A loop of the host counts to an Array, as to unsigned(n), or a switch decides by one.",
         "As above. As int(n) it is X106, as std::int64_t X202."}},
       {{"constant(Tensor) or a parameter for the container, and take(table, i)",
         "Yes; an index beyond the end is clamped.", "The look-up runs on the device, and has a derivative.",
         "A `gather` stands in the printed program."},
        {"dynamic_slice(x, {i}, sizes)", "Yes; clamped as above.", "A window of several rows.",
         "A `dynamic_slice` stands there."},
        {"while_loop with the counter in its state; fori_loop(0, bound, ...) with select(i < n, next, state); "
         "switch_case(i, f, g, h)",
         "Yes; a while_loop to a bound that data say has no derivative.", "Counting and choosing on the device.",
         "As X101 says."}}},
      {108,
       {{"for (Array row : x)",
         "The rows of x are not there while the program is traced, and would be unrolled into it: a body for "
         "each row, and compile time with it."}},
       {{"scan(body, carry, x)", "Yes; it has a derivative.", "The body is compiled once, whatever the length.",
         "One `while` in the printed program."},
        {"Work on whole arrays: sum(x, {0}), x * weights, matmul", "Yes, where rows do not wait for each other.",
         "The fastest: it is "
         "what the chip is made for.",
         "No loop in the printed program."},
        {"for (int i = 0; i < x.extent(0); ++i) with x[i]", "Yes, for a handful of rows.",
         "Each row may be treated "
         "differently.",
         "The printed program has the body once for each row."}}},
      {109,
       {{"x[i] = y, as in NumPy",
         "x[i] is a new array of the program, not a part of x: what it is assigned would be seen by nobody."}},
       {{"x = update_leading(x, y, i)", "Yes; a traced index beyond the end is clamped.",
         "One element of the leading axis, by an index of the host or a traced one.",
         "A `dynamic_update_slice` stands in the printed program."},
        {"dynamic_update_slice(x, update, starts)", "Yes; clamped as above.", "A window of several elements.",
         "As above."},
        {"select(mask, y, x)", "Yes.", "Any elements at all, in the loop that computes them.",
         "A `select` stands there."}}},
  };
}

}  // namespace octet
