// The choice of a text within a section: those that come with the page, or a file of one's own.
import { type Language, languages, textTitles } from "../language/language";
import { useWords } from "../language/words";
import { Chips } from "./field";
import { FileChip } from "./file_chip";

export function TextChips(props: {
  name: string;
  label: string;
  /** What the file picker is called, for tests. */
  picker: string;
  source: Language | File;
  choose: (source: Language | File) => void;
}) {
  const { source, choose } = props;
  const page = useWords();
  const own = typeof source !== "string";
  return (
    <Chips
      name={props.name}
      label={props.label}
      chosen={own ? "own" : source}
      choices={languages.map((value) => ({ value, title: textTitles[value], lang: value }))}
      choose={(value: Language | "own") => {
        if (value !== "own") choose(value);
      }}
    >
      <FileChip label={page.ownFile} chosen={own ? source.name : null} take={choose} picker={props.picker} />
    </Chips>
  );
}
