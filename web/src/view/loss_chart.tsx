// The loss over the steps, with room for its curve, which comes with the first of them.
import { useWords } from "../language/words";
import type { Session } from "../state/session";
import { late } from "./late";

const LossCurve = late(() => import("./under_way"), "LossCurve");

export function LossChart({ session }: { session: Session }) {
  const words = useWords();
  return (
    <section class="panel chart" aria-labelledby="loss-heading">
      <h2 id="loss-heading">{words.loss}</h2>
      <LossCurve wanted={session.underWay} run={session.run} />
    </section>
  );
}
