// The Text section: two tokenizers learned in the page, what they make of a sentence, and the lengths they give a text.
import { textWords } from "../../language/text";
import { useSpoken } from "../../language/words";
import type { Session } from "../../state/session";
import "../../style/tokens_text.css";
import "../../style/text.css";
import { useDropped } from "../dropped";
import { LineLengths } from "./line_lengths";
import { Sentence } from "./sentence";
import { isTokenizerFile } from "./training";
import { TrainingPanel } from "./training_panel";
import { useTokenizers } from "./use_tokenizers";

export default function Text({ session }: { session: Session }) {
  const words = useSpoken(textWords);
  const tokenizers = useTokenizers(session);
  const over = useDropped("text", (files) => {
    const [file, ...others] = files;
    if (files.some(({ name }) => isTokenizerFile(name))) tokenizers.open(files);
    else if (file) tokenizers.choose(file, others);
  });

  return (
    <div class={over ? "text-section over" : "text-section"}>
      <div class="lead">
        <p>{words.lead}</p>
      </div>
      <TrainingPanel tokenizers={tokenizers} />
      <Sentence session={session} tokenizers={tokenizers} />
      <LineLengths session={session} tokenizers={tokenizers} />
    </div>
  );
}
