// The Text section: two tokenizers learned in the page, what they make of a sentence, and the lengths they give a text.
import { useState } from "preact/hooks";
import { textWords } from "../../language/text";
import { useSpoken } from "../../language/words";
import type { Session } from "../../state/session";
import "../../style/tokens_text.css";
import "../../style/text.css";
import { LineLengths } from "./line_lengths";
import { Sentence } from "./sentence";
import { isTokenizerFile } from "./training";
import { TrainingPanel } from "./training_panel";
import { useTokenizers } from "./use_tokenizers";

export default function Text({ session }: { session: Session }) {
  const words = useSpoken(textWords);
  const tokenizers = useTokenizers(session);
  const [over, setOver] = useState(false);

  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  const take = (files: File[]) => {
    if (files.some((file) => isTokenizerFile(file.name))) tokenizers.open(files);
    else if (files[0]) tokenizers.choose(files[0], files[1]);
  };

  // What is dropped here is this section's: the page, which would train on it, is told by the default being prevented.
  return (
    <div
      class={over ? "text-section over" : "text-section"}
      onDragOver={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setOver(false);
        take([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <div class="lead">
        <p>{words.lead}</p>
      </div>
      <TrainingPanel tokenizers={tokenizers} />
      <Sentence session={session} tokenizers={tokenizers} />
      <LineLengths session={session} tokenizers={tokenizers} />
    </div>
  );
}
