// A program of the visitor's in the Checklist section: its file, by picker or drop, and how one is made.
import { useState } from "preact/hooks";
import { checklistWords } from "../../language/checklist";
import { useSpoken } from "../../language/words";
import type { Program, Surroundings } from "../../workshop/checklist";
import { Chips } from "../field";
import { FileChip } from "../file_chip";

export interface Own {
  file: File;
  /** The names of what holds the batch. */
  batch: string[];
}

const most = 64 * 2 ** 20; // bytes of a program's text

/** What is asked about it: its file is read anew each time, as it may have been written anew. */
export async function askOf({ file, batch }: Own, surroundings: Surroundings): Promise<Program> {
  const { slice, host, data, calls_back, examples_per_second } = surroundings;
  const text = await file.text();
  return { slice, host, data, calls_back, examples_per_second, text, name: file.name, batch_arguments: batch };
}

/** The choice between a published model and a program of one's own. */
export function Subject({ own, choose }: { own: Own | null; choose: (own: Own | null) => void }) {
  const words = useSpoken(checklistWords);
  const [tooLarge, setTooLarge] = useState(false);
  const take = (file: File | undefined) => {
    if (!file) return;
    setTooLarge(file.size > most);
    if (file.size <= most) choose({ file, batch: own?.batch ?? [] });
  };
  return (
    <div
      class="subject"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        take(event.dataTransfer?.files[0]);
      }}
    >
      <Chips
        name="subject"
        label={words.subject}
        chosen={own ? "own" : "model"}
        choices={[{ value: "model", title: words.published }]}
        choose={() => {
          setTooLarge(false);
          choose(null);
        }}
      >
        <FileChip
          label={words.ownProgram}
          chosen={own?.file.name ?? null}
          take={take}
          accept=".mlir,.txt"
          picker="program"
        />
      </Chips>
      <p class="wrong" role="alert">
        {tooLarge && words.tooLarge}
      </p>
    </div>
  );
}

/** How such a file is made. */
export function OwnProgram() {
  const words = useSpoken(checklistWords);
  return (
    <div class="own-program">
      <p class="hint">{words.ownHint}</p>
      <pre>
        <code>
          {"print(jax.jit(step, donate_argnums=0).lower(state, batch).as_text(debug_info=True),\n" +
            '      file=open("step.mlir", "w"))'}
        </code>
      </pre>
    </div>
  );
}
