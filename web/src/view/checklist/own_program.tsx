// A program of the visitor's in the Checklist section: its file, by picker or drop, and how one is made.
import { useEffect, useState } from "preact/hooks";
import { checklistWords } from "../../language/checklist";
import { useSpoken } from "../../language/words";
import { isProgram, namesOf, type Session } from "../../state/session";
import type { Program, Surroundings } from "../../workshop/checklist";
import { comeTo } from "../come_to";
import { useDropped } from "../dropped";
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

/** The visitor's program, by picker or dropped here; one that was dropped elsewhere is come to. */
export function useOwn(session: Session) {
  const [own, setOwn] = useState<Own | null>(null);
  const [tooLarge, setTooLarge] = useState(false);
  /** Names of what was dropped with it. */
  const [leftOut, setLeftOut] = useState("");
  const take = (files: File[]) => {
    const file = files.find(isProgram) ?? files[0];
    if (!file) return;
    setTooLarge(file.size > most);
    setLeftOut(namesOf(files.filter((each) => each !== file)));
    if (file.size <= most) setOwn({ file, batch: own?.batch ?? [] });
  };
  const giveUp = () => {
    setTooLarge(false);
    setLeftOut("");
    setOwn(null);
  };
  const over = useDropped("checklist", take);
  const { programs } = session;
  useEffect(() => {
    if (programs.length === 0) return;
    take(programs);
    comeTo("checklist", true);
  }, [programs]);
  return { own, setOwn, tooLarge, leftOut, take, giveUp, over };
}

/** The choice between a published model and a program of one's own. */
export function Subject({ of }: { of: ReturnType<typeof useOwn> }) {
  const words = useSpoken(checklistWords);
  const { own, tooLarge, leftOut, take, giveUp } = of;
  return (
    <div class="subject">
      <Chips
        name="subject"
        label={words.subject}
        chosen={own ? "own" : "model"}
        choices={[{ value: "model", title: words.published }]}
        choose={giveUp}
      >
        <FileChip
          label={words.ownProgram}
          chosen={own?.file.name ?? null}
          take={(file) => take([file])}
          accept=".mlir,.txt"
          picker="program"
        />
      </Chips>
      <p class="wrong" role="alert">
        {[tooLarge && words.tooLarge, leftOut && words.leftOut(leftOut)].filter(Boolean).join(" ")}
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
