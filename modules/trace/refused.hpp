/// The sentences with which the compiler refuses what a traced program cannot be (rules 1 and 2), and how it is made to
/// say them.
///
/// OCTET_REFUSED stands before a function that is there to be refused: clang then tells the user's own line, every one
/// of them, and the calls that led there. The body repeats the sentence in a static_assert, for compilers without that
/// attribute and for initializations, where clang does not look at it.
#pragma once

#ifdef __clang__
#pragma clang diagnostic ignored "-Wgcc-compat"
#define OCTET_REFUSED(sentence) __attribute__((diagnose_if(true, sentence, "error")))
#else
#define OCTET_REFUSED(sentence)
#endif

#define OCTET_NO_BRANCH                                                                                              \
  "X101: a traced Array has no value to branch on: XLA compiles the program before any value exists. Write "         \
  "select(condition, a, b), or cond(condition, on_true, on_false); for a loop, while_loop(condition, body, state); " \
  "for the larger of two, maximum(a, b)."
#define OCTET_NO_NOT \
  "X101: a traced Array has no value to branch on, and ! asks for one. Write ~x, which negates element by element."
#define OCTET_NO_AND                                                                                                \
  "X101: a traced Array has no value to branch on, and && must branch. Write (a) & (b), each side in parentheses, " \
  "which combines element by element."
#define OCTET_NO_OR                                                                                                 \
  "X101: a traced Array has no value to branch on, and || must branch. Write (a) | (b), each side in parentheses, " \
  "which combines element by element."
#define OCTET_NO_NUMBER                                                                                            \
  "X106: a traced Array has no number to give: XLA compiles the program before any value exists. Compute on with " \
  "the Array (cast<float>(x) changes its element type), or return it and read item() of the Tensor that the "      \
  "compiled function gives."
#define OCTET_NO_TENSOR                                                                                           \
  "X106: an Array has no data to put into a Tensor: what is computed with arrays, and with tensors beside them, " \
  "is a program that has yet to be compiled. Write it as a function of arrays and call it through jit: "          \
  "jit([](Array x) { return x + x; })(tensor) gives a Tensor."
#define OCTET_NO_ITEM                                                                                              \
  "X106: a traced Array has no item: XLA compiles the program before any value exists. Return the Array from the " \
  "function, and read item() of the Tensor that the compiled function gives."
#define OCTET_NO_PRINTING                                                                                         \
  "X106: a traced Array has no value to print: XLA compiles the program before any value exists. Return it from " \
  "the function and print the Tensor; to_string(x.type()) tells what is known now."
#define OCTET_NO_TOTAL                                                                                             \
  "X106: a traced Array has no number to add up on the host: XLA compiles the program before any value exists. "   \
  "Let the total be an Array too, Array total = loss, and total += next; or return it, and add up what item() of " \
  "the Tensor gives."
#define OCTET_NO_GATHERING                                                                                         \
  "X101: a traced Array has no value that a bool or a number of the host could take in: XLA compiles the program " \
  "before any value exists. Let what it is gathered in be an Array too, Array all = first, and all &= next; or "   \
  "return "                                                                                                        \
  "it, and gather what item() of the Tensor gives."
#define OCTET_NO_HOST_FUNCTION(name, rewrite)                                                  \
  "X106: std::" name                                                                           \
  " takes a number, and a traced Array has none to give: XLA compiles the program before any " \
  "value exists. Write " rewrite "."
#define OCTET_NO_INDEX                                                                                               \
  "X107: a traced Array has no value to index, count or switch with: XLA compiles the program before any value "     \
  "exists. Write take(table, i) or dynamic_slice(x, {i}, sizes) on an Array, while_loop for a loop (fori_loop to a " \
  "bound of the host), switch_case(i, f, g) for a switch."
#define OCTET_NO_ITERATION                                                                                          \
  "X108: a traced Array is no container to loop over. Write scan(body, carry, x), which carries a state along the " \
  "leading axis, or for (int i = 0; i < x.extent(0); ++i) with x[i], which copies the body into the "               \
  "program once for each row."
#define OCTET_NO_EXTENT                                                                                           \
  "X202: no extent, size or index can be taken from a traced Array: XLA allocates every buffer before any value " \
  "exists. Write a bound that is known, such as x.extent(d), and mask what lies beyond the value with "           \
  "select(iota({DType::i32, x.shape()}, d) < n, x, 0); for an index, take(table, i) or dynamic_slice(x, {i}, sizes)."
#define OCTET_NO_MASKING                                                                                             \
  "X203: x[mask] would have as many elements as the mask has true ones, and XLA allocates every buffer before any "  \
  "value exists. Weigh instead of filtering: sum(select(mask, x, 0)) / sum(cast<float>(mask)); or "                  \
  "take(x, nonzero(mask, {.size = n})[0]) with a bound n, the rest of which repeats row 0 and is to be masked. For " \
  "integer indices: take(x, indices)."
#define OCTET_NO_ELEMENT                                                                                        \
  "X109: an Array never changes, and x[i] is another one, of which nobody would know what was assigned to it. " \
  "Write x = update_leading(x, y, i), which is x with element i of its leading axis replaced by y."
