// Said where something is on its way and nothing stands in its place, once that takes longer than a moment.
import { useWords } from "../language/words";

export function Awaited({ wanted }: { wanted: boolean }) {
  const words = useWords();
  return wanted && <p class="hint awaited">{words.coming}</p>;
}
