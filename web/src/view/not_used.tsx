// Said where a text or a file was refused: which, and why. What was shown before it stands.
import type { Diagnostic } from "../engine/engine";
import { noticesWords } from "../language/notices";
import { useSpoken } from "../language/words";
import { Diagnostics } from "./diagnostics";

export function NotUsed({ name, diagnostics }: { name: string; diagnostics: readonly Diagnostic[] }) {
  const words = useSpoken(noticesWords);
  if (diagnostics.length === 0) return null;
  return (
    <div class="notice mishap" data-notice="refused" role="alert">
      <p>
        <strong>{words.notUsed(name)}</strong>
      </p>
      <Diagnostics diagnostics={diagnostics} />
    </div>
  );
}
