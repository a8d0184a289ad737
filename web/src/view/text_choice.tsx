// The choice of text: three that come with the page, or a file by picker or drop.
import { languages, textTitles } from "../language/language";
import { useWords } from "../language/words";
import type { Session } from "../state/session";
import { useDropped } from "./dropped";
import { FileChip } from "./file_chip";

export function TextChoice({ session }: { session: Session }) {
  const words = useWords();
  const dragged = useDropped("", ([file, ...others]) => file && session.chooseFile(file, others));
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
