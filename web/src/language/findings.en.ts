// What stalls a step and what mends it, in English. Codes and numbers, in this order, are those of nn::findings.
import { s } from "./plural";

const waits = (share: string) => `the chips wait ${share} of the time`;
const noMultiple = (what: string) => (extent: string, unit: string, filled: string) =>
  `${what} ${extent} is no multiple of ${unit}, and costs what ${filled} would.`;

export const en = {
  says: {
    uneven_shards: (given: string, parts: string, padding: string, batch: string) =>
      `A batch of ${given} cannot be shared equally by ${parts} parts: ${padding} of ${batch} sequences have weight zero and cost what others cost.`,
    slow_host: (host: string, hosts: string, times: string, share: string) =>
      `Host ${host} of ${hosts} takes ${times} times as long as the others for its share of a batch, and all replicas wait for it: ${waits(share)}.`,
    only_slow_host: (host: string, hosts: string, share: string) =>
      `Host ${host} of ${hosts} alone takes time for its share of a batch, the others hardly any, and all replicas wait for it: ${waits(share)}.`,
    bucket_too_slow: (host: string, step: string, share: string) =>
      `Reading a host's share of a batch from the bucket takes ${host}, and a step computes for ${step}: ${waits(share)}.`,
    disk_too_slow: (host: string, step: string, share: string) =>
      `Reading a host's share of a batch from its disk takes ${host}, and a step computes for ${step}: ${waits(share)}.`,
    network_too_slow: (host: string, step: string, share: string) =>
      `Sending a batch from the program's one machine to all hosts takes ${host}, and a step computes for ${step}: ${waits(share)}.`,
    host_callback: (host: string, step: string, share: string) =>
      `The input pipeline calls back into the program for each example, one at a time, which takes ${host} a batch, and a step computes for ${step}: ${waits(share)}.`,
    host_too_slow: (host: string, step: string, share: string) =>
      `Preparing a host's share of a batch takes ${host}, and a step computes for ${step}: ${waits(share)}.`,
    transfer_too_slow: (host: string, step: string, share: string) =>
      `Carrying a host's share of a batch to the chips takes ${host}, and a step computes for ${step}: ${waits(share)}.`,
    too_few_prefetched: (batches: string, share: string) =>
      `Batches on their way while a step runs: ${batches}. Reading and preparing the next ones is not hidden behind it: ${waits(share)}.`,
    recompiles: (programs: string, steps: string, each: string, share: string) =>
      `${programs} programs are compiled in ${steps} steps, each for ${each}: the chips wait ${share} of the time for the compiler.`,
    tiny_collectives: (count: string, bytes: string, time: string, chips: string) =>
      `${count} all-reduces, one for each gradient, of ${bytes} each on average, take ${time}: every one begins anew and goes round all ${chips} chips.`,
    unoverlapped_all_reduce: (time: string) =>
      `The all-reduce of the gradients begins when the backward pass is done: ${time} in which the matrix unit is idle.`,
    bound_by_all_reduce: (share: string, sequences: string) =>
      `${share} of the step are the all-reduce and the update, which take as long for any batch. Sequences of a replica: ${sequences}.`,
    whole_update: (weights: string, time: string) => `Every replica updates all ${weights} weights: ${time} a step.`,
    f32_activations: (share: string) =>
      `Activations are stored in f32, and ${share} of forward and backward are bound by memory.`,
    padded_heads: (size: string, filled: string) =>
      `Heads of ${size} fill ${size} of the ${filled} rows of the matrix unit that they take.`,
    padded_rows: (rows: string, filled: string) =>
      `Sequences of a replica at once: ${rows}, no multiple of 8. Where sequences are the rows of a tile, that costs what ${filled} would.`,
    padded_sequence: noMultiple("In attention, a sequence of"),
    padded_vocabulary: noMultiple("A vocabulary of"),
    padded_hidden: noMultiple("A hidden size of"),
    padded_intermediate: noMultiple("An intermediate size of"),
  },
  remedies: {
    even_batch: (batch: string, below: string) => `Make the batch ${batch} or ${below}.`,
    even_batch_above: (batch: string) => `Make the batch ${batch}.`,
    mend_host: "Mend or replace that host, or have other hosts prepare a part of its share.",
    threads: (needed: string, now: string) => `Threads that prepare on each host: ${needed} instead of ${now}.`,
    threads_of_more_hosts: (needed: string, now: string, processors: string) =>
      `Threads that prepare on each host: ${needed} instead of ${now}, more than the ${processors} processors of one. Take more hosts, or store examples as they are needed.`,
    record_files:
      "Write the examples to record files: the program that is called back runs one thread, however many there are.",
    more_threads: (needed: string, now: string, cycle: string) =>
      `Threads that prepare on each host: ${needed} instead of ${now}, which makes it a step every ${cycle}.`,
    faster_hosts: (step: string) =>
      `Make hosts prepare a share within ${step}: batches on their way do not hide what takes longer than a step.`,
    bucket_or_memory: "Read from a bucket, over many connections, or from memory.",
    from_bucket: "Read from a bucket, over many connections.",
    from_memory: "Read from memory, where the examples fit into it.",
    fewer_stored_bytes: (cycle: string) =>
      `Store fewer bytes for each example: half as many would make it a step every ${cycle}.`,
    store_prepared: "Store examples as they are needed, so that nothing is left to prepare.",
    fewer_bytes: "Send fewer bytes for each example: ids of 16 bits, masks made on the chip.",
    prefetch: (batches: string) => `Batches on their way that end the wait: ${batches}.`,
    prefetch_more: (now: string) => `Prefetch more batches than ${now}.`,
    few_lengths: "Pad batches to a few lengths: one program for each length is left.",
    join_all_reduces: (time: string) => `Join them: one all-reduce of all gradients takes ${time}.`,
    overlap_all_reduce:
      "Reduce each layer's gradients while the layers before it are still computed; only the first layer's and the word embeddings' are left to wait for.",
    larger_batch_either: (batch: string, atOnce: string, parts: string, inParts: string) =>
      `Make the batch ${batch}: at once, that saves ${atOnce} on as many sequences; in ${parts} accumulated parts, ${inParts}.`,
    larger_batch_at_once: (batch: string) => `Make the batch ${batch}, not in parts.`,
    larger_batch_in_parts: (batch: string, parts: string) => `Make the batch ${batch}, in ${parts} accumulated parts.`,
    shard_optimizer:
      "Shard the optimizer's state: each replica updates its part between reduce-scatter and all-gather.",
    bf16_activations: "Store activations in bf16, with weights and optimizer state in f32.",
    fewer_heads: (heads: string, size: string, now: string) =>
      `Take ${heads} head${s(heads)} of ${size} instead of ${now}: as many weights, in another model.`,
    batch_of_rows: (batch: string, each: string) => `Make the batch ${batch}, ${each} for each replica.`,
    batch_of_rows_in_parts: (batch: string, each: string) =>
      `Make the batch ${batch}, ${each} for each replica in each part.`,
    other_length: (to: string, step: string, saved: string) =>
      `Make it ${to}: a step takes ${step}, ${saved} less for each token.`,
    longer_positions: (to: string, step: string, saved: string) =>
      `Take a model of ${to} positions, and fill them: a step takes ${step}, ${saved} less for each token.`,
    fill_up: (to: string) => `Make it ${to}, which takes no longer.`,
    fill_up_or_below: (to: string, below: string) =>
      `Make it ${to}, which takes no longer; or ${below}, which saves the time that goes into padding.`,
    down_to: (below: string) => `Make it ${below}, which saves the time that goes into padding.`,
  },
};
