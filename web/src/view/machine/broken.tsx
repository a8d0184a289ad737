// Said where the workshop itself broke, or could not be loaded.
import { useWords } from "../../language/words";

export function Broken({ reason }: { reason: string }) {
  const words = useWords();
  if (!reason) return null;
  return (
    <div class="notice mishap" data-notice="broken">
      <p>{words.sectionFailed}</p>
      <p lang="en">{reason}</p>
    </div>
  );
}
