// The run in numbers, with room for them until they come.
import { useWords } from "../language/words";
import type { Session } from "../state/session";
import { late } from "./late";

const Figures = late(() => import("./under_way"), "Figures");

export function Numbers({ session }: { session: Session }) {
  const words = useWords();
  return (
    <section class="panel numbers" aria-labelledby="numbers-heading">
      <h2 id="numbers-heading">{words.numbers}</h2>
      <Figures wanted={session.underWay} run={session.run} />
    </section>
  );
}
