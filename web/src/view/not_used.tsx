// Said where a text or a file was refused: which, and why. What was shown before it stands.
import type { Diagnostic } from "../engine/engine";
import { noticesWords } from "../language/notices";
import { useSpoken } from "../language/words";
import { Diagnostics } from "./diagnostics";
import { TableFields } from "./table_fields";

export function NotUsed(props: {
  name: string;
  diagnostics: readonly Diagnostic[];
  /** The text, where it is a file: of a table, `take` gets the column that is chosen. */
  text?: unknown;
  take?: (column: File) => void;
}) {
  const { name, diagnostics, text, take } = props;
  const words = useSpoken(noticesWords);
  if (diagnostics.length === 0) return null;
  return (
    <div class="notice mishap" data-notice="refused" role="alert">
      <p>
        <strong>{words.notUsed(name)}</strong>
      </p>
      <Diagnostics diagnostics={diagnostics} />
      {text instanceof File && take && <TableFields file={text} take={take} />}
    </div>
  );
}