#define OCTET_NO_UNIQUE                                                                                            \
  "X201: unique(x) has as many elements as x has different ones, and XLA allocates every buffer before any value " \
  "exists. Write unique(x, {.size = n, .fill = v}) with a bound n, for example the number of classes."
#define OCTET_NO_NONZERO                                                                                          \
  "X201: nonzero(x) has as many elements as x has nonzero ones, and XLA allocates every buffer before any value " \
  "exists. Weigh by the mask instead, sum(select(mask, x, 0)) / sum(cast<float>(mask)), or write "                \
  "nonzero(x, {.size = n, .fill = 0}) with a bound n."
#define OCTET_NO_ARGWHERE                                                                                          \
  "X201: argwhere(x) has as many rows as x has nonzero elements, and XLA allocates every buffer before any value " \
  "exists. Weigh by the mask instead, sum(select(mask, x, 0)) / sum(cast<float>(mask)), or write "                 \
  "argwhere(x, {.size = n, .fill = 0}) with a bound n."
#define OCTET_NO_WHERE                                                                                         \
  "X201: where(mask) of one argument has as many elements as the mask has true ones, and XLA allocates every " \
  "buffer before any value exists. Choose between two values in place, select(mask, a, b), or write "          \
  "nonzero(mask, {.size = n, .fill = 0}) with a bound n."
#define OCTET_NO_REPEAT                                                                                           \
  "X204: repeat(x, counts) has as many rows as the counts add up to, and XLA allocates every buffer before any "  \
  "value exists. Write repeat(x, counts, {.total = n}) with a bound n; or repeat(x, 2) where the host knows the " \
  "count."
#define OCTET_NO_FIT                                                                                                   \
  "X405: the traced function does not take these arguments. It is given an Array for each Tensor, a T for each "       \
  "Values<T>, and numbers, texts and Shapes as they are, as many as the call has: let it take them in this order, by " \
  "value or const reference. It is called as const: a lambda that is mutable cannot be. Where the compiler names an "  \
  "error within the function, mend that first: this follows."
#define OCTET_NO_RESULT                                                                                              \
  "X405: the traced function returns nothing, and what it does not return is not computed. Return the arrays, in a " \
  "pair, a vector or a structure of yours where they are several. Where the compiler names an error within the "     \
  "function, mend that first: this follows."
#define OCTET_NO_DATA                                                                                              \
  "X405: a traced function takes arrays and returns arrays, and this one takes or returns a Tensor or Values, "    \
  "which hold data: let it take an Array where the call gives a Tensor, a T for Values<T>, and return the arrays " \
  "that it computes. A Tensor that it captures is a constant of its program: constant(tensor)."
#define OCTET_NO_NUMBER_OF_TENSOR                                                                                   \
  "X405: the traced function takes a number of the host where the call gives a Tensor, which is an Array to it. "   \
  "Let it take an Array there, Array rate for float rate: its value is then data. Or pass the number itself, such " \
  "as rate.item(): it is part of the program then, and each other one is another program."
#define OCTET_NO_COMPILED_WITHIN                                                                                   \
  "X405: a compiled function is called with host values, a Tensor for an Array, and cannot be called within a "    \
  "traced function, whose arrays have none. Call there the function that it was made of: what is compiled around " \
  "it compiles it, too."
#define OCTET_NO_GRADIENT_FIT                                                                                          \
  "X405: the function whose gradient is taken does not take these arguments. It is given what its gradient is called " \
  "with, in the same order, const: let it take them so, by value or const reference. The gradient is taken with "      \
  "respect to the first, or to those that grad<1>(f) names by number from 0, so these there must be."
#define OCTET_NO_DATA_WITHIN                                                                                         \
  "X106: grad, vmap and checkpoint make functions of arrays, and this call gives data. Compile what they make, and " \
  "call that: jit(grad(f))(x). Within a traced function, constant(tensor) is an Array of its numbers."
#define OCTET_NO_CALL_WITHIN                                                                                           \
  "X405: the function that checkpoint or vmap was given does not take these arguments, or returns nothing. It is "     \
  "given what they are called with, of vmap each without its axis, in the same order, const: let it take them so, by " \
  "value or const reference, and return its arrays."
#define OCTET_NO_LOSS                                                                                               \
  "X401: grad needs a function that returns a floating-point scalar. Return the loss, an Array; or where there is " \
  "more to return, a pair whose first is the loss."

#define OCTET_NO_NUMBER_TWICE                                                                                      \
  "X405: grad<0, 2>(f) names each argument once, by its number from 0, and here one is named twice. Each has one " \
  "gradient: name it once, and use that twice."
#define OCTET_NO_DIRECTION                                                                                            \
  "X405: jvp(f, x, tangent) takes a function of one argument that returns arrays, the argument, and how it changes, " \
  "a structure like it. Further arguments are captured: jvp([&](Array w) { return f(w, y); }, w, direction). "        \
  "Compiled, it is part of a traced function: jit([](Array w, Array v) { return jvp(f, w, v); })."

