// The choice of text: three that come with the page, or a file by picker or drop.
import { useEffect, useState } from "preact/hooks";
import { languages, textTitles } from "../language/language";
import { useWords } from "../language/words";
import type { Session } from "../state/session";
import { FileChip } from "./file_chip";

export function TextChoice({ session }: { session: Session }) {
  const words = useWords();
  const dragged = useDroppedFile((file, other) => session.chooseFile(file, other));
  const fileName = session.fileName;

  return (
    <section class="texts" aria-labelledby="texts-heading">
      <h2 id="texts-heading" class="label">
        {words.text}
      </h2>
      <div class="chips" role="group" aria-labelledby="texts-heading" aria-describedby="texts-hint">
        {languages.map((code) => (
          <button
            key={code}
            type="button"
            class="chip"
            lang={code}
            data-text={code}
            aria-pressed={session.settings.text === code}
            onClick={() => session.chooseText(code)}
          >
            {textTitles[code]}
          </button>
        ))}
        <FileChip label={words.ownFile} chosen={fileName} take={(file) => session.chooseFile(file)} />
      </div>
      <p id="texts-hint" class="hint">
        {words.textHint}
      </p>
      {dragged && (
        <div class="drop" aria-hidden="true">
          <p>{words.dropHere}</p>
        </div>
      )}
    </section>
  );
}

/** Takes a file dropped anywhere that does not take it itself; returns whether one is being dragged over the page. */
function useDroppedFile(take: (file: File, other?: File) => void): boolean {
  const [dragged, setDragged] = useState(false);
  useEffect(() => {
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      setDragged(!event.defaultPrevented);
      event.preventDefault();
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragged(false);
    };
    const drop = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      setDragged(false);
      if (event.defaultPrevented) return;
      event.preventDefault();
      const [file, other] = event.dataTransfer?.files ?? [];
      if (file) take(file, other);
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  return dragged;
}
