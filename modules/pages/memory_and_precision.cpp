/// X5: memory, matrix unit and precision.
module octet.pages;
import octet.standard;

namespace octet {

std::vector<Page> pages_on_memory_and_precision() {
  return {
      {501,
       {{"The batch of a replica is too large.",
         "Activations grow with batch x sequence, and with the square of the sequence in "
         "attention."},
        {"The model with its optimizer is too large.",
         "AdamW keeps two more numbers for each parameter: 12 bytes a parameter in f32 with its weight, before "
         "gradients."}},
       {{"A smaller batch for each replica, with gradients accumulated over several",
         "Yes: the same gradients, in more steps.", "Activations shrink in proportion.",
         "octet estimate names the largest batch that fits."},
        {"Activations computed again instead of kept: checkpoint in Octet, jax.checkpoint in JAX, tf.recompute_grad in "
         "TensorFlow",
         "Yes: the same numbers, in more time. XLA alone may not do it.",
         "Of what is recomputed, only the inputs are kept.", "octet estimate --gradient-checkpointing"},
        {"Activations stored in bf16", "Yes, with parameters and optimizer state in f32.", "They take half.",
         "octet check --activations bf16"},
        {"The optimizer's state sharded over the replicas", "Yes: the same update, of a share by each replica.",
         "Of AdamW's 8 bytes a parameter, each of n replicas keeps an n-th.", "octet estimate --shard-optimizer"},
        {"Shorter sequences, bucketed", "It truncates what is longer.", "Attention shrinks with the square.",
         "octet estimate --seq LENGTH"},
        {"A slice of chips with more memory, or more of them", "Yes.", "Costs money.", "octet estimate --slice NAME"}}},
      {502,
       {{"Rows or features are no multiple of the tile.",
         "The last two dimensions are padded to 8 x 128: 10 rows cost what 16 cost, and "
         "130 features what 256 cost."},
        {"A vocabulary or head size was chosen by habit.", "30,522 words are padded to 30,592."}},
       {{"Round features up to a multiple of 128, rows to 8",
         "Yes for sizes chosen before training; the added words are never "
         "used.",
         "The padding becomes work that counts.", "octet estimate shows the share of the matrix unit."},
        {"Bucket lengths by multiples of 8 or more", "Yes, with a mask.", "As above, and fewer programs.",
         "As above."}}},
      {506,
       {{"Weights are kept in bf16.",
         "To a weight of 1, adding 0.002 changes nothing; late in training most changes are smaller."},
        {"The learning rate is small beside the weights.",
         "The smaller the change, the more of it is lost, however many steps are made."}},
       {{"f32 master weights: keep f32, round to bf16 where they are multiplied", "Yes: it is what TPUs do by default.",
         "No update is lost.", "octet train --precision-report"},
        {"A larger learning rate or batch", "It is another training.", "Fewer updates are below the step of bf16.",
         "As above."}}},
      {507,
       {{"The loss diverged.", "Weights and activations grow until nothing holds them."},
        {"A division by something that may be 0, or exp of something large.",
         "Infinity minus infinity, and infinity times 0, are NaN."}},
       {{"Clip gradients by their global norm, warm up more slowly", "Yes.", "Steps stay where the loss is known.",
         "The loss stays finite."},
        {"softmax and log-sum-exp with the maximum taken out, an epsilon under divisions", "Yes: the same numbers.", "",
         "octet train --precision-report, with fewer --steps than the run lived, names the operation that grows."}}},
      {508,
       {{"The optimizer's moments are kept in bf16.",
         "With beta2 = 0.999, a second moment moves by a thousandth of itself, which bf16 rounds "
         "away: it stays what the first steps made it."}},
       {{"Moments in f32", "Yes.", "They follow the gradients.", "octet train --precision-report"},
        {"A smaller beta2, such as 0.95", "It is another optimizer.", "Larger changes survive.", "As above."}}},
      {509,
       {{"A run diverged.",
         "Each update went further than the gradient tells, and the next gradient was larger still: the loss grew "
         "until "
         "f32 could not hold it. The run stops there; what was saved before still stands."},
        {"The model comes from a run that diverged.",
         "Its weights are NaN, or so large that what is computed from them is."}},
       {{"A lower learning rate, by a factor of 3 to 10", "It is another training.",
         "Updates stay where the loss falls.", "The loss falls from the first steps on, and stays finite."},
        {"Clip gradients by their global norm, at 1", "It is another training, where a norm was above that.",
         "One bad batch cannot throw the weights far.", "As above."},
        {"A longer warm-up", "It is another training.",
         "The optimizer's moments have settled before the updates are large.", "As above."},
        {"Weights and activations stored as f32", "Yes; they take twice the memory.",
         "Small differences of large numbers are kept.", "octet train --precision-report"},
        {"Go back to what was saved before: octet train --save-total-limit keeps the last few", "Yes.",
         "The steps up to there are not lost.", "octet fill guesses."}}},
  };
}

}  // namespace octet
