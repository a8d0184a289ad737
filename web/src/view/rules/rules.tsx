// The Rules section: where a visitor meets the three rules of XLA without a compiler.
import { rulesWords } from "../../language/rules";
import { useSpoken } from "../../language/words";
import type { Session } from "../../state/session";
import "../../style/rules.css";
import { Lengths } from "./lengths";
import { Playground } from "./playground";
import { Story } from "./story";

export default function Rules({ session }: { session: Session }) {
  const words = useSpoken(rulesWords);
  return (
    <>
      <div class="lead">
        <p>{words.lead}</p>
      </div>
      <Playground session={session} />
      <Lengths session={session} />
      <Story />
    </>
  );
}
