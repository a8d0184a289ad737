// The command that ends with the same bits in a terminal, beside the hash of a run that is over; and the page's text as a file.
import { useRef, useState } from "preact/hooks";
import { sameRunWords } from "../language/same_run";
import { useSpoken } from "../language/words";
import { commandOf } from "../state/command_line";
import type { Session } from "../state/session";
import "../style/same_run.css";
import { tableOf } from "../workshop/table";

export function SameRun({ session }: { session: Session }) {
  const words = useSpoken(sameRunWords);
  const code = useRef<HTMLElement>(null);
  const [said, setSaid] = useState<{ command: string; words: "copied" | "selected" }>();
  const { file, run } = session;
  const served = `${session.settings.text}.txt`;
  const command = commandOf(run.options, file ? tableOf(file) : { file: served });
  const copy = () =>
    // No page may copy where it does not come over a secure connection.
    Promise.resolve(navigator.clipboard?.writeText(command) ?? Promise.reject()).then(
      () => setSaid({ command, words: "copied" }),
      () => {
        if (code.current) getSelection()?.selectAllChildren(code.current);
        setSaid({ command, words: "selected" });
      },
    );

  return (
    <div class="same-run">
      <h4 id="same-run">{words.heading}</h4>
      <pre lang="en" tabIndex={0} aria-labelledby="same-run">
        <code ref={code} data-shown="command">
          {command
            .split(/ (?=--)/)
            .flatMap((part) => [" ", <span key={part}>{part}</span>])
            .slice(1)}
        </code>
      </pre>
      <div class="buttons">
        <button type="button" data-action="copy" onClick={copy}>
          {words.copy}
        </button>
        {!file && (
          <a href={`texts/${served}`} download={served}>
            {words.save(served)}
          </a>
        )}
        <span role="status">{said?.command === command && words[said.words]}</span>
      </div>
      <p class="hint">{words.hint}</p>
    </div>
  );
}