#define OCTET_NO_BRANCHES                                                                                           \
  "X405: cond takes two functions without parameters, which capture what they need and return something, both the " \
  "same structure: "                                                                                                \
  "cond(p, [&] { return x; }, [&] { return y; }). Between two arrays select(p, x, y) chooses."
#define OCTET_NO_CASES                                                                                               \
  "X405: switch_case takes a number and at least two functions without parameters, or a std::vector of them, which " \
  "capture what they need and return something, all of the same type: "                                              \
  "switch_case(i, [&] { return x; }, [&] { return y; }, [&] { return z; })."
#define OCTET_NO_ROWS                                                                                                  \
  "X405: map_rows(function, inputs) calls the function with each row of the inputs, const, and it returns the arrays " \
  "that it makes of the row."
#define OCTET_NO_WHILE                                                                                             \
  "X405: while_loop(condition, body, state) calls both functions with the state: the condition returns an Array, " \
  "one truth value, and the body the next state, of the same type. Begin with arrays, Array{0.0} for a number."
#define OCTET_NO_FORI                                                                                              \
  "X405: fori_loop(lower, upper, body, state) calls body(i, state) with the number of the turn, an Array, and it " \
  "returns the next state, of the same type. Begin with arrays, Array{0.0} for a number."
#define OCTET_NO_SCAN                                                                                           \
  "X405: scan(body, carry, inputs) calls body(carry, row) for each row of the inputs, and it returns the next " \
  "carry and an output, in a pair: std::pair{carry, output}. Begin with arrays, Array{0.0} for a number."
#define OCTET_NO_LARGEST_OF_TWO                                                                                       \
  "X403: max and min look along dimensions, which stand in braces: max(x, {0}). The larger of two is maximum(x, y), " \
  "the smaller minimum(x, y)."
#define OCTET_NO_POSITION                                                                                            \
  "X402: take(x, i) takes elements by their numbers, which are whole: an integer of the host, or an Array of them, " \
  "cast<int>(i). By a truth value, select(condition, a, b) chooses."
#define OCTET_NO_ELEMENT_TYPE                                                                                        \
  "X402: there is no such element type: there are bool, std::int32_t, std::int64_t, std::uint32_t, bfloat16, float " \
  "and double. Numbers of eight bits are written as they would be rounded, clamp(-128, round(x / scale), 127), in "  \
  "f32 or cast<int>."
#define OCTET_NO_KEY                                                                                   \
  "X402: a Key is two numbers that random bits are made of, and not one to compute with. Draw by it, " \
  "random_uniform(key, shape) or random_normal(key, shape); fold_in(key, i) makes another key for each i."
#define OCTET_NO_PERMUTATION                                                                                        \
  "X403: transpose takes the dimensions in their new order in braces: transpose(x, {1, 0}). Two of them exchanged " \
  "are swap_axes(x, 0, 1), the last two matrix_transpose(x)."
#define OCTET_NO_LIST(name) \
  "X405: " name " takes the arrays together, in braces: " name "({x, y}, 0). A Tensor among them is constant(tensor)."

#define OCTET_EACH(...) __VA_ARGS__

/// Declares a function of the template parameters `given` once more, for what the traced function in `hosts` cannot be
/// called with: it is refused at the line that calls.
#define OCTET_REFUSED_FUNCTIONS(given, hosts, ...)                                            \
  OCTET_REFUSED_FUNCTION(given, takes_others, hosts, OCTET_NO_FIT, __VA_ARGS__)               \
  OCTET_REFUSED_FUNCTION(given, takes_numbers, hosts, OCTET_NO_NUMBER_OF_TENSOR, __VA_ARGS__) \
  OCTET_REFUSED_FUNCTION(given, takes_no_loss, hosts, OCTET_NO_LOSS, __VA_ARGS__)             \
  OCTET_REFUSED_FUNCTION(given, handles_data, hosts, OCTET_NO_DATA, __VA_ARGS__)              \
  OCTET_REFUSED_FUNCTION(given, gives_nothing, hosts, OCTET_NO_RESULT, __VA_ARGS__)
#define OCTET_REFUSED_FUNCTION(given, reason, hosts, sentence, ...) \
  template <OCTET_EACH given, class Here = decltype([] {})>         \
    requires reason<OCTET_EACH hosts>                               \
  OCTET_REFUSED(sentence)                                           \
  __VA_ARGS__ {                                                     \
    static_assert(never<Here>, sentence);                           \
  }

/// The same for the call `name` of a class of the traced `Function`. `of` makes of the type of an argument that of what
/// a replica is given. Given arrays, it is taken to give one, so that less is told of what stands around it.
#define OCTET_REFUSED_CALLS(result, name, of)                                                                \
  OCTET_REFUSED_FUNCTIONS((class... Given), (Function, of<Given>...), result name(Given&&...) const)         \
  OCTET_REFUSED_FUNCTION((class... Given), gives_arrays, (Function, of<Given>...), OCTET_NO_COMPILED_WITHIN, \
                         Array name(Given&&...) const)
