// A run of the page as the command that gives the same weights in a terminal.
import type { Options } from "../engine/engine";

/** What was trained on, as a file beside the terminal: of a table with its column, where that is not "text". */
export interface TrainedText {
  file: string;
  field?: string;
}

/** What `octet train` does where nothing is said, which is no more than what the page lets one choose. */
const usual: Required<Omit<Options, "threads">> = {
  steps: 1000,
  seed: 0,
  batch: 64,
  seq: 64,
  layers: 2,
  hidden: 128,
  heads: 2,
  intermediate: 512,
  learning_rate: 0.001,
  warmup_steps: 100,
  vocab_size: 2048,
  packing: "lines",
};

/** As a shell reads it back. */
const quoted = (text: string) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** The results do not depend on threads, of which a terminal has its own. */
export function commandOf(options: Options, { file, field = "text" }: TrainedText): string {
  const words = ["octet train --text", quoted(file.startsWith("-") ? `./${file}` : file)];
  if (field !== "text") words.push(`--field=${quoted(field)}`);
  for (const [name, value] of Object.entries(usual)) {
    const chosen = options[name as keyof Options] ?? value;
    if (chosen !== value) words.push(`--${name.replace("_", "-")} ${chosen}`);
  }
  return words.join(" ");
}
