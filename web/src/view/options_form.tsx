// The options a visitor may change, with room for the fields, which come later.
import { useState } from "preact/hooks";
import { useWords } from "../language/words";
import type { Session } from "../state/session";
import { late } from "./late";

const OptionFields = late(() => import("./under_way"), "OptionFields");

export function OptionsForm({ session }: { session: Session }) {
  const words = useWords();
  const [open] = useState(() => matchMedia("(min-width: 56rem)").matches); // where there is room beside the chart
  return (
    <details class="panel options" open={open}>
      <summary>
        <h2>{words.options}</h2>
      </summary>
      <OptionFields wanted={session.underWay} session={session} />
    </details>
  );
}
